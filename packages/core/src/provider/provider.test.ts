import { describe, expect, it } from 'vitest'
import { chat } from '../protocols/chat/index.ts'
import { DragomanError } from '../ir/error.ts'
import type { Card } from '../ir/model.ts'
import type { Target } from '../protocols/context.ts'
import { encodeMultipart } from './transport.ts'
import { enableProviders, readEnvironment } from './environment.ts'
import { createKeyRing, createRedact, redactError } from './credentials.ts'
import { readModelList, defineProvider, type Outbound } from './provider.ts'
import { BEARER, type ProviderDefinition } from './definition.ts'
import type { ProviderOptions } from './options.ts'
import { perSecond, usd, when } from './prices.ts'
import { quirkObstacle } from './quirks.ts'

const OUTBOUND: Outbound = { headers: { a: 'b' }, body: '{}', deadlines: { connect: 1, head: 1, idle: 1, total: 1 } }
const TARGET = { path: '/go', headers: {} }
const definition: ProviderDefinition = {
  name: 'acme',
  issuer: 'acme-seals',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.', messages: '../anthropic', genai: 'https://other.example/x/' },
  auth: BEARER,
  environment: { keys: ['ACME_API_KEY', 'ACME_KEY'], baseURL: 'ACME_BASE_URL' },
  list: './models',
  quirks: { chat: [{ verb: 'drop', at: 'settings.seed' }] },
  dialects: { chat: { think: 'tags' } },
  models: [{ name: 'm', input: ['text'], output: ['text'], dialects: { chat: { citations: 'citations' } } }],
}

describe('a provider from data', () => {
  const urls = (baseURL?: string) => {
    const provider = defineProvider(definition, { keys: 'k', baseURL })
    return provider.protocols.map((protocol) => provider.call(protocol, TARGET, OUTBOUND).url)
  }

  it('resolves its endpoints relative to the base URL', () => {
    expect(urls()).toEqual([
      'https://api.acme.example/v1/go',
      'https://api.acme.example/anthropic/go',
      'https://other.example/x/go',
    ])
    expect(urls('http://localhost:1/proxy/v1/')).toEqual([
      'http://localhost:1/proxy/v1/go',
      'http://localhost:1/proxy/anthropic/go',
      'https://other.example/x/go',
    ])
  })

  it('needs a base URL for relative endpoints', () => {
    const { baseURL: _none, ...rest } = definition
    expect(() => defineProvider(rest, { keys: 'k' })).toThrow('Provider option "baseURL" is required.')
  })

  it('removes keys and header values from text, but not common words', () => {
    const headers = { 'x-tier': 'e', 'x-team': 'blue', 'x-pass': 'open sesame', 'x-token': 'Bearer abcdefgh' }
    const provider = defineProvider(definition, { keys: ['sk-of-acme', 'none'], headers })
    const innocent = '{"error":{"message":"none of the blue models"}}'
    expect(provider.redact?.(innocent)).toBe(innocent)
    expect(provider.redact?.('sk-of-acme, open sesame, Bearer abcdefgh, abcdefgh')).toBe(
      '[secret], [secret], [secret], [secret]',
    )
  })

  it('lets the secret win over every other header', () => {
    const provider = defineProvider(definition, { keys: 'k', headers: { Authorization: 'mine', 'X-Own': '1' } })
    const outbound = { ...OUTBOUND, headers: { authorization: 'of the client' } }
    expect(provider.call('chat', TARGET, outbound).headers).toEqual({
      authorization: 'Bearer k',
      'x-own': '1',
      'content-type': 'application/json',
    })
  })

  it('adds the common facts to every card, and options override them', () => {
    const provider = defineProvider(definition, {
      keys: 'k',
      models: ['new', { name: 'other', quirks: { chat: [{ verb: 'drop', at: 'settings.topK' }] } }],
      overrides: { m: { maxOutput: 7, issuer: 'mine', quality: 12 } },
    })
    const [known, named, other] = provider.models
    expect(known).toMatchObject({
      maxOutput: 7,
      issuer: 'mine',
      quality: 12,
      dialects: { chat: { think: 'tags', citations: 'citations' } },
    })
    expect(named).toMatchObject({ name: 'new', issuer: 'acme-seals', input: ['text'], output: ['text'] })
    expect(named).not.toHaveProperty('prices')
    expect(other?.quirks?.['chat']?.map((quirk) => ('at' in quirk ? quirk.at : ''))).toEqual([
      'settings.seed',
      'settings.topK',
    ])
  })

  it('overrides prices item by item, which gives them another version', () => {
    const cards = [
      { name: 'm', input: ['text'], output: ['text'], prices: usd({ prompt: 3, completion: 15 }) },
    ] as const
    const one = (overrides: ProviderOptions['overrides']) =>
      defineProvider({ ...definition, models: cards }, { keys: 'k', overrides }).models[0]
    const before = one({})
    expect(before?.priceVersion).toMatch(/^[0-9a-f]{16}$/)
    const after = one({ m: { prices: usd({ prompt: 2 }) } })
    expect(after?.prices).toEqual(usd({ prompt: 2, completion: 15 }))
    expect(after?.priceVersion).not.toBe(before?.priceVersion)
    expect(one({ m: { prices: usd({ prompt: 2 }), priceVersion: 'contract 7' } })?.priceVersion).toBe('contract 7')
    expect(one({ m: { maxOutput: 7 } })?.priceVersion).toBe(before?.priceVersion)
  })

  it('has no source but the operator for prices that an operator overrides', () => {
    const page = { from: 'https://vendor.example/prices', date: '2026-11' } as const
    const cards: readonly Card[] = [
      {
        name: 'm',
        input: ['text'],
        output: ['text'],
        prices: usd({ prompt: 1 }),
        sources: [
          { facts: ['name', 'limits', 'prices'], ...page },
          { facts: ['prices'], ...page },
        ],
      },
    ]
    const one = (overrides: ProviderOptions['overrides']) =>
      defineProvider({ ...definition, models: cards }, { keys: 'k', overrides }).models[0]?.sources
    expect(one({ m: { maxOutput: 7 } })).toEqual(cards[0]?.sources)
    expect(one({ m: { prices: usd({ prompt: 2 }) } })).toEqual([{ facts: ['name', 'limits'], ...page }])
    const own = [{ facts: ['prices'], from: 'our contract', date: '2026-12-01' }] as const
    expect(one({ m: { prices: usd({ prompt: 2 }), sources: own } })).toEqual(own)
  })

  it('overrides the prices that depend on a resolution with those of the same item', () => {
    const prices = usd({ video: perSecond(0.05) })
    const otherPrices = usd({ video: [when(perSecond(0.08), { resolution: '1080p' })], audio_input: 1 })
    const cards = [{ name: 'm', input: ['text'], output: ['video'], prices, otherPrices }] as const
    const one = (overrides: ProviderOptions['overrides']) =>
      defineProvider({ ...definition, models: cards }, { keys: 'k', overrides }).models[0]
    expect(one({})?.otherPrices).toEqual(otherPrices)
    const own = usd({ video: perSecond(0.04) })
    expect(one({ m: { prices: own } })).toMatchObject({ prices: own, otherPrices: usd({ audio_input: 1 }) })
    expect(one({ m: { prices: own } })?.otherPrices).not.toHaveProperty('video')
  })

  it('replaces a known model by one of the same name', () => {
    const { models } = defineProvider(definition, { keys: 'k', models: [{ name: 'm', maxOutput: 3 }] })
    expect(models.map(({ name, maxOutput }) => [name, maxOutput])).toEqual([['m', 3]])
  })
})

