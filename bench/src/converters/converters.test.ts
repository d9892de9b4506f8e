import { createFold, createSseReader, translate, type Protocol, type ModelResponse } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { typicalResponse, typicalStream } from '../corpus/answers.ts'
import { imageRequest, shortTurnsRequest, typicalRequest } from '../corpus/requests.ts'
import { wireFrames, wireRequest, wireResponse } from '../corpus/wire.ts'
import { measure } from '../measure.ts'
import { ask, streamThrough } from './cases.ts'
import { measureConverters, middleOf } from './run.ts'
import { summarize } from './summary.ts'

const SMALL = { turns: 4, imageBytes: 1024, shortTurns: 4, tokens: 20 }
const PAIRS = protocols.flatMap((client) =>
  protocols.filter((upstream) => upstream !== client).map((upstream) => ({ client, upstream })),
)

describe('the converters benchmark', () => {
  it('gives a figure for every conversion of every pair', () => {
    const results = measureConverters({ rounds: 2, batchMs: 0.1, warmUp: { windowMs: 1, least: 1, most: 1 } }, SMALL)
    expect(results).toHaveLength(PAIRS.length * 8)
    for (const { ratio, micros, floorMicros } of results) {
      expect(ratio).toBeGreaterThan(0)
      expect(Number.isFinite(ratio) && Number.isFinite(micros) && Number.isFinite(floorMicros)).toBe(true)
    }
  })

  it('takes the median of several processes, row by row', () => {
    const pass = (ratio: number, micros: number) => [
      { pair: 'chat → genai', name: 'response' as const, bytes: 10, floorMicros: 1, micros, ratio },
      { pair: 'chat → genai', name: 'stream' as const, bytes: 20, floorMicros: 1, micros, ratio: ratio * 2 },
    ]
    expect(middleOf([pass(1, 30), pass(9, 10), pass(2, 20)])).toEqual(pass(2, 20))
  })

  it('summarizes a row for every figure, a column for every pair', () => {
    const row = (pair: string, ratio: number) => ({ pair, name: 'response' as const, ratio })
    const text = summarize([row('chat → genai', 1.234), row('genai → chat', 2)])
    expect(text).toContain(
      '| converter, × floor | must | aim | chat → genai | genai → chat |\n| --- | --: | --: | --: | --: |',
    )
    expect(text).toContain('| response | 1.5 | 1.25 | 1.23 | 2.00 |')
  })

  it('warms up all works in turn until they are stable, or until the limit', () => {
    const calls: string[] = []
    const work = (name: string) => () => void (calls.at(-1) !== name && calls.push(name))
    measure([work('floor'), work('ours')], { rounds: 0, batchMs: 1, warmUp: { windowMs: 1, least: 3, most: 3 } })
    expect(calls).toEqual(['floor', 'ours', 'floor', 'ours', 'floor', 'ours'])
  })

  it.each(PAIRS)('measures complete requests: $client.name to $upstream.name', ({ client, upstream }) => {
    for (const request of [typicalRequest(), imageRequest(1024), shortTurnsRequest(6)]) {
      const body = client.request.check(wireRequest(client, request))
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
