/** Reads server-sent events from bytes, in chunks of any size. */
export interface SseReader {
  push(chunk: Uint8Array): void
  /** After the last byte: an event without a blank line at its end does not count. */
  end(): void
}

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
  const lines = createLines(
    createEvents((data, event) => {
      waiting = 0
      onData(data, event)
    }),
  )
  const feed = (text: string) => {
    waiting += text.length
    lines(text)
    if (waiting > limit) throw new RangeError(`an event of more than ${limit} characters`)
  }
  return {
    push(chunk) {
      const last = chunk.at(-1)
      if (last === undefined) return
      // Streaming decoding is slow in Node; a chunk that begins and ends between characters does not need it.
      const ends = last < 0x80
      feed(cut || !ends ? decoder.decode(chunk, { stream: true }) : whole.decode(chunk))
      cut = !ends
    },
    end() {
      feed(decoder.decode())
    },
  }
}

/** Reads the line of a text from `start` to `end`, which is where its line end begins. */
type LineReader = (text: string, start: number, end: number) => void

/** Cuts text into lines that end in LF, CR or both. Every character is searched once, however a line is cut. */
function createLines(readLine: LineReader): (text: string) => void {
  let held = '' // the beginning of a line whose end has not come
  let returned = false // the last character was a CR, and its LF may still come
  return (text) => {
    if (text === '') return
    let start = returned && text.startsWith('\n') ? 1 : 0
    returned = text.endsWith('\r')
    let feed = text.indexOf('\n', start)
    let carriage = text.indexOf('\r', start)
    while (feed >= 0 || carriage >= 0) {
      const end = carriage < 0 || (feed >= 0 && feed < carriage) ? feed : carriage
      if (held === '') readLine(text, start, end)
      else readLine(held + text.slice(start, end), 0, held.length + end - start)
      held = ''
      start = feed === carriage + 1 ? feed + 1 : end + 1
      if (feed >= 0 && feed < start) feed = text.indexOf('\n', start)
      if (carriage >= 0 && carriage < start) carriage = text.indexOf('\r', start)
    }
    held += text.slice(start)
  }
}

/** Lines to events. Only the fields `data` and `event` mean something here. */
function createEvents(onData: (data: string, event: string | undefined) => void): LineReader {
  let data: string | undefined
  let event: string | undefined
  return (text, start, end) => {
    if (start < end) {
      const value = valueOf('data', text, start, end)
      if (value === undefined) event = valueOf('event', text, start, end) ?? event
      else data = data === undefined ? value : `${data}\n${value}`
      return
    }
    if (data !== undefined) onData(data, event === '' ? undefined : event)
    data = undefined
    event = undefined
  }
}

/** The value of a field, if the line has this field: `data: value`, `data:value` or `data`. */
function valueOf(field: string, text: string, start: number, end: number): string | undefined {
  if (!text.startsWith(field, start)) return undefined
  const colon = start + field.length
  if (colon === end) return ''
  return text[colon] === ':' ? text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1, end) : undefined
}

/** The text of an event with this data. */
export function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}
