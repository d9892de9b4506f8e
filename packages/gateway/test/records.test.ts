import { DragomanError } from '@dragoman/core'
import { chat, protocols } from '@dragoman/core/protocols'
import { perCount, usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createFetchHandler, timedId, type CallEnd, type Estimate, type RoutedCall, type Stage } from '../src/index.ts'
import { card, fakeProtocol } from './fake-protocol.ts'
import { fakeProvider, head, keptReply } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const WHOLE = '{"model":"acme/m"}'

/** A stage that keeps how calls end and what they were expected to use. */
function keeping(): Stage & { readonly ends: CallEnd[]; readonly seen: [string, Estimate][] } {
  const ends: CallEnd[] = []
  const seen: [string, Estimate][] = []
  return {
    ends,
    seen,
    beforeCall: (call: RoutedCall) => void seen.push([call.conversation(), call.estimate()]),
    onSettle: (_call, end) => void ends.push(end),
  }
}

describe('the record of a call', () => {
  it('is given to stages and to the ledger, and is the same', async () => {
    const stage = keeping()
    const { send, transport, ledger, clock } = setUp({ stages: [stage] })
    await send(WHOLE, '/red/gen', { ...KEY, 'session-id': 's1' })
    clock.advance(5)
    transport.last.head(200)
    transport.last.chunk('{"a": 1.0}')
    transport.last.end()
    expect(stage.ends).toHaveLength(1)
    expect(stage.ends[0]?.record).toBe(ledger.records[0])
    expect(ledger.records[0]).toMatchObject({
      requestId: 'req_id1',
      caller: 'tester',
      owner: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      conversation: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      asked: 'acme/m',
      model: 'acme/m',
      mode: 'relay',
      status: 200,
      attempts: 1,
      losses: [],
      ms: 5,
    })
  })

  it('is given to stages without a ledger', async () => {
    const stage = keeping()
    const { send, transport } = setUp({ stages: [stage], ledger: undefined })
    await send(WHOLE)
    transport.last.head(200)
    transport.last.chunk('{}')
    transport.last.end()
    expect(stage.ends[0]?.record).toMatchObject({ outcome: 'complete', conversation: '' })
  })

  it('does not exist if no upstream was called', async () => {
    const stage = keeping()
    const { send, ledger } = setUp({ stages: [stage] })
    await send('{"model":"acme/none"}')
    expect(stage.ends).toMatchObject([{ status: 404 }])
    expect(stage.ends[0]?.record).toBeUndefined()
    expect(ledger.records).toEqual([])
  })

  it('counts all attempts, and has the status of the answer', async () => {
    const stage = keeping()
    const providers = [fakeProvider('one', ['red'], [card('m')]), fakeProvider('two', ['red'], [card('m')])]
    const { send, transport } = setUp({ stages: [stage], providers, aliases: { pool: { routes: ['one/m', 'two/m'] } } })
    await send('{"model":"pool"}')
    transport.last.fail('refused')
    transport.last.head(400)
    transport.last.chunk('no')
    transport.last.end()
    expect(stage.ends[0]?.record).toMatchObject({
      attempts: 2,
      status: 400,
      asked: 'pool',
      model: 'two/m',
      outcome: 'failed',
    })
  })

  it('has the same conversation for a session of one key, and another for another session', async () => {
    const stage = keeping()
    const { send } = setUp({ stages: [stage] })
    for (const session of ['a', 'a', 'b']) await send(WHOLE, '/red/gen', { ...KEY, 'x-session-id': session })
    const [one, same, other] = stage.seen.map(([conversation]) => conversation)
    expect(same).toBe(one)
    expect(other).not.toBe(one)
  })

  it('has the codes of its losses, each once', async () => {
    const stage = keeping()
    const providers = [fakeProvider('acme', ['messages'], [card('m')])]
    const { send, transport } = setUp({ stages: [stage], providers, protocols })
    const body = { model: 'acme/m', messages: [{ role: 'user', content: 'a' }], seed: 1, logit_bias: { 5: 1 }, n: 1 }
    await send(JSON.stringify(body), '/api/v1/chat/completions')
    transport.last.fail('reset')
    const { record } = stage.ends[0] ?? {}
    expect(record).toMatchObject({ mode: 'translate', outcome: 'failed', status: 502 })
    expect(record?.losses).toContain('dropped-setting')
    expect(new Set(record?.losses).size).toBe(record?.losses.length)
  })
})

