import { protocols } from '@dragoman/core/protocols'
import { usd, type Card } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createMemoryKeys, type AliasOptions, type GatewayOptions } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider, type ScriptedCall } from './scripted.ts'
import { KEY, setUp, SSE } from './set-up.ts'

const CHAT = '/api/v1/chat/completions'
const USER = { role: 'user', content: 'Hi' }
const provider = (name: string, facts: Partial<Card> = {}, speaks = ['chat']) =>
  fakeProvider(name, speaks, [card('m', facts)])
/** Three providers of one model. The third is called in another protocol. */
const cheap = { prices: usd({ prompt: 1, completion: 2 }), quality: 40 }
const good = { prices: usd({ prompt: 10, completion: 20 }), quality: 90 }
const middling = { prices: usd({ prompt: 5, completion: 10 }), quality: 70 }
const providers = [provider('good', good), provider('cheap', cheap), provider('middling', middling, ['messages'])]

function serve(options: Partial<GatewayOptions> = {}) {
  const world = setUp({ protocols, providers, ...options })
  const ask = (more: object = {}, headers: Record<string, string> = {}) =>
    world.send(JSON.stringify({ model: 'good/m', messages: [USER], ...more }), CHAT, { ...KEY, ...headers })
  return { ...world, ask, hosts: () => world.transport.calls.map(({ call }) => new URL(call.url).host.split('.')[0]) }
}

function answer(call: ScriptedCall): void {
  call.head(200)
  call.chunk('{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}')
  call.end()
}

/** The provider that a request goes to. */
async function routeOf(more: object, headers: Record<string, string> = {}, options: Partial<GatewayOptions> = {}) {
  const { ask, hosts } = serve(options)
  const reply = await ask(more, headers)
  return hosts()[0] ?? reply.text
}

const ALL = ['good', 'cheap', 'middling']

describe('the type of routing', () => {
  it.each([
    [ALL, 'good'],
    [['cheap', 'good'], 'cheap'],
    [['middling', 'cheap'], 'middling'],
  ])('[route.priority] priority tries providers in the order of the call: %j', async (wanted, first) => {
    expect(await routeOf({ provider: { type: 'priority', providers: wanted } })).toBe(first)
    expect(await routeOf({ provider: { type: 'priority', providers: wanted, primary_factor: 'cost' } })).toBe(first)
  })

  it('[route.round_robin] round_robin spreads calls that begin a conversation evenly', async () => {
    const { ask, hosts } = serve()
    for (let call = 0; call < 30; call++) await ask({ provider: { type: 'round_robin' } })
    expect(ALL.map((name) => hosts().filter((host) => host === name).length)).toEqual([10, 10, 10])
  })

  it('[route.round_robin] round_robin keeps a conversation on its route', async () => {
    const { ask, hosts, transport } = serve()
    const preferences = { provider: { type: 'round_robin', providers: ['good', 'cheap'] } }
    const openings = Array.from({ length: 6 }, (_, index) => ({ role: 'user', content: `Question ${index}` }))
    for (const opening of openings) {
      await ask({ ...preferences, messages: [opening] })
      answer(transport.last)
    }
    const first = hosts()
    for (const opening of openings) {
      await ask({ ...preferences, messages: [opening, { role: 'assistant', content: 'Yes?' }, USER] })
      answer(transport.last)
    }
    expect(hosts().slice(6)).toEqual(first)
    expect(new Set(first).size).toBe(2)
  })

  it('a conversation leaves a route that fails, and stays on the next', async () => {
    const { ask, hosts, transport } = serve()
    const preferences = { provider: { type: 'priority', providers: ['good', 'cheap'] } }
    await ask({ ...preferences })
    transport.last.fail('refused')
    answer(transport.last)
    await ask({ ...preferences, messages: [USER, { role: 'assistant', content: 'Yes?' }, USER] })
    expect(hosts()).toEqual(['good', 'cheap', 'cheap'])
  })

  it.each([
    [{ 'x-claude-code-session-id': 's1' }, {}],
    [{ 'session-id': 's1' }, {}],
    [{}, { prompt_cache_key: 's1' }],
  ])('a conversation is known by a session header or a member of the body: %j %j', async (headers, member) => {
    const { ask, hosts, transport } = serve()
    const preferences = { provider: { type: 'round_robin', providers: ['good', 'cheap'] } }
    for (let call = 0; call < 4; call++) {
      // A conversation that was compacted has another opening.
      const messages = [{ role: 'user', content: `Summary ${call}` }, { role: 'assistant', content: 'Yes?' }, USER]
      await ask({ ...preferences, ...member, messages: call === 0 ? [USER] : messages }, headers)
      answer(transport.last)
    }
    expect(new Set(hosts()).size).toBe(1)
  })

  it('[route.least_latency] least_latency prefers the route with the shortest time to the first byte', async () => {
    const { ask, hosts, transport, clock } = serve()
    const preferences = { provider: { type: 'least_latency', providers: ['good', 'cheap'] } }
    for (const ms of [300, 100]) {
      // A route that was not measured yet goes first.
      await ask(preferences)
      clock.advance(ms)
      answer(transport.last)
    }
    await ask(preferences)
    expect(hosts()).toEqual(['good', 'cheap', 'cheap'])
  })
})