describe('keys', () => {
  it('are used in rotation, paused as long as the upstream says, and used anyway if all are paused', () => {
    let time = 0
    const ring = createKeyRing(['a', 'b', 'c'], () => time)
    const header = (name: string) => ({ 'retry-after': '2' })[name]
    expect([ring.take(), ring.take(), ring.take(), ring.take()].map(({ secret }) => secret).join('')).toBe('abca')
    ring.take().answered(429, header)
    expect([ring.take(), ring.take(), ring.take()].map(({ secret }) => secret).join('')).toBe('cac')
    ring.take().answered(401, header)
    ring.take().answered(429, () => undefined)
    expect(ring.take().secret).toBe('b')
    time = 2000
    expect([ring.take().secret, ring.take().secret]).toEqual(['b', 'b'])
    time = 300_000
    expect(new Set([ring.take().secret, ring.take().secret, ring.take().secret]).size).toBe(3)
  })

  it('are not paused by other responses', () => {
    const ring = createKeyRing(['a', 'b'], () => 0)
    for (const status of [200, 400, 403, 500]) ring.take().answered(status, () => undefined)
    expect([ring.take().secret, ring.take().secret]).toEqual(['a', 'b'])
  })
})

describe('an environment', () => {
  it('enables providers with a key or a base URL in it', () => {
    expect(enableProviders({}, [definition])).toEqual([])
    expect(readEnvironment({ ACME_KEY: 'k', DRAGOMAN_ACME_MODELS: 'a, b' }, definition)).toEqual({
      keys: ['k'],
      models: ['a', 'b'],
    })
    expect(readEnvironment({ ACME_API_KEY: 'x,y', ACME_KEY: 'k' }, definition)).toEqual({ keys: ['x', 'y'] })
    expect(() => enableProviders({ ACME_BASE_URL: 'https://x.example' }, [definition])).toThrow(
      'Provider option "keys" is required by acme (or set ACME_API_KEY).',
    )
  })
})

