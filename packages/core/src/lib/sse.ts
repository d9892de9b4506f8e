import { createParser } from 'eventsource-parser'

/** Reads server-sent events from bytes, in chunks of any size. */
export interface SseReader {
  push(chunk: Uint8Array): void
  /** After the last byte: an event without a blank line at its end does not count. */
  end(): void
}

const LF = 10
const CR = 13

/** The largest event: 64 MiB is enough for any image in base64. */
const LIMIT = 64 * 1024 * 1024

/** Bytes to the data of events, in chunks of any size. A line without an end throws a RangeError instead of filling memory. */
export function createSseReader(
  onData: (data: string, event: string | undefined) => void,
  options: { readonly limit?: number } = {},
): SseReader {
  const limit = options.limit ?? LIMIT
  const decoder = new TextDecoder()
  const whole = new TextDecoder('utf-8', { ignoreBOM: true })
  let cut = true // the first bytes may be a byte order mark, and a chunk may end inside a character
  let waiting = 0
  const parser = createParser({
    onEvent({ data, event }) {
      waiting = 0
      onData(data, event)
    },
  })
  let held = '' // the beginning of a line, for the next chunk: the parser is fastest with whole lines
  return {
    push(chunk) {
      const last = chunk[chunk.length - 1]
      if (last === undefined) return
      // Streaming decoding is slow in Node; a chunk that begins and ends between characters does not need it.
      const ends = last < 0x80
      const text = cut || !ends ? decoder.decode(chunk, { stream: true }) : whole.decode(chunk)
      cut = !ends
      const end = last === LF || last === CR ? text.length : text.lastIndexOf('\n') + 1 || text.length
      waiting += text.length
      parser.feed(held + text.slice(0, end))
      held = text.slice(end)
      if (waiting > limit) throw new RangeError(`an event of more than ${limit} characters`)
    },
    end() {
      parser.feed(held + decoder.decode())
    },
  }
}

/** The text of an event with this data. */
export function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