describe('the factor', () => {
  it.each([
    ['cost', 'cheap'],
    ['quality', 'good'],
  ])('[route.factor] %s chooses between the providers of a model', async (primary_factor, first) => {
    expect(await routeOf({ model: 'middling/m', provider: { primary_factor } })).toBe(first)
    expect(await routeOf({ model: 'middling/m', provider: { type: 'least_latency', primary_factor } })).toBe(first)
    expect(await routeOf({ model: 'middling/m', provider: { type: 'round_robin', primary_factor } })).toBe(first)
  })

  it('[route.factor] speed prefers the route with the most tokens a second', async () => {
    const { ask, hosts, transport, clock } = serve()
    const preferences = { stream: true, provider: { primary_factor: 'speed', providers: ['good', 'cheap'] } }
    for (const ms of [2000, 1000]) {
      await ask(preferences)
      transport.last.head(200, SSE)
      transport.last.chunk('data: {"id":"c","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')
      clock.advance(ms)
      transport.last.chunk(
        'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":100,"total_tokens":101}}\n\ndata: [DONE]\n\n',
      )
      transport.last.end()
    }
    await ask(preferences)
    expect(hosts()).toEqual(['good', 'cheap', 'cheap'])
  })

  it('[route.factor] does not decide between prices that differ by less than a tenth: the protocol of the caller does', async () => {
    const near = [
      provider('first', { prices: usd({ prompt: 100, completion: 100 }) }, ['messages']),
      provider('second', { prices: usd({ prompt: 109, completion: 109 }) }),
    ]
    const asked = { model: 'first/m', provider: { primary_factor: 'cost' } }
    expect(await routeOf(asked, {}, { providers: near })).toBe('second')
    const apart = [near[0] ?? [], provider('second', { prices: usd({ prompt: 111, completion: 111 }) })].flat()
    expect(await routeOf(asked, {}, { providers: apart })).toBe('first')
  })

  it.each(['priority', 'round_robin', 'least_latency', undefined])(
    '[route.fallback] the provider of the fallback is never first: %s',
    async (type) => {
      const providers = ['good', 'middling']
      const first = await routeOf({ provider: { type, primary_factor: 'cost', providers, fallback: 'cheap' } })
      expect(first).toBe(type === 'priority' ? 'good' : 'middling')
    },
  )

  it('[route.factor] puts a model without a price behind those with one', async () => {
    const some = [provider('free'), provider('priced', good)]
    expect(await routeOf({ model: 'free/m', provider: { primary_factor: 'cost' } }, {}, { providers: some })).toBe(
      'priced',
    )
  })
})

describe('the models of a call', () => {
  const config = (more: object) => ({ model: 'auto', model_routing_config: more })

  it('[route.models] are those that are available, whatever the requested one is', async () => {
    expect(await routeOf(config({ available_models: ['cheap/m'] }))).toBe('cheap')
    expect(await routeOf(config({ available_models: ['cheap/m', 'good/m'] }))).toBe('cheap')
  })

  it('[route.models] begin with the preferred one', async () => {
    expect(await routeOf(config({ available_models: ['cheap/m', 'good/m'], preference: 'good/m' }))).toBe('good')
    expect(await routeOf({ model_routing_config: { preference: 'cheap/m' } })).toBe('cheap')
  })

  it.each([
    ['low', 'cheap'],
    ['medium', 'middling'],
    ['high', 'good'],
  ])('[route.models] are good enough for a task of %s complexity', async (complexity, first) => {
    const available_models = ['middling/m', 'cheap/m', 'good/m']
    expect(await routeOf(config({ available_models, task_info: { complexity } }))).toBe(first)
  })

  it('[route.models] that are all too weak are still tried, the best one first', async () => {
    const weak = config({ available_models: ['cheap/m', 'middling/m'], task_info: { complexity: 'high' } })
    expect(await routeOf(weak)).toBe('middling')
  })

  it('[route.models] name the requested one in the answer', async () => {
    const { ask, transport } = serve()
    const reply = await ask(config({ available_models: ['cheap/m'] }))
    answer(transport.last)
    expect([reply.text.includes('"model":"auto"'), reply.headers['x-dragoman-model']]).toEqual([true, 'cheap/m'])
  })
})

