import { parseJson } from './json.ts'

/**
 * Recognizes an event that differs from the previous one in only one string: then only the string needs parsing. The counterpart of
 * `template`. This is exact, not a guess: the text around the string is compared completely, and in JSON any string can replace
 * another.
 */
export interface Repeat<Event> {
  /** The string of an event that repeats the learned one; undefined for any other event. */
  text(data: string): string | undefined
  /** Learns an event by its string, if that occurs once. `read` finds the string in a parsed event. */
  learn(data: string, text: string | undefined, read: (event: Event) => string | undefined): void
  forget(): void
}

const PLAIN = /^"[^"\\\p{Cc}]*"$/u
const PROBE = '\u0001probe\u0001'

/** A memory for one stream, empty until it learns an event. */
export function createRepeat<Event>(): Repeat<Event> {
  let before = ''
  let after = ''
  return {
    text(data) {
      const end = data.length - after.length
      if (before === '' || end < before.length + 2) return undefined
      // Slices are compared as memory; startsWith and endsWith go character by character.
      if (data.slice(end) !== after || data.slice(0, before.length) !== before) return undefined
      const quoted = data.slice(before.length, end)
      if (PLAIN.test(quoted)) return quoted.slice(1, -1)
      const text = parseJson(quoted)
      return typeof text === 'string' ? text : undefined
    },
    learn(data, text, read) {
      if (text === undefined || text === '') return
      const literal = JSON.stringify(text)
      const start = data.indexOf(literal)
      if (start < 1 || data.includes(literal, start + 1)) return
      const head = data.slice(0, start)
      const tail = data.slice(start + literal.length)
      const probed = parseJson(head + JSON.stringify(PROBE) + tail)
      if (probed === undefined || read(probed as Event) !== PROBE) return // an event like the one just read
      before = head
      after = tail
    },
    forget() {
      before = ''
    },
  }
}
