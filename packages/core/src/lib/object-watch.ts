import { parseJson } from './json.ts'
import { createTextBuffer } from './text-buffer.ts'

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
