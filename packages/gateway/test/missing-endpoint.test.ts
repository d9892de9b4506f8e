import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { createRouteMemory, explainCall, type GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type KeptReply, type ScriptedCall } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const RESPONSES = '/api/v1/responses'
const INVALID_URL =
  '{"error":{"message":"Invalid URL (POST /v1/responses)","type":"invalid_request_error","param":null,"code":null}}'
const UNKNOWN_MODEL =
  '{"error":{"message":"The model `m` does not exist.","type":"invalid_request_error","param":null,"code":"model_not_found"}}'
const ANSWER =
  '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}'
const both = fakeProvider('first', ['responses', 'chat'])

function serve(options: Partial<GatewayOptions> = {}) {
  const world = setUp({ protocols, providers: [both], ...options })
  const ask = (more: object = {}, path = RESPONSES, headers?: Record<string, string>): Promise<KeptReply> =>
    world.send(JSON.stringify({ model: 'first/m', input: 'Hi', ...more }), path, headers)
  /** `first/responses`: where each call went. */
  const routes = () =>
    world.transport.calls.map(({ call }) => {
      const { host, pathname } = new URL(call.url)
      return `${host.split('.')[0]}${/^\/[a-z]+/.exec(pathname)?.[0]}`
    })
  return { ...world, ask, routes }
}

function refuse(call: ScriptedCall, status: number, body: string): void {
  call.head(status)
  call.chunk(body)
  call.end()
}

function answer(call: ScriptedCall): void {
  call.head(200)
  call.chunk(ANSWER)
  call.end()
}

describe('an upstream without an endpoint', () => {
  it('is called in its other protocol, and the log and headers say so', async () => {
    const { ask, transport, routes, log, ledger } = serve()
    const reply = await ask()
    refuse(transport.last, 404, INVALID_URL)
    expect(reply.state).toBe('open')
    answer(transport.last)
    expect(routes()).toEqual(['first/responses', 'first/chat'])
    expect(reply.status).toBe(200)
    expect(reply.headers).toMatchObject({
      'x-dragoman-path': 'translate',
      'x-dragoman-attempts': '2: first/m not-found, first/m',
      'x-dragoman-no-endpoint': 'responses',
    })
    expect(log.entries[0]).toMatchObject({
      because: 'first/m speaks chat, and has no endpoint for responses',
      attempts: [
        { protocol: 'responses', status: 404 },
        { protocol: 'chat', status: 200 },
      ],
    })
    expect(ledger.records).toHaveLength(1)
  })

  it('is called there at once for ten minutes', async () => {
    const { ask, transport, routes, clock, log } = serve()
    await ask()
    refuse(transport.last, 404, INVALID_URL)
    answer(transport.last)
    clock.advance(599_000)
    const reply = await ask()
    answer(transport.last)
    expect(routes()).toEqual(['first/responses', 'first/chat', 'first/chat'])
    expect(reply.headers['x-dragoman-no-endpoint']).toBe('responses')
    expect(reply.headers['x-dragoman-attempts']).toBeUndefined()
    expect(log.entries[1]?.because).toBe('first/m speaks chat, and has no endpoint for responses')
    clock.advance(2000)
    await ask()
    expect(routes().at(-1)).toBe('first/responses')
  })

  it('is the same for all its models', async () => {
    const two = fakeProvider('first', ['responses', 'chat'], [card('m'), card('other')])
    const { ask, transport, routes } = serve({ providers: [two] })
    await ask()
    refuse(transport.last, 404, INVALID_URL)
    answer(transport.last)
    await ask({ model: 'first/other' })
    expect(routes().at(-1)).toBe('first/chat')
  })

  it('is explained', async () => {
    const memory = createRouteMemory()
    const { ask, transport } = serve({ memory })
    await ask()
    refuse(transport.last, 404, INVALID_URL)
    answer(transport.last)
    const options = { protocols, providers: [both], transport, memory }
    const body = '{"model":"first/m","input":"Hi"}'
    const { routes } = await explainCall(options, { path: RESPONSES, body })
    expect(routes).toMatchObject([
      { protocol: 'chat', because: 'first/m speaks chat, and has no endpoint for responses' },
      { protocol: 'responses', mode: 'relay' },
    ])
  })

  it('streams from the other protocol', async () => {
    const { ask, transport, routes } = serve()
    const reply = await ask({ stream: true })
    refuse(transport.last, 405, '{"detail":"Method Not Allowed"}')
    transport.last.head(200, SSE)
    transport.last.chunk('data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n')
    transport.last.chunk('data: [DONE]\n\n')
    transport.last.end()
    expect(routes()).toEqual(['first/responses', 'first/chat'])
    expect(reply.text).toContain('response.completed')
    expect(reply.text).not.toContain('Method')
  })

  it.each([{}, { stream: true }])('may say so with the status of a success: %j', async (more) => {
    const { ask, transport, routes } = serve()
    await ask(more)
    refuse(transport.last, 200, '{"error":"Unexpected endpoint or method. (POST /v1/responses)"}')
    expect(routes()).toEqual(['first/responses', 'first/chat'])
  })

  it.each([404, 502])('is not remembered if it answers nowhere: it may be down (%i)', async (status) => {
    const { ask, transport, routes } = serve()
    const reply = await ask()
    refuse(transport.last, 404, '404 page not found')
    refuse(transport.last, status, 'default backend')
    expect(reply.status).toBe(status)
    await ask()
    expect(routes()).toEqual(['first/responses', 'first/chat', 'first/responses'])
  })

  it('gives the error of the last endpoint', async () => {
    const { ask, transport } = serve()
    const reply = await ask()
    refuse(transport.last, 404, INVALID_URL)
    refuse(transport.last, 404, UNKNOWN_MODEL)
    expect(reply.text).toContain('does not exist')
  })

  it('has no other if it speaks one protocol', async () => {
    const { ask, transport, routes } = serve({ providers: [fakeProvider('first', ['responses'])] })
    const reply = await ask()
    refuse(transport.last, 404, INVALID_URL)
    expect([reply.status, routes()]).toEqual([404, ['first/responses']])
  })

  it('keeps its place before other providers', async () => {
    const second = fakeProvider('second', ['responses'])
    const aliases = { pool: { routes: ['first/m', 'second/m'] } }
    const { ask, transport, routes } = serve({ providers: [both, second], aliases })
    await ask()
    refuse(transport.last, 404, INVALID_URL)
    answer(transport.last)
    await ask({ model: 'pool' })
    expect(routes().at(-1)).toBe('first/chat')
  })

  it('is followed by other providers', async () => {
    const first = fakeProvider('first', ['responses'])
    const second = fakeProvider('second', ['responses'])
    const aliases = { pool: { routes: ['first/m', 'second/m'] } }
    const { ask, transport, routes } = serve({ providers: [first, second], aliases })
    await ask({ model: 'pool' })
    refuse(transport.last, 404, INVALID_URL)
    expect(routes()).toEqual(['first/responses', 'second/responses'])
  })

  it('has lost what the call wants to keep', async () => {
    const { ask, transport, routes } = serve()
    const reply = await ask({ max_tool_calls: 2 }, RESPONSES, {
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'x-dragoman-strict': 'true',
    })
    refuse(transport.last, 404, INVALID_URL)
    expect([reply.status, routes()]).toEqual([400, ['first/responses']])
  })
})