describe('an alias with several routes', () => {
  const pool = (options: AliasOptions): Partial<GatewayOptions> => ({ aliases: { pool: options } })
  const asked = { model: 'pool' }

  it('is tried in its order', async () => {
    expect(await routeOf(asked, {}, pool({ routes: ['cheap/m', 'good/m'] }))).toBe('cheap')
    expect(
      await routeOf(asked, {}, pool({ routes: ['cheap/m', 'good/m'], factor: 'quality', type: 'round_robin' })),
    ).toBe('good')
  })

  it('is spread by its weights', async () => {
    const routes = [
      { model: 'good/m', weight: 3 },
      { model: 'cheap/m', weight: 1 },
    ]
    const { ask, hosts } = serve(pool({ routes }))
    for (let call = 0; call < 40; call++) await ask(asked)
    expect([30, 10]).toEqual(['good', 'cheap'].map((name) => hosts().filter((host) => host === name).length))
  })

  it.each([
    ['streams', { stream: true }, { stream: true }, {}, 'good'],
    ['tools', { tools: true }, { tools: [{ type: 'function', function: { name: 'f' } }] }, {}, 'good'],
    [
      'images',
      { images: true },
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }] }] },
      {},
      'good',
    ],
    [
      'long prompts',
      { promptTokens: { min: 100 } },
      { messages: [{ role: 'user', content: 'x'.repeat(1000) }] },
      {},
      'good',
    ],
    [
      'short prompts',
      { promptTokens: { max: 100 } },
      {},
      { messages: [{ role: 'user', content: 'x'.repeat(1000) }] },
      'good',
    ],
  ])('has conditions: a route for %s', async (_name, when, fits, misfits, expected) => {
    const options = pool({ routes: [{ model: 'good/m', when }, 'cheap/m'] })
    expect(await routeOf({ ...asked, ...fits }, {}, options)).toBe(expected)
    expect(await routeOf({ ...asked, ...misfits }, {}, options)).toBe('cheap')
  })

  it('has conditions: a route for a protocol', async () => {
    const options = pool({ routes: [{ model: 'good/m', when: { protocols: ['messages'] } }, 'cheap/m'] })
    const { send, ask, hosts } = serve(options)
    const body = JSON.stringify({ model: 'pool', max_tokens: 10, messages: [USER] })
    await send(body, '/api/anthropic/v1/messages', { ...KEY, 'anthropic-version': '2023-06-01' })
    await ask(asked)
    expect(hosts()).toEqual(['good', 'cheap'])
  })

  it('[route.fallback] tries the provider of the fallback last, and providers in the order of the call', async () => {
    const { ask, hosts, transport } = serve(pool({ routes: ['cheap/m', 'good/m', 'middling/m'] }))
    await ask({ ...asked, provider: { fallback: 'cheap' } })
    for (let left = 0; left < 2; left++) transport.last.fail('refused')
    expect(hosts()).toEqual(['good', 'middling', 'cheap'])
    await ask({ ...asked, provider: { providers: ['middling', 'cheap'] } })
    transport.last.fail('refused')
    expect(hosts().slice(3)).toEqual(['middling', 'cheap'])
  })

  it('without a route for a call is a native 400 that says why', async () => {
    const routes = [
      { model: 'good/m', when: { stream: true } },
      { model: 'cheap/m', when: { tools: true } },
    ]
    const { ask, hosts } = serve(pool({ routes }))
    const reply = await ask(asked)
    const { message } = JSON.parse(reply.text).error
    expect([reply.status, hosts()]).toEqual([400, []])
    expect(message).toContain('good/m: it is for streams. cheap/m: it is for calls with tools.')
  })

  it('has facts of its own about a route', async () => {
    const free = { card: { prices: usd({ prompt: 0, completion: 0 }) } }
    const options = pool({ routes: ['cheap/m', { model: 'good/m', ...free }], type: 'round_robin', factor: 'cost' })
    expect(await routeOf(asked, {}, options)).toBe('good')
  })

  it('has the routes that a key may use', () => {
    const keys = createMemoryKeys([{ id: 'tester', secret: 'secret', models: ['cheap/*'] }])
    const { hosts, ask } = serve({ ...pool({ routes: ['good/m', 'cheap/m'] }), keys })
    return ask(asked).then(() => expect(hosts()).toEqual(['cheap']))
  })

  it('may have the id of a model, which then has further routes', async () => {
    const { ask, transport, hosts } = serve({ aliases: { 'good/m': { routes: ['good/m', 'cheap/m'] } } })
    await ask()
    transport.last.fail('refused')
    expect(hosts()).toEqual(['good', 'cheap'])
  })
})

