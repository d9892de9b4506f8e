import type { Emit, JsonObject, Machine } from '@dragoman/core'
import type { Delivery } from './deliver.ts'
import { JSON_TYPE } from './refusal.ts'

/** How fast a response is, and whether it breaks. */
export type Pace = Pick<Delivery, 'waitMs' | 'delayMs' | 'cut'>

/** A whole response, in two chunks, so that it can break between them. */
export function deliverWhole(body: JsonObject, pace: Pace): Delivery {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const half = Math.ceil(bytes.length / 2)
  return { status: 200, headers: JSON_TYPE, chunks: [bytes.slice(0, half), bytes.slice(half)], ...pace }
}

/** A streamed response: the text of each event is one chunk. */
export function deliverStream<Event>(
  encode: (write: Emit<string>) => Machine<Event>,
  events: Iterable<Event>,
  type: string,
  pace: Pace,
): Delivery {
  const chunks: Uint8Array[] = []
  const encoder = new TextEncoder()
  let text = ''
  const machine = encode((piece) => (text += piece))
  const flush = (): void => {
    if (text !== '') chunks.push(encoder.encode(text))
    text = ''
  }
  for (const event of events) {
    machine.push(event)
    flush()
  }
  machine.end()
  flush()
  return { status: 200, headers: { 'content-type': type }, chunks, ...pace }
}
