import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { defineProvider } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createNodeHandler, createUndiciTransport } from '../src/index.ts'
import { listen, scriptedUpstream, type Upstream } from './upstream.ts'

const HEADERS = { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
const CALLS = [
  [
    'messages',
    '/api/anthropic/v1/messages/count_tokens',
    { model: 'acme/m', messages: [{ role: 'user', content: 'four score' }] },
    'input_tokens',
  ],
  [
    'genai',
    '/api/vertex-ai/v1/publishers/acme/models/m:countTokens',
    { contents: [{ parts: [{ text: 'four score' }] }] },
    'totalTokens',
  ],
] as const

async function serve(upstream: Upstream, protocol: string, counts: readonly string[]) {
  const card = { name: 'm', input: ['text'], output: ['text'] } as const
  const gateway = createGateway({
    providers: [defineProvider({ name: 'acme', models: [card], endpoints: { [protocol]: upstream.url }, counts })],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport: createUndiciTransport(),
  })
  return listen(createNodeHandler(gateway))
}

describe.each(CALLS)('counting tokens in %s', (protocol, path, body, member) => {
  const ask = (url: string, asked: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers: HEADERS, body: JSON.stringify(asked) })

  it('returns the count of an upstream that has one, called with its own model name [msg.count_tokens] [genai.countTokens]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, protocol, [protocol])
    const reply = ask(server.url, body)
    const { request, response, body: received } = await upstream.next()
    expect(request.url).toMatch(/count/i)
    expect(JSON.parse(received.toString())).toEqual('model' in body ? { ...body, model: 'm' } : body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ [member]: 42 }))
    const answer = await reply
    expect(await answer.json()).toEqual({ [member]: 42 })
    expect(answer.headers.get('x-dragoman-estimated')).toBeNull()
  })

  it('estimates for an upstream without counting, marked as an estimate, with tools and instructions [msg.count_tokens] [genai.countTokens]', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, 'chat', [])
    const few = await ask(server.url, body)
    const instructed =
      protocol === 'messages'
        ? { system: 'x'.repeat(400) }
        : { systemInstruction: { parts: [{ text: 'x'.repeat(400) }] } }
    const more = await ask(server.url, { ...body, ...instructed })
    expect(few.headers.get('x-dragoman-estimated')).toBe('true')
    const [less, total] = await Promise.all([few.json(), more.json()] as Promise<Record<string, number>>[])
    expect(less?.[member]).toBeGreaterThan(2)
    expect((total?.[member] ?? 0) - (less?.[member] ?? 0)).toBeGreaterThanOrEqual(100)
    expect(upstream.count).toBe(0)
  })

  it('refuses an invalid body', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, protocol, [])
    expect((await ask(server.url, { ...body, messages: 3, contents: 3 })).status).toBe(400)
  })
})