describe('lists of models', () => {
  it.each([
    ['{"object":"list","data":[{"id":"a"},{"id":"org/b"}]}', ['a', 'org/b']],
    ['{"models":[{"name":"models/a"},{"name":"b"}],"nextPageToken":"x"}', ['a', 'b']],
    ['[{"id":"a"},"b",{"object":"model"},null]', ['a', 'b']],
    ['<html>', []],
    ['{"data":"none"}', []],
  ])('are read from %s', (body, names) => {
    expect(readModelList(body)).toEqual(names)
  })
})

describe('redacting', () => {
  const redact = createRedact(['sk-1', 'sk-1-longer', ''])

  it('removes whole secrets from text', () => {
    expect(redact('sk-1-longer and sk-1 and sk-2')).toBe('[secret] and [secret] and sk-2')
  })

  it('reaches into the causes of an error', () => {
    const inner = new DragomanError('authentication', 'wrong sk-1', { code: 'sk-1', details: { seen: 'sk-1' } })
    const error = redactError(
      new DragomanError('upstream', 'failed', { cause: inner, retryAfter: 3, retry: false }),
      redact,
    )
    expect(error).toMatchObject({ kind: 'upstream', retryAfter: 3, retry: false })
    expect(error.cause).toMatchObject({ message: 'wrong [secret]', code: '[secret]', details: { seen: '[secret]' } })
    const plain = redactError(new DragomanError('upstream', 'failed', { cause: new TypeError('sk-1') }), redact)
    expect(plain.cause).toMatchObject({ message: '[secret]' })
  })
})

describe('a relay with quirks', () => {
  it('is possible if none of them changes the request', () => {
    const quirks = [
      { verb: 'rename', at: 'seed', to: 'random_seed' },
      { verb: 'drop', at: 'settings.topP' },
    ] as const
    const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
    expect(quirkObstacle(chat, quirks, body)).toBeUndefined()
    expect(quirkObstacle(chat, quirks, { ...body, seed: 1 })).toBe('seed has another name there')
    expect(quirkObstacle(chat, quirks, { ...body, top_p: 1 })).toMatch(/^dropped settings.topP/)
  })
})

describe('calls', () => {
  const provider = defineProvider(definition, { keys: ['one', 'two'] })
  const { body: _json, ...bodiless } = OUTBOUND
  const at = (target: Partial<Target>, outbound: Outbound) => provider.call('chat', { ...TARGET, ...target }, outbound)

  it('are a POST with JSON unless the target says otherwise', () => {
    const call = at({}, OUTBOUND)
    expect(call).toMatchObject({ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  })

  it.each(['GET', 'DELETE'] as const)('have no body and no content type with %s', (method) => {
    const call = at({ method }, bodiless)
    expect(call).toMatchObject({ method, body: undefined, headers: { a: 'b' } })
    expect(call.headers).not.toHaveProperty('content-type')
  })

  it('carry a form with the boundary in its content type', async () => {
    const form = new FormData()
    form.append('prompt', 'a ✓ "quoted"')
    form.append('image', new Blob([Uint8Array.of(0, 255, 13, 10)], { type: 'image/png' }), 'a"b.png')
    const body = await encodeMultipart(form)
    const call = at({ body: 'multipart' }, { ...bodiless, body })
    expect(call.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const read = await new Response(call.body as BodyInit, { headers: call.headers }).formData()
    expect(read.get('prompt')).toBe('a ✓ "quoted"')
    const image = read.get('image') as File
    expect([image.name, image.type, ...new Uint8Array(await image.arrayBuffer())]).toEqual([
      'a"b.png',
      'image/png',
      0,
      255,
      13,
      10,
    ])
  })

  it('refuse a body that is not what the target says', () => {
    expect(() => at({ method: 'GET' }, OUTBOUND)).toThrow('needs a body of kind "none"')
    expect(() => at({ body: 'multipart' }, OUTBOUND)).toThrow('needs a body of kind "multipart"')
    expect(() => at({}, bodiless)).toThrow('needs a body of kind "json"')
  })

  it('take the key of an earlier call where it is asked for', () => {
    const first = at({}, OUTBOUND)
    const { key } = first
    const again = [at({ method: 'GET' }, { ...bodiless, key }), at({ method: 'GET' }, { ...bodiless, key })]
    for (const call of again) expect(call.headers['authorization']).toBe(first.headers['authorization'])
    const visited = provider.visit?.('https://api.acme.example/tasks/1', { ...bodiless, key }, 'DELETE')
    expect(visited).toMatchObject({ method: 'DELETE', headers: { authorization: first.headers['authorization'] } })
    expect(at({}, OUTBOUND).headers['authorization']).not.toBe(first.headers['authorization'])
  })
})
