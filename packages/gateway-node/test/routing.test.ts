import { defineProvider } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { createNodeHandler, createUndiciTransport } from '../src/index.ts'
import { chat, messages, SECRET } from './endpoint.ts'
import { listen, scriptedUpstream, type Upstream } from './upstream.ts'

const PROVIDER = { type: 'priority', primary_factor: 'cost', providers: ['acme'], fallback: 'false' }
const MODELS = {
  available_models: ['acme/m', 'other/m'],
  preference: 'acme/m',
  task_info: { task_type: 'chat', complexity: 'low', additional_properties: { a: 1 } },
  additional_properties: { b: 2 },
}

/** The same model at two providers: `acme` with chat, `other` with messages. */
async function serve(upstream: Upstream, acme = upstream) {
  const transport = createUndiciTransport()
  const models = [{ name: 'm', input: ['text'], output: ['text'] }] as const
  const gateway = createGateway({
    providers: [
      defineProvider({ name: 'acme', models, endpoints: { chat: `${acme.url}/acme` } }),
      defineProvider({ name: 'other', models, endpoints: { messages: `${upstream.url}/other` } }),
      defineProvider({ name: 'third', models: [], endpoints: { chat: `${upstream.url}/third` } }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: SECRET }]),
    transport,
  })
  const listening = await listen(createNodeHandler(gateway))
  return {
    ask: (members: object) =>
      fetch(`${listening.url}${chat.path}`, {
        method: 'POST',
        headers: chat.headers,
        body: JSON.stringify({ model: 'acme/m', messages: [{ role: 'user', content: 'hi' }], ...members }),
      }),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await transport.close()
    },
  }
}

describe('routing preferences of a chat request', () => {
  it.each([
    ['acme', 'relay', { provider: PROVIDER, model_routing_config: MODELS }],
    ['acme', 'relay', { provider: { type: 'round_robin', primary_factor: 'speed', fallback: true } }],
    ['acme', 'relay', { provider: { routing: { type: 'least_latency', primary_factor: 'quality' } } }],
    ['acme', 'relay', { provider: null, model_routing_config: null }],
    ['other', 'translate', { provider: { ...PROVIDER, providers: ['other', 'acme'] } }],
    ['other', 'translate', { provider: { routing: { ...PROVIDER, providers: ['other'] } } }],
  ])(
    '[chat.provider] [chat.model_routing_config] select %s, by %s, and are not forwarded: %j',
    async (name, mode, members) => {
      await using upstream = await scriptedUpstream()
      await using server = await serve(upstream)
      const reply = server.ask(members)
      const { request, body, response } = await upstream.next()
      expect(request.url).toMatch(new RegExp(`^/${name}/`))
      expect(body.toString()).not.toMatch(/provider|routing|preference|fallback/)
      response.setHeader('content-type', 'application/json').end(name === 'acme' ? chat.answer : messages.answer)
      const answer = await reply
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-dragoman-path')).toBe(mode)
      expect(answer.headers.get('x-dragoman-model')).toBe(`${name}/m`)
    },
  )

  it.each([
    ['provider', { provider: 'acme' }],
    ['provider.type', { provider: { type: 'fastest' } }],
    ['provider.primary_factor', { provider: { primary_factor: 'beauty' } }],
    ['provider.providers', { provider: { providers: 'acme' } }],
    ['provider.providers.0', { provider: { providers: [1] } }],
    ['provider.providers', { provider: { providers: [] } }],
    ['provider.providers', { provider: { providers: ['acme', 'nobody'] } }],
    ['provider.fallback', { provider: { fallback: 'nobody' } }],
    ['model_routing_config.available_models', { model_routing_config: { available_models: [] } }],
    [
      'model_routing_config.preference',
      { model_routing_config: { available_models: ['acme/m'], preference: 'other/m' } },
    ],
    ['model_routing_config.task_info.task_type', { model_routing_config: { task_info: { task_type: 'embedding' } } }],
    ['provider.fallback', { provider: { fallback: 1 } }],
    ['provider.routing.type', { provider: { routing: { type: 'fastest' } } }],
    ['model_routing_config', { model_routing_config: [] }],
    ['model_routing_config.available_models', { model_routing_config: { available_models: 'a/b' } }],
    ['model_routing_config.preference', { model_routing_config: { preference: 1 } }],
    ['model_routing_config.task_info.task_type', { model_routing_config: { task_info: { task_type: 'dance' } } }],
    ['model_routing_config.task_info.complexity', { model_routing_config: { task_info: { complexity: 'huge' } } }],
    [
      'model_routing_config.task_info.additional_properties',
      { model_routing_config: { task_info: { additional_properties: 1 } } },
    ],
    ['model_routing_config.additional_properties', { model_routing_config: { additional_properties: 1 } }],
  ])(
    '[chat.provider] [chat.model_routing_config] are refused with the path of the invalid value: %s',
    async (path, members) => {
      await using upstream = await scriptedUpstream()
      await using server = await serve(upstream)
      const answer = await server.ask(members)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error', param: path } })
      expect(upstream.count).toBe(0)
    },
  )

  it('lead on to the next provider where the first cannot be reached', async () => {
    await using upstream = await scriptedUpstream()
    const closed = await scriptedUpstream()
    await closed[Symbol.asyncDispose]()
    await using server = await serve(upstream, closed)
    const reply = server.ask({ provider: { providers: ['acme', 'other'] } })
    const { request, response } = await upstream.next()
    expect(request.url).toMatch(/^\/other\//)
    response.setHeader('content-type', 'application/json').end(messages.answer)
    const answer = await reply
    expect([answer.status, answer.headers.get('x-dragoman-model')]).toEqual([200, 'other/m'])
    const alone = await server.ask({ provider: { providers: ['acme', 'other'], fallback: 'false' } })
    expect([alone.status, upstream.count]).toEqual([502, 1])
  })

  it('[chat.provider] for providers without the model are a native 404 that names those that have it', async () => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream)
    const answer = await server.ask({ provider: { providers: ['third'] } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('acme/m or other/m')
    expect(upstream.count).toBe(0)
  })
})
