/** Splits a streamed text whose beginning may be between two tags. The tags may be cut anywhere. */
export interface TagSplitter {
  push(text: string): void
  /** Returns the text that was held back because it could have become a tag. */
  flush(): void
  /** Nothing is held back or removed any more. */
  readonly through: boolean
}

export interface TagRules {
  readonly open: string
  readonly close: string
  readonly inside: (text: string) => void
  /** The text without its tagged beginning, and without the blank lines after it. */
  readonly outside: (text: string) => void
}

export function createTagSplitter({ open, close, inside, outside }: TagRules): TagSplitter {
  let state: 'before' | 'inside' | 'after' | 'through' = 'before'
  let held = ''
  const tell = (to: (text: string) => void, text: string) => {
    if (text !== '') to(text)
  }
  const take = (): string => {
    const text = held
    held = ''
    return text
  }
  const before = (text: string) => {
    held += text
    if (isBlank(text)) return
    const head = held.trimStart()
    if (head.startsWith(open)) {
      held = ''
      state = 'inside'
      within(head.slice(open.length))
    } else if (!open.startsWith(head)) pass(take())
  }
  const within = (text: string) => {
    const all = take() + text
    const end = all.indexOf(close)
    if (end >= 0) {
      tell(inside, all.slice(0, end))
      state = 'after'
      after(all.slice(end + close.length))
      return
    }
    const edge = all.length - begunLength(all, close)
    held = all.slice(edge)
    tell(inside, all.slice(0, edge))
  }
  const after = (text: string) => {
    held += text
    if (!isBlank(text)) pass(take().replace(BLANK_LINES, ''))
  }
  const pass = (text: string) => {
    state = 'through'
    tell(outside, text)
  }
  return {
    push(text) {
      if (state === 'through') tell(outside, text)
      else if (state === 'before') before(text)
      else if (state === 'inside') within(text)
      else after(text)
    },
    flush() {
      if (state === 'before') pass(take())
      else if (state === 'inside') tell(inside, take())
      else if (state === 'after') pass(take().replace(BLANK_LINES, ''))
    },
    get through() {
      return state === 'through'
    },
  }
}

const BLANK_LINES = /^(?:[^\S\n]*\n)+/

function isBlank(text: string): boolean {
  return !/\S/.test(text)
}

/** The length of the end of a text that is the beginning of a tag. */
function begunLength(text: string, tag: string): number {
  let length = Math.min(text.length, tag.length - 1)
  while (!text.endsWith(tag.slice(0, length))) length--
  return length
}
