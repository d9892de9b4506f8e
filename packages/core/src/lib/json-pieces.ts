import { parseJson, optionalString } from './json.ts'
import { createTextBuffer } from './streamed-text.ts'

/** Watches a text to detect its end. */
export interface Watch {
  add(piece: string): void
  complete(): boolean
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/**
 * Complete when the text is one JSON object. Braces are counted as they arrive, and the text is parsed once, when the first object ends:
 * parsing it after each piece would take quadratic time.
 */
export function createObjectWatch(): Watch {
  const textBuffer = createTextBuffer()
  let depth = 0
  let inString = false
  let escaped = false
  let state: 'open' | 'closed' | 'complete' | 'never' = 'open'

  const scan = (piece: string) => {
    for (let index = 0; index < piece.length; index++) {
      const code = piece.charCodeAt(index)
      if (escaped) escaped = false
      else if (inString) {
        if (code === BACKSLASH) escaped = true
        else if (code === QUOTE) inString = false
      } else if (code === QUOTE) inString = true
      else if (code === OPEN) depth++
      else if (code === CLOSE && --depth <= 0) {
        state = piece.slice(index + 1).trim() === '' ? 'closed' : 'never'
        return
      }
    }
  }
  return {
    add(piece) {
      if (state === 'never') return
      if (state !== 'open') {
        if (piece.trim() !== '') state = 'never'
        return
      }
      textBuffer.add(piece)
      scan(piece)
    },
    complete() {
      if (state === 'closed') state = parseJson(textBuffer.text()) === undefined ? 'never' : 'complete'
      return state === 'complete'
    },
  }
}

/**
 * Reads the text of a string that is the first member of a JSON object, while the object arrives in pieces. For text that does not
 * begin with this member, the text itself.
 */
export interface StringMember {
  /** The text that this piece adds. */
  add(piece: string): string
  /** The rest at the end. */
  rest(): string
}

/** The start of an escape that may go on in the next piece. A pair of surrogates is one character. */
const OPEN_ESCAPE = /(?:\\(?:u[0-9a-fA-F]{0,3})?|\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)$/

/** Creates a reader of the member with this name. */
export function createStringMember(name: string): StringMember {
  const head = new RegExp(`^\\s*\\{\\s*${JSON.stringify(name)}\\s*:\\s*"`)
  let state: 'head' | 'inside' | 'over' | 'plain' = 'head'
  let held = ''

  const readInside = (text: string): string => {
    const end = closingQuote(text)
    if (end >= 0) {
      state = 'over'
      held = ''
      return unescape(text.slice(0, end))
    }
    const open = OPEN_ESCAPE.exec(text)
    const cut = open !== null && isPlain(text, open.index) ? open.index : text.length
    held = text.slice(cut)
    return unescape(text.slice(0, cut))
  }
  return {
    add(piece) {
      if (state === 'over') return ''
      if (state === 'plain') return piece
      const text = held + piece
      if (state === 'inside') return readInside(text)
      const begun = head.exec(text)
      if (begun !== null) {
        state = 'inside'
        return readInside(text.slice(begun[0].length))
      }
      if (mayBegin(text, name)) {
        held = text
        return ''
      }
      state = 'plain'
      held = ''
      return text
    },
    rest() {
      const left = held
      held = ''
      return state === 'head' ? left : state === 'inside' ? unescape(left) : ''
    },
  }
}

/** No JSON that a model writes has more white space than this. */
const LONGEST_HEAD = 256

/** Whether the text can still become the head of the object. */
function mayBegin(text: string, name: string): boolean {
  if (text.length > LONGEST_HEAD) return false
  const found = text.replace(/\s+/g, '')
  const whole = `{${JSON.stringify(name)}:"`
  return whole.startsWith(found) && found.length < whole.length
}

/** The position of the quote that ends the string; -1 if it is not there. */
function closingQuote(text: string): number {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) if (isPlain(text, at)) return at
  return -1
}

/** Whether a character stands for itself: there is an even number of backslashes before it. */
function isPlain(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 0
}

/** Text that cannot be in a JSON string, such as a raw line break, is kept as it is. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text
  const read = parseJson(`"${text}"`)
  if (typeof read === 'string') return read
  return text.replace(/\\(?:u[0-9a-fA-F]{4}|.)/gs, (escape) => optionalString(parseJson(`"${escape}"`)) ?? escape)
}
