import { protocols, translateStream, type JsonObject, type Protocol } from '@dragoman/core'
import { bytesOf, cutBytes } from './streams.ts'

/**
 * Splits, for a stream that is given byte for byte: every client reads the same answer, usage and error, and the relay hands on
 * the same bytes, wherever it is cut once, and when it comes byte by byte.
 */
export function mustReadAlike(protocol: Protocol, text: string, dialect?: JsonObject): void {
  const bytes = bytesOf(text)
  const everywhere = Array.from(bytes.keys())
  const ways = [
    (cuts: readonly number[]) => relayed(protocol, cutBytes(bytes, cuts)),
    ...protocols.map(
      (client) => (cuts: readonly number[]) => translated(protocol, client, cutBytes(bytes, cuts), dialect),
    ),
  ]
  for (const [index, way] of ways.entries()) {
    const expected = way([])
    // Each client has its share of the places, and all of them at once: what differs between them is behind the bytes.
    const share = index === 0 ? everywhere : everywhere.filter((at) => at % protocols.length === index - 1)
    for (const cuts of [...share.map((at) => [at]), everywhere]) {
      const said = way(cuts)
      if (said !== expected) throw new Error(`cut at ${cuts.join(', ')}\n got      ${said}\n expected ${expected}`)
    }
  }
}

function translated(from: Protocol, to: Protocol, chunks: readonly Uint8Array[], dialect?: JsonObject): string {
  let written = ''
  let ids = 0
  const options = { id: () => `new_${++ids}`, now: 1_700_000_000, dialect }
  const stream = translateStream(from, to, (text) => (written += text), options)
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  return JSON.stringify([written, stream.usage, stream.losses, stream.failed?.kind, stream.failed?.message])
}

function relayed(protocol: Protocol, chunks: readonly Uint8Array[]): string {
  const tap = protocol.relay.tap({ stream: true })
  const passed = chunks.flatMap((chunk) => [...(tap.push(chunk) ?? [])])
  const { usage, complete, rest = [] } = tap.end()
  const text = new TextDecoder().decode(Uint8Array.from([...passed, ...rest]))
  return JSON.stringify([text, usage, complete, tap.failed?.message])
}
