import { translateStream, type Protocol } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { expect, it } from 'vitest'
import { BODIES_OF } from './bodies/bodies-of.ts'

const utf8 = new TextEncoder()

// Streams with every feature of a protocol, cut at every byte: inside characters, between CR and LF, inside a byte order mark.
it.each(protocols)(
  'a stream of $name gives the same response with a cut at any position',
  (protocol) => {
    const data = (BODIES_OF[protocol.name]?.events ?? []).map((event) => JSON.stringify(event))
    const frames = [...data, ...(protocol.name === 'chat' ? ['[DONE]'] : [])].map((each) => `data: ${each}\r\n\r\n`)
    const bytes = utf8.encode(`\ufeff: a comment\r\n\r\n${frames.join('')}`)
    const expected = protocols.map((to) => read(protocol, to, [bytes]))
    for (const [index, to] of protocols.entries()) {
      expect(
        read(
          protocol,
          to,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toBe(expected[index])
    }
    // Cuts of one run are never in the same event, so each event is read as it is with one cut.
    const apart = Math.max(...frames.map((frame) => utf8.encode(frame).length))
    for (let first = 1; first <= apart; first++) {
      const index = first % protocols.length
      const to = protocols[index] ?? protocol
      const found = read(protocol, to, [...chunksOf(bytes, first, apart)])
      if (found !== expected[index])
        throw new Error(`cut at ${first} and every ${apart}, for a ${to.name} client\n${found}\n${expected[index]}`)
    }
  },
  60_000,
)

function* chunksOf(bytes: Uint8Array, first: number, apart: number): Generator<Uint8Array> {
  yield bytes.subarray(0, first)
  for (let at = first; at < bytes.length; at += apart) yield bytes.subarray(at, at + apart)
}

function read(from: Protocol, to: Protocol, chunks: readonly Uint8Array[]): string {
  let written = ''
  let ids = 0
  const stream = translateStream(to, from, (text) => (written += text), { id: () => `new_${++ids}`, now: 0 })
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  expect(stream.failed).toBe(undefined)
  return JSON.stringify([written, stream.usage, stream.losses])
}
