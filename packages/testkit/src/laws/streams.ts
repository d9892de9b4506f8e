import {
  createSseReader,
  type EncodeContext,
  type DecodeContext,
  type Protocol,
  type StreamEvent,
} from '@dragoman/core'

const utf8 = new TextEncoder()

export function bytesOf(text: string): Uint8Array {
  return utf8.encode(text)
}

/** Cuts bytes at the given positions. */
export function cutBytes(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const edges = [
    0,
    ...[...new Set(positions)].filter((at) => at > 0 && at < bytes.length).sort((a, b) => a - b),
    bytes.length,
  ]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

/**
 * Every position, in as few lists as possible. Cuts of one list are never in the same event, so each event is read as it is with one cut,
 * in as many runs as the longest event has bytes instead of the whole stream.
 */
export function cutsApart(bytes: Uint8Array): number[][] {
  const events = new TextDecoder().decode(bytes).split(/(?<=\n\r?\n)/)
  const apart = Math.max(...events.map((event) => bytesOf(event).length))
  return Array.from({ length: apart }, (_, first) =>
    Array.from({ length: Math.ceil((bytes.length - first) / apart) }, (_, index) => first + index * apart),
  )
}

/** Decodes a stream from bytes to events, chunk by chunk. */
export function decodeStream(protocol: Protocol, chunks: Iterable<Uint8Array>, context: DecodeContext): StreamEvent[] {
  const events: StreamEvent[] = []
  const machine = protocol.stream.decode((event) => events.push(event), context)
  const reader = createSseReader((data) => machine.push(data))
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  machine.end()
  return events
}

/** Encodes events to wire text. */
export function encodeStream(protocol: Protocol, events: Iterable<StreamEvent>, context: EncodeContext): string {
  let text = ''
  const machine = protocol.stream.encode((piece) => {
    text += piece
  }, context)
  for (const event of events) machine.push(event)
  machine.end()
  return text
}
