import { protocols } from '@dragoman/core/protocols'
import { usd, type Failure } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions, UsageRecord } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, scriptedTransport, type ScriptedCall, type ScriptedTransport } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

/** Nano-dollars of one token. */
const PRICE = { input: 1000, output: 10_000 }
const prices = usd({ prompt: 1, completion: 10 })
const priced = [card('m', { prices })]
const CHAT = '/api/v1/chat/completions'
const ASKED = { model: 'first/m', messages: [{ role: 'user', content: 'Why is the sky blue?' }] }
const USAGE = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 }
const REPORTED = 300 * PRICE.input + 20 * PRICE.output
const MESSAGE = { index: 0, message: { role: 'assistant', content: 'Because.' }, finish_reason: 'stop' }
const WHOLE = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [MESSAGE] }
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`

function serve(options: Partial<GatewayOptions> = {}) {
  const providers = [fakeProvider('first', ['chat'], priced), fakeProvider('second', ['chat'], priced)]
  const world = setUp({ protocols, providers, ...options })
  const ask = (more: object = {}) => world.send(JSON.stringify({ ...ASKED, ...more }), CHAT)
  return { ...world, ask }
}

function answer(call: ScriptedCall, body: object, status = 200): void {
  call.head(status)
  call.chunk(JSON.stringify(body))
  call.end()
}

/** The prompt has about ten tokens, with the names of its members. */
function expectEstimate(record: UsageRecord | undefined, output = 0): void {
  expect(record?.usage).toMatchObject({ output, estimated: true })
  const { input = 0 } = record?.usage ?? {}
  expect(input >= 6 && input <= 30).toBe(true)
  expect(record?.cost).toMatchObject({ total: input * PRICE.input + output * PRICE.output, estimated: true })
}

describe('a call that its upstream has not received costs nothing', () => {
  it.each<[Failure['kind'], Partial<Failure>]>([
    ['refused', {}],
    ['dns', {}],
    ['tls', {}],
    ['reset', { stale: true }],
  ])('because of %s %o', async (kind, more) => {
    const { ask, transport, ledger } = serve()
    await ask()
    transport.last.fail(kind, more)
    if (more.stale === true) transport.last.fail(kind, more)
    expect(ledger.records).toMatchObject([{ outcome: 'failed', usage: undefined, cost: undefined }])
  })

  it.each(['timeout', 'cancelled'] as const)('because of %s before the connection stands', async (kind) => {
    const transport = unsent(scriptedTransport())
    const { ask, ledger } = serve({ transport })
    await ask()
    transport.last.fail(kind)
    expect(ledger.records).toMatchObject([{ outcome: 'failed', usage: undefined, cost: undefined }])
  })

  it('because the caller left before the connection stands', async () => {
    const transport = unsent(scriptedTransport())
    const { ask, ledger } = serve({ transport })
    const reply = await ask()
    reply.onGone?.()
    expect(ledger.records).toMatchObject([{ outcome: 'aborted', usage: undefined, cost: undefined }])
  })

  it.each([400, 429, 500, 503])('or has refused with %i', async (status) => {
    const { ask, transport, ledger } = serve()
    await ask()
    answer(transport.last, { error: { message: 'No.' } }, status)
    expect(ledger.records).toMatchObject([{ outcome: 'failed', usage: undefined, cost: undefined }])
  })

  it('or has refused inside a stream, before any output', async () => {
    const { ask, transport, ledger } = serve()
    await ask({ stream: true })
    transport.last.head(200, SSE)
    transport.last.chunk('data: {"error":{"message":"No.","type":"rate_limit_error"}}\n\n')
    expect(ledger.records).toMatchObject([{ outcome: 'failed', usage: undefined, cost: undefined }])
  })
})

describe('a call that its upstream has received is charged', () => {
  it.each(['reset', 'timeout'] as const)('its prompt, if the answer does not begin (%s)', async (kind) => {
    const { ask, transport, ledger } = serve()
    await ask()
    transport.last.fail(kind)
    expectEstimate(ledger.records[0])
    expect(ledger.records).toHaveLength(1)
  })

  it('for what has arrived, if a whole answer breaks off in the middle', async () => {
    const { ask, transport, ledger } = serve()
    await ask()
    transport.last.head(200)
    transport.last.chunk(JSON.stringify({ ...WHOLE, usage: USAGE }).slice(0, 80))
    transport.last.fail('reset')
    expect(ledger.records).toMatchObject([{ outcome: 'failed' }])
    expectEstimate(ledger.records[0], 20)
  })

  it('if a whole answer cannot be read', async () => {
    const { ask, transport, ledger } = serve()
    await ask()
    transport.last.head(200)
    transport.last.chunk('<html></html>')
    transport.last.end()
    expectEstimate(ledger.records[0], 4)
  })

  it('by its usage, if an error tells it', async () => {
    const { ask, transport, ledger } = serve()
    await ask()
    answer(transport.last, { error: { message: 'No.' }, usage: USAGE }, 500)
    expect(ledger.records).toMatchObject([{ outcome: 'failed', usage: { input: 300 }, cost: { total: REPORTED } }])
  })

  it('its prompt, if a stream ends before its first event', async () => {
    const { ask, transport, ledger } = serve()
    await ask({ stream: true })
    transport.last.head(200, SSE)
    transport.last.end()
    expectEstimate(ledger.records[0])
  })
})

describe('an attempt before the one that answers', () => {
  const BOTH = { provider: { providers: ['first', 'second'] } }

  it('is an item of its own in the record, if its upstream has received it', async () => {
    const { ask, transport, ledger } = serve()
    const reply = await ask(BOTH)
    transport.last.fail('reset')
    answer(transport.last, { ...WHOLE, usage: USAGE })
    const [record] = ledger.records
    const [, , attempt] = record?.cost?.items ?? []
    expect(record?.cost?.items.map(({ name }) => name)).toEqual(['prompt', 'completion', 'attempt'])
    expect(attempt?.quantity).toBe(1)
    expect(attempt?.nanos).toBeGreaterThanOrEqual(6 * PRICE.input)
    expect(record).toMatchObject({ attempts: 2, usage: { input: 300, output: 20 } })
    expect(record?.cost).toMatchObject({ total: REPORTED + (attempt?.nanos ?? 0), estimated: true })
    expect(reply.headers['x-dragoman-cost']).toBe(((record?.cost?.total ?? 0) / 1e9).toFixed(9))
  })

  it('is not charged if it was not reached or has refused', async () => {
    const { ask, transport, ledger } = serve()
    await ask({ provider: { providers: ['first', 'second'] } })
    answer(transport.last, { error: { message: 'No.' } }, 503)
    answer(transport.last, { ...WHOLE, usage: USAGE })
    expect(ledger.records).toMatchObject([{ attempts: 2, cost: { total: REPORTED } }])
    expect(ledger.records[0]?.cost).not.toHaveProperty('estimated')
  })

  it('stays on the books if no attempt answers', async () => {
    const { ask, transport, ledger } = serve()
    await ask(BOTH)
    transport.last.fail('reset')
    answer(transport.last, { error: { message: 'No.' } }, 503)
    const [record] = ledger.records
    expect(record).toMatchObject({ outcome: 'failed', attempts: 2, cost: { items: [{ name: 'attempt' }] } })
    expect(record?.cost?.total).toBeGreaterThanOrEqual(6 * PRICE.input)
  })

  it('counts for the estimate of the next one', async () => {
    const estimates: number[] = []
    const stages = [
      { beforeCall: (call: { estimate(): { nanos: number } }) => void estimates.push(call.estimate().nanos) },
    ]
    const { ask, transport } = serve({ stages })
    await ask(BOTH)
    transport.last.fail('reset')
    const [first = 0, second = 0] = estimates
    expect(second - first).toBeGreaterThanOrEqual(6 * PRICE.input)
    expect(second - first).toBeLessThanOrEqual(30 * PRICE.input)
  })
})

describe('after its caller has left, a call', () => {
  const usageMs = 5000

  it('goes on until its usage is known, and is charged that', async () => {
    const { ask, transport, ledger, clock } = serve({ usageMs })
    const reply = await ask()
    clock.advance(100)
    reply.onGone?.()
    clock.advance(usageMs - 1)
    expect(transport.last.flow.cancelled).toBe(false)
    expect(ledger.records).toEqual([])
    answer(transport.last, { ...WHOLE, usage: USAGE })
    expect(ledger.records).toMatchObject([
      { outcome: 'aborted', status: 499, usage: { input: 300, output: 20 }, cost: { total: REPORTED }, ms: 100 },
    ])
    expect(reply).toMatchObject({ status: undefined, text: '', state: 'open' })
  })

  it('is charged for usage that comes after the last word of a stream', async () => {
    const { ask, transport, ledger } = serve({ usageMs })
    const reply = await ask({ stream: true, stream_options: { include_usage: true } })
    transport.last.head(200, SSE)
    transport.last.chunk(chunk({ role: 'assistant', content: 'Because.' }))
    const { text } = reply
    reply.onGone?.()
    transport.last.chunk(
      `data: ${JSON.stringify({ ...WHOLE, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    )
    transport.last.chunk(`data: ${JSON.stringify({ ...WHOLE, choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`)
    transport.last.end()
    expect(ledger.records).toMatchObject([{ outcome: 'aborted', status: 499, cost: { total: REPORTED } }])
    expect(reply.text).toBe(text)
  })

  it('reads on even if it was paused for a slow caller', async () => {
    const { ask, transport } = serve({ usageMs })
    const reply = await ask({ stream: true })
    reply.free = false
    transport.last.head(200, SSE)
    transport.last.chunk(chunk({ role: 'assistant', content: 'Because.' }))
    expect(transport.last.flow.paused).toBe(true)
    reply.onGone?.()
    expect(transport.last.flow.paused).toBe(false)
  })

  it('is cancelled when that takes too long, and charged an estimate', async () => {
    const { ask, transport, ledger, clock } = serve({ usageMs })
    const reply = await ask()
    reply.onGone?.()
    clock.advance(usageMs)
    expect(transport.last.flow.cancelled).toBe(true)
    expect(ledger.records).toMatchObject([{ outcome: 'aborted' }])
    expectEstimate(ledger.records[0])
  })

  it('makes no other attempt', async () => {
    const { ask, transport, ledger } = serve({ usageMs })
    const reply = await ask({ provider: { providers: ['first', 'second'] } })
    reply.onGone?.()
    transport.last.fail('reset')
    expect(transport.calls).toHaveLength(1)
    expect(ledger.records).toMatchObject([{ outcome: 'aborted' }])
    expectEstimate(ledger.records[0])
  })

  it('holds nothing when it is over, and no timer', async () => {
    const { ask, transport, ledger, gateway, clock } = serve({ usageMs })
    const reply = await ask()
    reply.onGone?.()
    answer(transport.last, { ...WHOLE, usage: USAGE })
    await gateway.close(0)
    clock.advance(2 * usageMs)
    expect(ledger.records).toHaveLength(1)
  })

  it('of an operation that is not billed is cancelled at once', async () => {
    const { send, transport } = serve({
      usageMs,
      providers: [{ ...fakeProvider('first', ['messages'], priced), counts: ['messages'] }],
    })
    const headers = { 'x-api-key': 'secret', 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const reply = await send(JSON.stringify(ASKED), '/api/anthropic/v1/messages/count_tokens', headers)
    reply.onGone?.()
    expect(transport.last.flow.cancelled).toBe(true)
  })
})

/** A transport whose calls wait for a connection. */
function unsent(transport: ScriptedTransport): ScriptedTransport {
  return {
    calls: transport.calls,
    get last() {
      return transport.last
    },
    send: (call, receiver) => ({ ...transport.send(call, receiver), isSent: () => false }),
  }
}
