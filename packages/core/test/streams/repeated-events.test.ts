import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLosses } from '../../src/ir/loss.ts'
import type { Part } from '../../src/ir/part.ts'
import type { StreamEvent } from '../../src/ir/stream.ts'
import { parseJson } from '../../src/lib/json.ts'
import { genai } from '../../src/protocols/genai/index.ts'
import { protocols } from '../../src/protocols/index.ts'
import type { Codec } from '../../src/protocols/protocol.ts'

const piece = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\n', 'text', 'delta', '{"a":1}', ' — ', ' the', ' end'))
const shell = fc.constantFrom<Part>(
  { type: 'text', text: '' },
  { type: 'text', text: '' },
  { type: 'reasoning', text: '' },
  { type: 'tool-call', id: 'call_1', name: 'look', arguments: '', by: 'client' },
)
const block = fc
  .tuple(shell, fc.array(piece, { maxLength: 6 }))
  .map(([part, texts]): StreamEvent[] => [
    { type: 'block-start', part },
    ...texts.map((text): StreamEvent => ({ type: 'block-delta', text })),
    { type: 'block-end' },
  ])
const usage = { input: 4, output: 2 }
const events = fc
  .array(block, { maxLength: 4 })
  .map((blocks): StreamEvent[] => [
    { type: 'start', response: { id: 'id_1', model: 'm', created: 1 }, usage },
    ...blocks.flat(),
    { type: 'end', candidate: { finish: { reason: 'stop' } }, usage },
  ])

/** The data of the events that this protocol writes. */
function dataOf({ stream, issuer }: Codec, given: readonly StreamEvent[]): string[] {
  let out = ''
  const losses = createLosses()
  const context = { issuer, losses, toward: 'client' as const, id: () => 'made', now: 1, asked: { usage: true } }
  const encoder = stream.encode((text) => (out += text), context)
  for (const event of given) encoder.push(event)
  encoder.end()
  return [...out.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)
}

function read({ stream, issuer }: Codec, data: readonly string[]): StreamEvent[] {
  const found: StreamEvent[] = []
  const decoder = stream.decode((event) => void found.push(event), { issuer })
  for (const each of data) decoder.push(each)
  decoder.end()
  return found
}

/** The same events with other white space in each than in the one before it. */
function spaced(data: readonly string[]): string[] {
  return data.map((each, index) => {
    const value = parseJson(each)
    return value === undefined ? each : JSON.stringify(value, undefined, 1 + (index % 2))
  })
}

// Decoders recognize an event that repeats the one before it, and parse only its text.
describe.each(protocols)('a stream of $name', (codec) => {
  it('is read alike, whether its events repeat each other to the letter or not', () => {
    fc.assert(
      fc.property(events, (given) => {
        const data = dataOf(codec, given)
        expect(read(codec, data)).toEqual(read(codec, spaced(data)))
      }),
    )
  })

  it('is read alike also if its events come in a wrong order, or twice', () => {
    fc.assert(
      fc.property(events, fc.array(fc.nat(40), { maxLength: 12 }), (given, positions) => {
        const data = dataOf(codec, given)
        const mixed = [...positions.flatMap((position) => data[position] ?? []), ...data]
        expect(read(codec, mixed)).toEqual(read(codec, spaced(mixed)))
      }),
    )
  })
})

it('a chunk of genai that says more than its text is read each time', () => {
  const chunk = (text: string) =>
    JSON.stringify({ candidates: [{ index: 0, content: { parts: [{ text }] }, avgLogprobs: -0.5 }] })
  const found = read(genai, ['a', 'b', 'c'].map(chunk))
  expect(found.filter(({ type }) => type === 'logprobs')).toHaveLength(3)
})

it('counts in chunks of genai are read each time', () => {
  const chunk = (text: string) =>
    JSON.stringify({
      candidates: [{ index: 0, content: { parts: [{ text }] } }],
      usageMetadata: { promptTokenCount: 1 },
    })
  let reports = 0
  const decoder = genai.stream.decode(() => {}, { issuer: genai.issuer, counted: () => reports++ })
  for (const text of ['a', 'b', 'c', 'd']) decoder.push(chunk(text))
  expect(reports).toBe(4)
})
