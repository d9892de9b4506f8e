import { createParser } from 'eventsource-parser'
import type { Work } from '../measure.ts'

/** The minimum for any converter: parse the input body, and write the output body. */
export function jsonFloor(text: string, result: unknown): Work {
  return () => {
    JSON.parse(text)
    return JSON.stringify(result)
  }
}

/** The same for a stream: find, parse, write and frame every event. */
export function streamFloor(chunks: readonly Uint8Array[]): Work {
  return () => {
    let out = ''
    const decoder = new TextDecoder()
    const parser = createParser({
      onEvent({ event, data }) {
        const text = data === '[DONE]' ? data : JSON.stringify(JSON.parse(data))
        out += event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`
      },
    })
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
    return out.length
  }
}
