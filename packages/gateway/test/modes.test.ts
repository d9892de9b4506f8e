import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './scripted.ts'
import { bytesOf, setUp, SSE } from './set-up.ts'

describe('relay', () => {
  it("sends a large body in two pieces, the larger one of the caller's own bytes", async () => {
    const { send, transport } = setUp()
    const text = 'ü'.repeat(20_000)
    await send(`{"model":"acme/m","text":"${text}"}`)
    const pieces = transport.last.call.body as readonly Uint8Array[] // checked in the next line
    // The bytes before the model are copied to its name, and the rest is the caller's.
    expect(pieces).toHaveLength(2)
    expect(pieces[1]?.length).toBeGreaterThan(40_000)
    expect(Buffer.concat(pieces).toString()).toBe(`{"model":"m-1","text":"${text}"}`)
  })

  const body = '{ "model" : "acme/m", "n": 1.0, "text": "ü\\u00fc",\n "model":"acme/m" }'

  it("sends the caller's own text with the model edited, and returns the upstream's", async () => {
    const { send, transport, ledger } = setUp()
    const reply = await send(body)
    expect(new TextDecoder().decode(bytesOf(transport.last.call.body))).toBe(
      '{"model" : "m-1","n": 1.0,"text": "ü\\u00fc"}',
    )
    expect(transport.last.call.headers).toMatchObject({ 'accept-encoding': 'identity', 'x-stream': 'false' })
    transport.last.head(200)
    transport.last.chunk('{"a": ')
    expect(reply.state).toBe('open')
    transport.last.chunk('1.0}')
    transport.last.end()
    expect(reply).toMatchObject({ status: 200, state: 'whole', text: '{"a": 1.0}' })
    expect(reply.headers).toMatchObject({
      'x-dragoman-path': 'relay',
      'x-dragoman-provider': 'acme',
      'x-dragoman-model': 'acme/m',
      'x-request-id': 'req_id1',
      'request-id': 'req_id1',
    })
    expect(ledger.records).toMatchObject([
      { outcome: 'complete', caller: 'tester', mode: 'relay', usage: { input: 10 } },
    ])
  })
  it('streams, pauses for a slow client and continues', async () => {
    const { send, transport } = setUp()
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    expect(reply.status).toBeUndefined()
    reply.free = false
    transport.last.chunk('data: 1\n\n')
    expect(reply.headers['content-type']).toBe('text/event-stream')
    expect(transport.last.flow.paused).toBe(true)
    reply.onDrain?.()
    expect(transport.last.flow.paused).toBe(false)
    transport.last.chunk('data: end\n\n')
    transport.last.end()
    expect(reply).toMatchObject({ state: 'ended', text: 'data: 1\n\ndata: end\n\n' })
  })
  it('ends a stream that stopped early with an error, and records it as interrupted', async () => {
    const { send, transport, ledger } = setUp()
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1')
    transport.last.end()
    expect(reply).toMatchObject({ state: 'cut', text: 'data: 1\n\ndata: {"error":"interrupted"}\n\n' })
    expect(ledger.records).toMatchObject([{ outcome: 'interrupted' }])
  })
  it('gives a status to a stream that broke before its first byte', async () => {
    const { send, transport } = setUp()
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    transport.last.fail('reset')
    expect(reply).toMatchObject({ status: 502, state: 'whole' })
  })
  it('reads a JSON response to a streamed request as an error', async () => {
    const { send, transport } = setUp()
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200)
    transport.last.chunk('{"error":"no"}')
    transport.last.end()
    expect(reply).toMatchObject({ status: 502, state: 'whole' })
  })
  it('cancels the upstream at once when the client disconnects, and records it once', async () => {
    const { send, transport, ledger, log } = setUp()
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    reply.onGone?.()
    expect(transport.last.flow.cancelled).toBe(true)
    expect(reply.text).toBe('data: 1\n\n')
    expect(ledger.records).toMatchObject([{ outcome: 'aborted', usage: { input: 9 } }])
    expect(log.entries).toHaveLength(1)
  })
  it('keeps an idle stream alive, between frames only', async () => {
    const { send, transport, clock } = setUp({ keepAliveMs: 10_000 })
    const reply = await send('{"model":"acme/m","stream":true}')
    clock.advance(60_000)
    expect(reply.text).toBe('')
    transport.last.head(200, SSE)
    clock.advance(10_000)
    expect(reply.text).toContain(': alive\n\n')
    transport.last.chunk('data: ')
    const before = reply.text
    clock.advance(30_000)
    expect(reply.text).toBe(before)
    transport.last.chunk('end\n\n')
    transport.last.end()
    clock.advance(60_000)
    expect(reply.text).toBe(`${before}end\n\n`)
  })
})

