import { join } from 'node:path'
import { createFold, createSseReader, translate, type Protocol, type ModelResponse } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { typicalResponse, typicalStream } from '../corpus/answers.ts'
import { imageRequest, longRequest, shortTurnsRequest, typicalRequest } from '../corpus/requests.ts'
import { clientRequest, wireFrames, wireResponse } from '../corpus/wire.ts'
import { measure } from '../measure.ts'
import { loadConverters, type Converters } from './before.ts'
import { ask, streamThrough } from './cases.ts'
import { arePassesCertain, joinPasses } from './join.ts'
import { measureConverters } from './pass.ts'
import { describeCertainty, summarize } from './summary.ts'

const SMALL = { imageBytes: 1024, shortTurns: 4, tokens: 20 }
const PAIRS = protocols.flatMap((client) =>
  protocols.filter((upstream) => upstream !== client).map((upstream) => ({ client, upstream })),
)

describe('the converters benchmark', () => {
  const QUICK = { rounds: 3, batchMs: 0.1, warmUp: { windowMs: 1, least: 1, most: 1 } }

  it('gives a figure for every conversion of every pair', () => {
    const results = measureConverters(QUICK, { seed: 5, sizes: SMALL })
    expect(results).toHaveLength(PAIRS.length * 10)
    for (const { ratio, micros, floorMicros } of results) {
      expect(ratio).toBeGreaterThan(0)
      expect(Number.isFinite(ratio) && Number.isFinite(micros) && Number.isFinite(floorMicros)).toBe(true)
    }
  })

  it('compares each conversion with that of other converters in the same rounds', async () => {
    const { translate: loaded, protocols: theirs } = await loadConverters(join(import.meta.dirname, '../../..'))
    let calls = 0
    const before: Converters = {
      protocols: theirs,
      translate(...values) {
        calls++
        return loaded(...values)
      },
    }
    const results = measureConverters(QUICK, { seed: 5, sizes: SMALL, only: 'chat → genai', before })
    expect(results).toHaveLength(10)
    for (const { before: compared } of results) expect(compared?.ratio).toBeGreaterThan(0)
    expect(calls).toBeGreaterThan(10 * QUICK.rounds)
  })

  const pass = (ratio: number, micros: number) => [
    { pair: 'chat → genai', name: 'response' as const, bytes: 10, floorMicros: 1, micros, ratio, uncertainty: 0.03 },
    {
      pair: 'chat → genai',
      name: 'stream' as const,
      bytes: 20,
      floorMicros: 1,
      micros,
      ratio: ratio * 2,
      uncertainty: 0.03,
    },
  ]

  it('takes the median of several processes, row by row, with how far they differ', () => {
    const joined = joinPasses([pass(1, 30), pass(9, 10), pass(2, 20)])
    expect(joined.map(({ ratio, micros }) => [ratio, micros])).toEqual([
      [2, 20],
      [4, 20],
    ])
    expect(joined[0]?.uncertainty).toBeGreaterThan(1)
    expect(joinPasses([pass(2, 1), pass(2, 1), pass(2, 1)])[0]?.uncertainty).toBe(0)
    // Too few to compare: the rounds of each, and what processes usually differ by.
    expect(joinPasses([pass(2, 1)])[0]?.uncertainty).toBeCloseTo(Math.hypot(0.03, 0.05))
  })

  it('needs at least three processes, and more while they differ', () => {
    expect(arePassesCertain([pass(1, 1), pass(1, 1)])).toBe(false)
    expect(arePassesCertain([pass(1, 1), pass(1, 1), pass(1.01, 1)])).toBe(true)
    expect(arePassesCertain([pass(1, 1), pass(1.2, 1), pass(1.1, 1)])).toBe(false)
  })

  it('measures a request that no other run has, and the same one for the same seed', () => {
    expect(typicalRequest(7)).toEqual(typicalRequest(7))
    expect(typicalRequest(7).tools).not.toEqual(typicalRequest(8).tools)
    expect(typicalRequest(7).messages).not.toEqual(typicalRequest(8).messages)
  })

  it.each(protocols)('measures typical requests of 7.6 KB with ten tools and twenty turns: $name', (protocol) => {
    for (const seed of [1, 7, 8, 999_999]) {
      const { tools, messages } = typicalRequest(seed)
      expect(tools).toHaveLength(10)
      expect(messages.filter(({ role }) => role !== 'system')).toHaveLength(20)
      const { length } = JSON.stringify(clientRequest(protocol, typicalRequest(seed)))
      expect(length / 1024).toBeGreaterThan(7)
      expect(length / 1024).toBeLessThan(8.5)
    }
  })

  it('measures functions of genai as its clients declare them: in the OpenAPI subset', () => {
    const client = protocols.find(({ name }) => name === 'genai')
    const text = client === undefined ? '' : JSON.stringify(clientRequest(client, typicalRequest()))
    expect(text).toContain('"parameters":{"type":"OBJECT"')
    expect(text).not.toContain('parametersJsonSchema')
  })

  it('summarizes a row for every figure, a column for every pair', () => {
    const row = (pair: string, ratio: number) => ({ pair, name: 'response' as const, ratio })
    const text = summarize([row('chat → genai', 1.234), row('genai → chat', 2)])
    expect(text).toContain(
      '| converter, × floor | must | aim | chat → genai | genai → chat |\n| --- | --: | --: | --: | --: |',
    )
    expect(text).toContain('| response | 1.5 | 1.25 | 1.23 | 2.00 |')
  })

  it('says how certain the rows are, and what all of them take of before', () => {
    const rows = [0.02, 0.04, 0.3].map((uncertainty) => ({ uncertainty }))
    expect(describeCertainty(rows)).toBe('Half of the rows are within ±4 %, all within ±30 %.')
    const compared = [0.9, 1.02, 1.5].map((ratio) => ({ uncertainty: 0.01, before: { ratio, uncertainty: 0.1 } }))
    expect(describeCertainty(compared)).toContain('All conversions together: 1.02 of before.')
  })

  it('warms up all works in turn until they are stable, or until the limit', () => {
    const calls: string[] = []
    const work = (name: string) => () => void (calls.at(-1) !== name && calls.push(name))
    measure([work('floor'), work('ours')], { rounds: 0, batchMs: 1, warmUp: { windowMs: 1, least: 3, most: 3 } })
    expect(calls).toEqual(['floor', 'ours', 'floor', 'ours', 'floor', 'ours'])
  })

  it.each(PAIRS)('measures complete requests: $client.name to $upstream.name', ({ client, upstream }) => {
    for (const request of [
      typicalRequest(),
      typicalRequest(9),
      longRequest(),
      imageRequest(1024),
      shortTurnsRequest(6),
    ]) {
      const body = client.request.check(clientRequest(client, request))
      const { body: crossed } = translate(client, upstream, body, { model: 'bench-model' })
      expect(() => upstream.request.check(crossed)).not.toThrow()
      const { messages } = upstream.request.decode(crossed, { issuer: upstream.issuer })
      expect(textsOf(messages.flatMap(({ parts }) => parts))).toEqual(
        textsOf(request.messages.flatMap(({ parts }) => parts)),
      )
    }
  })

  it.each(PAIRS)('measures complete responses: $client.name to $upstream.name', ({ client, upstream }) => {
    const meant = typicalResponse(upstream.issuer)
    const { body } = ask(client, upstream).response(wireResponse(upstream, meant))
    const read = client.response.decode(body, { issuer: client.issuer })
    expect(partsOf(read)).toEqual(partsOf(meant))
    expect(read.usage).toMatchObject({ input: 2140, output: 412 })
  })

  it.each(PAIRS)('measures complete streams: $client.name to $upstream.name', ({ client, upstream }) => {
    const events = typicalStream(upstream.issuer, 40)
    const encoder = new TextEncoder()
    const chunks = wireFrames(upstream, events).map((frame) => encoder.encode(frame))
    const meant = createFold()
    for (const event of events) meant.push(event)
    const out = encoder.encode(streamThrough(ask(client, upstream), chunks))
    expect(partsOf(foldWire(client, out))).toEqual(partsOf(meant.response()))
  })
})

function foldWire(protocol: Protocol, bytes: Uint8Array): ModelResponse {
  const fold = createFold()
  const decoder = protocol.stream.decode((event) => fold.push(event), { issuer: protocol.issuer })
  const reader = createSseReader((data) => decoder.push(data))
  reader.push(bytes)
  reader.end()
  decoder.end()
  return fold.response()
}

/** The content, without ids and signatures, which each protocol has in its own form. */
function partsOf({ candidates }: ModelResponse): unknown[] {
  return candidates.flatMap(({ parts }) =>
    parts.map((part) => {
      if (part.type !== 'tool-call') return [part.type, 'text' in part ? part.text : undefined]
      const { name, arguments: given } = part
      return [part.type, name, typeof given === 'string' ? (JSON.parse(given) as unknown) : given]
    }),
  )
}

function textsOf(parts: readonly { readonly type: string }[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && 'text' in part ? [String(part.text)] : []))
}