describe('a refusal that is not about the endpoint', () => {
  it('is the answer: a 404 for a model', async () => {
    const { ask, transport, routes } = serve()
    const reply = await ask()
    refuse(transport.last, 404, UNKNOWN_MODEL)
    expect([reply.status, routes()]).toEqual([404, ['first/responses']])
    await ask()
    expect(routes().at(-1)).toBe('first/responses')
  })
})

describe('a model that another endpoint serves', () => {
  const ONLY_RESPONSES =
    '{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}'
  const RESPONSE =
    '{"id":"resp_1","object":"response","created_at":1,"model":"m","status":"completed","output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}]}'

  it('is called there, and only this model', async () => {
    const two = fakeProvider('first', ['chat', 'responses'], [card('m'), card('other')])
    const { send, transport, routes } = serve({ providers: [two] })
    const chat = (model: string) =>
      send(JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }), '/api/v1/chat/completions')
    const reply = await chat('first/m')
    refuse(transport.last, 404, ONLY_RESPONSES)
    refuse(transport.last, 200, RESPONSE)
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.text)).toMatchObject({ choices: [{ message: { content: 'Hi' } }] })
    await chat('first/other')
    await chat('first/m')
    expect(routes()).toEqual(['first/chat', 'first/responses', 'first/chat', 'first/responses'])
  })
})

describe('an upstream that does not count', () => {
  it('[resp.input_tokens] gets an estimate instead of an error', async () => {
    const { ask, transport, routes } = serve({ providers: [{ ...both, counts: ['responses'] }] })
    const reply = await ask({}, `${RESPONSES}/input_tokens`)
    refuse(transport.last, 404, '{"detail":"Not Found"}')
    expect([reply.status, routes()]).toEqual([200, ['first/responses']])
    expect(JSON.parse(reply.text)).toMatchObject({ object: 'response.input_tokens' })
    expect(reply.headers['x-dragoman-estimated']).toBe('true')
  })
})