describe('upstream errors', () => {
  it('keep their meaning and their retry-after', async () => {
    const { send, transport } = setUp()
    const reply = await send('{"model":"acme/m"}')
    transport.last.head(429, { 'retry-after': '1.5', 'set-cookie': 'a=b' })
    transport.last.chunk('slow down')
    transport.last.end()
    expect(reply.status).toBe(429)
    expect(reply.headers['retry-after']).toBe('2')
    expect(reply.headers['set-cookie']).toBeUndefined()
  })
  it.each([401, 402, 403])('are internal errors if the upstream answers %i', async (status) => {
    const { send, transport, log } = setUp()
    const reply = await send('{"model":"acme/m"}')
    transport.last.head(status)
    transport.last.chunk('bad key sk-upstream')
    transport.last.end()
    expect(reply.status).toBe(502)
    expect(reply.text).not.toContain('sk-upstream')
    expect(String(log.entries[0]?.error?.cause)).toContain('sk-upstream')
  })
  it('are native timeouts when a deadline passed', async () => {
    const { send, transport } = setUp()
    const reply = await send('{"model":"acme/m"}')
    transport.last.fail('timeout')
    expect(reply.status).toBe(504)
  })
  it('are reported if the response is larger than allowed', async () => {
    const { send, transport } = setUp({ limits: { answer: 4 } })
    const reply = await send('{"model":"acme/m"}')
    transport.last.head(200)
    transport.last.chunk('12345')
    expect(reply.status).toBe(502)
    expect(transport.last.flow.cancelled).toBe(true)
  })
})

describe('closing', () => {
  it('refuses new calls, lets streams finish in the grace period and ends the rest with an error', async () => {
    const { gateway, send, transport, clock } = setUp()
    const finishing = await send('{"model":"acme/m","stream":true}')
    const first = transport.last
    const hanging = await send('{"model":"acme/m","stream":true}')
    const second = transport.last
    for (const call of [first, second]) {
      call.head(200, SSE)
      call.chunk('data: 1\n\n')
    }
    expect(gateway.calls()).toBe(2)
    const closed = gateway.close(5000)
    expect((await send('{"model":"acme/m"}')).status).toBe(503)
    first.chunk('data: end\n\n')
    first.end()
    expect(finishing.state).toBe('ended')
    expect(gateway.calls()).toBe(1)
    clock.advance(5000)
    expect(await closed).toBe(1)
    expect(hanging.text).toBe('data: 1\n\ndata: {"error":"unavailable"}\n\n')
    expect(second.flow.cancelled).toBe(true)
  })
  it('can be repeated with a shorter grace period', async () => {
    const { gateway, send, transport, clock } = setUp()
    const hanging = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\n')
    const patient = gateway.close(1_000_000)
    const closed = gateway.close(5000)
    clock.advance(5000)
    await Promise.all([patient, closed])
    expect(hanging.text).toBe('data: 1\n\ndata: {"error":"unavailable"}\n\n')
  })
})

it('a body that is nested too deeply is refused', async () => {
  const { send, transport } = setUp({ protocols, providers: [fakeProvider('acme', ['genai'])] })
  const deep = `${'{"properties":{"a":'.repeat(20_000)}{}${'}}'.repeat(20_000)}`
  const tools = `[{"type":"function","function":{"name":"f","parameters":${deep}}}]`
  const body = `{"model":"acme/m","messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`
  const reply = await send(body, '/api/v1/chat/completions')
  expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('nested too deeply') as unknown })
  expect(transport.calls).toHaveLength(0)
})
