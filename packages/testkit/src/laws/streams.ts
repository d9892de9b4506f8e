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
