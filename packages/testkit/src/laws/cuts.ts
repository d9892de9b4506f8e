import { translateStream, type JsonObject, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { bytesOf, cutBytes, cutsApart } from './streams.ts'

/**
 * Splits, for a given stream: every client reads the same response, usage and error, and the relay forwards the same bytes,
 * with a cut at any position, and when every byte arrives alone.
 */
export function mustReadSameAtAnyCut(protocol: Protocol, text: string, dialect?: JsonObject): void {
  const bytes = bytesOf(text)
  const lists = cutsApart(bytes)
  const readers = [
    (cuts: readonly number[]) => relayed(protocol, cutBytes(bytes, cuts)),
    ...protocols.map(
      (client) => (cuts: readonly number[]) => translated(protocol, client, cutBytes(bytes, cuts), dialect),
    ),
  ]
  for (const [index, read] of readers.entries()) {
    const expected = read([])
    // Each client tests a share of the positions, and then all at once: clients differ only after the bytes are read.
    const share = index === 0 ? lists : lists.filter((_, first) => first % protocols.length === index - 1)
    for (const cuts of [...share, [...bytes.keys()]]) {
      const actual = read(cuts)
      if (actual !== expected) throw new Error(`cut at ${cuts.join(', ')}\n got      ${actual}\n expected ${expected}`)
    }
  }
}

function translated(from: Protocol, to: Protocol, chunks: readonly Uint8Array[], dialect?: JsonObject): string {
  let written = ''
  let ids = 0
  const options = { id: () => `new_${++ids}`, now: 1_700_000_000, dialect }
  const stream = translateStream(to, from, (text) => (written += text), options)
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  return JSON.stringify([written, stream.usage, stream.losses, stream.failed?.kind, stream.failed?.message])
}

const NOTHING = new Uint8Array()

function relayed(protocol: Protocol, chunks: readonly Uint8Array[]): string {
  const tap = protocol.relay.tap({ stream: true, model: 'asked/model' })
  const passed = chunks.map((chunk) => tap.push(chunk) ?? NOTHING)
  const { usage, complete, rest = NOTHING } = tap.end()
  return JSON.stringify([Buffer.concat([...passed, rest]).toString(), usage, complete, tap.failed?.message])
}