describe('the header for routing', () => {
  it('says the same in every protocol', async () => {
    const { send, hosts } = serve()
    const body = JSON.stringify({ model: 'good/m', max_tokens: 10, messages: [USER] })
    const headers = { ...KEY, 'anthropic-version': '2023-06-01' }
    await send(body, '/api/anthropic/v1/messages', {
      ...headers,
      'x-dragoman-routing': '{"providers":["cheap"],"fallback":"false"}',
    })
    await send(body, '/api/anthropic/v1/messages', { ...headers, 'x-dragoman-routing': '{"primary_factor":"cost"}' })
    await send(body, '/api/anthropic/v1/messages', {
      ...headers,
      'x-dragoman-routing': '{"available_models":["middling/m"]}',
    })
    expect(hosts()).toEqual(['cheap', 'cheap', 'middling'])
  })

  it.each([
    ['x-dragoman-routing', 'priority'],
    ['x-dragoman-routing', '{"typ":"priority"}'],
    ['x-dragoman-routing', '{"constructor":"priority"}'],
    ['x-dragoman-routing.type', '{"type":"fastest"}'],
    ['x-dragoman-routing.providers', '{"providers":"good"}'],
    ['x-dragoman-routing.providers', '{"providers":[]}'],
    ['x-dragoman-routing.providers', '{"providers":["nobody"]}'],
    ['x-dragoman-routing.fallback', '{"fallback":"nobody"}'],
    ['x-dragoman-routing.on_loss', '{"on_loss":"panic"}'],
  ])('is refused with its member: %s, %s', async (param, header) => {
    const { ask } = serve()
    const reply = await ask({}, { 'x-dragoman-routing': header })
    expect([reply.status, JSON.parse(reply.text).error.param]).toEqual([400, param])
  })

  it('must not contradict strict mode', async () => {
    const headers = { 'x-dragoman-routing': '{"on_loss":"reroute"}', 'x-dragoman-strict': 'true' }
    const reply = await serve().ask({}, headers)
    expect([reply.status, JSON.parse(reply.text).error.param]).toEqual([400, 'x-dragoman-routing.on_loss'])
  })

  it('may repeat the body, and must not contradict it', async () => {
    const header = { 'x-dragoman-routing': '{"type":"priority"}' }
    expect(await routeOf({ provider: { type: 'priority' } }, header)).toBe('good')
    const reply = await serve().ask({ provider: { type: 'round_robin' } }, header)
    expect([reply.status, JSON.parse(reply.text).error.param]).toEqual([400, 'provider.type'])
  })
})

it('inside a tool loop, a route that can read its signatures comes first (trap 45)', async () => {
  const two = [provider('first', { issuer: 'house' }, ['messages']), provider('second', {}, ['messages'])]
  const { send, hosts } = serve({ providers: two, aliases: { pool: { routes: ['first/m', 'second/m'] } } })
  const loop = [
    USER,
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'tool_use', id: 't1', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }] },
  ]
  const headers = { ...KEY, 'anthropic-version': '2023-06-01' }
  await send(JSON.stringify({ model: 'pool', max_tokens: 10, messages: loop }), '/api/anthropic/v1/messages', headers)
  await send(JSON.stringify({ model: 'pool', max_tokens: 10, messages: [USER] }), '/api/anthropic/v1/messages', headers)
  expect(hosts()).toEqual(['second', 'first'])
})