describe('the estimate of a call', () => {
  const prices = usd({ prompt: 1, completion: 10 })
  const estimates = async (
    body: object,
    path = '/api/v1/chat/completions',
    more = {},
  ): Promise<readonly Estimate[]> => {
    const stage = keeping()
    const providers = [fakeProvider('acme', ['chat'], [card('m', { prices, ...more })])]
    const { send, transport } = setUp({ stages: [stage], providers, protocols: [chat] })
    await send(JSON.stringify({ model: 'acme/m', ...body }), path)
    expect(transport.calls).toHaveLength(1)
    return stage.seen.map(([, estimate]) => estimate)
  }
  const messages = [{ role: 'user', content: 'word '.repeat(800) }]

  it('has the size of the prompt and the limit of the answer, at the prices of the route', async () => {
    const [limited, open] = [
      await estimates({ messages, max_tokens: 100 }),
      await estimates({ messages, max_tokens: 99_999 }),
    ]
    const tokens = limited[0]?.tokens ?? 0
    expect(tokens).toBeGreaterThan(1100)
    expect(tokens).toBeLessThan(1130)
    // 1,000 nano-dollars for a token of the prompt, 10,000 for one of the answer.
    expect(limited[0]?.nanos).toBe((tokens - 100) * 1000 + 100 * 10_000)
    // Few answers have more than a thousand tokens, whatever their limit is.
    expect((open[0]?.nanos ?? 0) - (limited[0]?.nanos ?? 0)).toBe(900 * 10_000)
  })

  it('is 0 without prices', async () => {
    expect(await estimates({ messages }, undefined, { prices: undefined })).toMatchObject([{ nanos: 0 }])
  })

  it('counts images, and the tokens of images without a price for each', async () => {
    const body = { prompt: 'a cat', n: 3 }
    const path = '/api/v1/images/generations'
    const image = { most: 10 }
    const output = ['image']
    const each = usd({ image: perCount(0.04) })
    expect(await estimates(body, path, { prices: each, image, output })).toMatchObject([{ nanos: 120_000_000 }])
    const tokens = usd({ prompt: 5, image: 32 })
    const prompt = 2 * 5000
    expect(await estimates(body, path, { prices: tokens, image, output })).toMatchObject([
      { nanos: 3 * 1056 * 32_000 + prompt },
    ])
    const fine = { ...image, takes: ['quality'], words: { quality: ['low', 'high'] } } as const
    expect(await estimates({ ...body, quality: 'high' }, path, { prices: tokens, image: fine, output })).toMatchObject([
      { nanos: 3 * 6240 * 32_000 + prompt },
    ])
    const long = { ...body, prompt: 'a cat and a dog '.repeat(2000) }
    expect(await estimates(long, path, { prices: tokens, image, output })).toMatchObject([
      { nanos: 3 * 1056 * 32_000 + 8000 * 5000 },
    ])
  })

  it('has only the input of embeddings', async () => {
    const [estimate] = await estimates({ input: 'word '.repeat(800) }, '/api/v1/embeddings', { embedding: {} })
    expect(estimate?.nanos).toBe((estimate?.tokens ?? 0) * 1000)
    expect(estimate?.tokens).toBeGreaterThan(1000)
  })
})

