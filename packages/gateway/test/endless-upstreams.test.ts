import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import type { GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

type Entry = readonly [protocol: string, path: string, asked: object]
const RELAYED: Entry = ['chat', '/api/v1/chat/completions', { messages: [{ role: 'user', content: 'Tell a story.' }] }]
const TRANSLATED: Entry = ['responses', '/api/v1/responses', { input: 'Tell a story.' }]
const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const WORDS = event({ content: 'once upon a time '.repeat(1000) })
const FAILED = 'data: {"error":{"message":"The model is broken.","type":"server_error","code":"server_error"}}\n\n'
const LIMITS = { answer: 1_000_000 }

/** A stream of an upstream that speaks chat, asked for in either protocol: a relayed one and a translated one. */
async function begin([, path, asked]: Entry, options: Partial<GatewayOptions> = {}) {
  const world = setUp({
    protocols,
    providers: [fakeProvider('acme', ['chat'], [card('m')])],
    limits: LIMITS,
    ...options,
  })
  const reply = await world.send(JSON.stringify({ model: 'm', stream: true, ...asked }), path)
  const upstream = world.transport.last
  upstream.head(200, SSE)
  upstream.chunk(WORDS)
  expect(reply.text).toContain('once upon a time')
  return { ...world, reply, upstream }
}

/** The bytes that an upstream can send until it is stopped, or more than the limit for answers. */
function sendOn(upstream: ScriptedCall, text: string): number {
  let sent = 0
  while (!upstream.flow.cancelled && sent < 3 * LIMITS.answer) {
    upstream.chunk(text)
    sent += text.length
  }
  return sent
}

describe.each([RELAYED, TRANSLATED])('an upstream that never stops is stopped, asked in %s:', (...entry) => {
  it('after its own error', async () => {
    const { upstream, reply, ledger } = await begin(entry)
    upstream.chunk(FAILED)
    expect(reply.text).toContain('The model is broken.')
    expect(upstream.flow.cancelled).toBe(true)
    expect(ledger.records).toHaveLength(1)
  })

  it('when its caller has left, at the limit for answers and not only after a time', async () => {
    const { upstream, reply, ledger } = await begin(entry, { usageMs: 5000 })
    reply.onGone?.()
    expect(upstream.flow.cancelled).toBe(false)
    const sent = sendOn(upstream, WORDS)
    expect(upstream.flow.cancelled).toBe(true)
    expect(sent).toBeGreaterThan(LIMITS.answer / 2)
    expect(sent).toBeLessThan(2 * LIMITS.answer)
    expect(ledger.records).toMatchObject([{ outcome: 'aborted' }])
  })
})

describe('a translated stream', () => {
  it('ends with an error at the limit for answers, because parts of it are kept until its end', async () => {
    const { upstream, reply, ledger } = await begin(TRANSLATED)
    const sent = sendOn(upstream, WORDS)
    expect(upstream.flow.cancelled).toBe(true)
    expect(sent).toBeLessThan(2 * LIMITS.answer)
    expect(reply.text).toContain('a larger answer than the gateway takes')
    expect(ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('lets its upstream end after the last event, with a few bytes more, so that the connection can be used again', async () => {
    const { upstream, reply } = await begin(TRANSLATED)
    upstream.chunk(`${event({}, 'stop')}data: [DONE]\n\n`)
    expect(reply.state).toBe('ended')
    upstream.chunk(': the end\n\n')
    expect(upstream.flow.cancelled).toBe(false)
    upstream.end()
    expect(upstream.flow.cancelled).toBe(false)
  })

  it('does not read what goes on after the last event', async () => {
    const { upstream, ledger } = await begin(TRANSLATED)
    upstream.chunk(`${event({}, 'stop')}data: [DONE]\n\n`)
    expect(sendOn(upstream, WORDS)).toBeLessThan(LIMITS.answer / 2)
    expect(upstream.flow.cancelled).toBe(true)
    expect(ledger.records).toMatchObject([{ outcome: 'complete' }])
  })
})