describe('limits of a stage', () => {
  it('are in the headers of the protocol, also in those of a refusal, with the time to wait', async () => {
    const requests = { limit: 10, remaining: 0, resetMs: 1500 }
    const stage: Stage = {
      afterAdmission(call) {
        call.addRateLimits({ requests })
        throw new DragomanError('rate-limit', 'Too many.', { retryAfter: 1.5 })
      },
    }
    const limited = { ...fakeProtocol('red', '/red') }
    const http = { ...limited.http, rateLimits: () => ({ 'x-left': '0' }) }
    const { send } = setUp({ stages: [stage], protocols: [{ ...limited, http }] })
    const reply = await send(WHOLE)
    expect(reply.status).toBe(429)
    expect(reply.headers).toMatchObject({ 'x-left': '0', 'retry-after': '2', 'retry-after-ms': '1500' })
  })

  it('are in no header of a protocol that has none', async () => {
    const stage: Stage = { afterAdmission: (call) => call.addRateLimits({}) }
    const { send, transport } = setUp({ stages: [stage] })
    const reply = await send(WHOLE)
    transport.last.head(200)
    transport.last.chunk('{}')
    transport.last.end()
    expect(reply.status).toBe(200)
  })
})

describe('keys', () => {
  it('of which one is found at once are not delayed by a wrong one before it', async () => {
    const never = new Promise<undefined>(() => undefined)
    const keys = { find: (secret: string) => (secret === 'right' ? { id: 'a' } : never) }
    const headers = { ...KEY, authorization: 'Bearer placeholder', 'x-api-key': 'right' }
    expect(await setUp({ keys }).gateway.open(head('POST', '/red/gen', headers), keptReply())).toBeDefined()
  })

  it('are asked with the address, and may delay the refusal of a wrong one or refuse otherwise', async () => {
    const asked: unknown[] = []
    const keys = {
      find: (secret: string, address?: string) => void asked.push([secret, address]),
      onWrong(address: string | undefined) {
        asked.push(address)
        throw new DragomanError('rate-limit', 'Too many wrong keys.', { retryAfter: 5 })
      },
    }
    const { gateway } = setUp({ keys })
    const request = new Request('http://gateway.test/red/gen', { method: 'POST', headers: KEY, body: WHOLE })
    const response = await createFetchHandler(gateway, { addressOf: () => '192.0.2.1' })(request)
    expect(response.status).toBe(429)
    expect(asked).toEqual([['secret', '192.0.2.1'], '192.0.2.1'])
  })

  it('that are not for models are refused', async () => {
    const keys = { find: () => ({ id: 'admin', admin: true, inference: false }) }
    const { send, transport } = setUp({ keys })
    expect(await send(WHOLE)).toMatchObject({ status: 403 })
    expect(transport.calls).toEqual([])
  })

  it('with providers see and use only the models of these', async () => {
    const providers = ['one', 'two'].map((name) => fakeProvider(name, ['red'], [card('m')]))
    const keys = { find: () => ({ id: 'a', providers: ['two'] }) }
    const { send, transport, gateway } = setUp({ keys, providers, aliases: { pool: { routes: ['one/m', 'two/m'] } } })
    const list = keptReply()
    await gateway.open(head('GET', '/red/models', KEY), list)
    expect(JSON.parse(list.text)).toEqual({ list: ['two/m', 'pool'] })
    expect(await send('{"model":"one/m"}')).toMatchObject({ status: 403 })
    await send('{"model":"pool"}')
    expect(transport.calls.map(({ call }) => new URL(call.url).host)).toEqual([expect.stringContaining('two')])
  })
})

describe('ids of calls', () => {
  it('are in the order of time, and are not alike', () => {
    const ids = [1, 2, Date.UTC(2026, 0, 1), Date.UTC(2900, 0, 1)].map(timedId)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
    expect(new Set(Array.from({ length: 1000 }, () => timedId(1))).size).toBe(1000)
  })

  it('begin with the time of the call', async () => {
    const { send, clock } = setUp({ ids: undefined })
    const { headers } = await send('{}')
    expect(headers['x-request-id']?.slice(4, 16)).toBe(clock.now().toString(16).padStart(12, '0'))
  })
})
