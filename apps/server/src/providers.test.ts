import { describe, expect, it } from 'vitest'
import type { Mistake } from './config/mistakes.ts'
import type { Config } from './config/schema.ts'
import { buildProviders, type ProviderSources } from './providers.ts'

const OUTBOUND = { headers: {}, body: '{}', deadlines: { connect: 1, head: 1, idle: 1, total: 1 } }

async function build(providers: Config['providers'], environment = {}, found?: ProviderSources['found']) {
  const mistakes: Mistake[] = []
  const built = await buildProviders(
    { environment, inlineBytes: 1024 ** 2, folder: import.meta.dirname, config: { providers }, found },
    mistakes,
  )
  const of = (name: string) => built.find((provider) => provider.name === name)
  const call = (name: string, protocol: string) => of(name)?.call(protocol, { path: '/go', headers: {} }, OUTBOUND)
  return {
    names: built.map(({ name }) => name),
    of,
    call,
    mistakes: mistakes.map(({ path, reason }) => `${path.join('.')} ${reason}`),
  }
}

describe('the providers of a configuration', () => {
  it('are those of the environment and those of the file', async () => {
    const environment = {
      OPENAI_API_KEY: 'k',
      DRAGOMAN_COMPATIBLE: 'house',
      DRAGOMAN_HOUSE_BASE_URL: 'http://h.example',
    }
    expect((await build(undefined, environment)).names).toEqual(['openai', 'house'])
    const { names, mistakes } = await build(
      { anthropic: { key: 'a' }, lab: { baseURL: 'http://l.example' } },
      environment,
    )
    expect(names).toEqual(['openai', 'anthropic', 'house', 'lab'])
    expect(mistakes).toEqual([])
  })

  it('are the simulator alone if nothing else is configured, and beside others only if it is asked for', async () => {
    const detected = { ollama: { baseURL: 'http://127.0.0.1:11434/v1', models: [{ name: 'llama' }] } }
    const key = { OPENAI_API_KEY: 'k' }
    const address = { OLLAMA_BASE_URL: 'http://box.example/v1' }
    const lab = { baseURL: 'http://l.example' }
    expect((await build(undefined)).names).toEqual(['sim'])
    expect((await build({ openai: false }, key)).names).toEqual(['sim'])
    expect((await build(undefined, {}, detected)).names).toEqual(['sim', 'ollama'])
    expect((await build(undefined, key)).names).toEqual(['openai'])
    expect((await build(undefined, key, detected)).names).toEqual(['openai', 'ollama'])
    expect((await build(undefined, address, detected)).names).toEqual(['ollama'])
    expect((await build({ lab })).names).toEqual(['lab'])
    expect((await build({ lab, sim: true })).names).toEqual(['sim', 'lab'])
    expect((await build({ lab, sim: { tokensPerSecond: 9 } })).names).toEqual(['sim', 'lab'])
    expect((await build({ sim: false })).names).toEqual([])
  })

  it('have the simulator as a variable says, unless the file says otherwise', async () => {
    const on = { OPENAI_API_KEY: 'k', DRAGOMAN_SIM: 'on' }
    expect((await build(undefined, on)).names).toEqual(['sim', 'openai'])
    expect((await build({ sim: false }, on)).names).toEqual(['openai'])
    expect((await build(undefined, { DRAGOMAN_SIM: 'off' })).names).toEqual([])
    expect((await build({ sim: true }, { DRAGOMAN_SIM: 'off' })).names).toEqual(['sim'])
    expect((await build(undefined, { DRAGOMAN_SIM: 'maybe' })).mistakes).toEqual([
      ' DRAGOMAN_SIM must be one of on, off.',
    ])
  })

  it('can be disabled whatever the environment has', async () => {
    const environment = { OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k' }
    expect((await build({ openai: false, groq: { enabled: false } }, environment)).names).toEqual(['sim'])
  })

  it('use the file before the environment, and the key from either', async () => {
    const environment = { OPENAI_API_KEY: 'from-environment', OPENAI_BASE_URL: 'https://environment.example' }
    const { call } = await build({ openai: { baseURL: 'https://file.example/v1' } }, environment)
    expect(call('openai', 'chat')).toMatchObject({
      url: 'https://file.example/v1/go',
      headers: { authorization: 'Bearer from-environment' },
    })
    const own = await build({ openai: { keys: ['one', 'two,three'] } }, environment)
    const used = [1, 2, 3].map(() => own.call('openai', 'chat')?.headers['authorization'])
    expect(used).toEqual(['Bearer one', 'Bearer two', 'Bearer three'])
  })

  it('have additional models, and cards with changed facts', async () => {
    const { of } = await build({
      anthropic: {
        key: 'k',
        models: ['claude-next', { name: 'claude-mine', context: 1000, input: ['text', 'image'] }],
        overrides: { 'claude-next': { maxOutput: 77, quality: 92, prices: {} } },
      },
    })
    const cards = of('anthropic')?.models ?? []
    expect(cards.find(({ name }) => name === 'claude-next')).toMatchObject({
      maxOutput: 77,
      quality: 92,
      prices: {},
      input: ['text'],
    })
    expect(cards.find(({ name }) => name === 'claude-mine')).toMatchObject({ context: 1000, input: ['text', 'image'] })
  })

  it('have prices under other terms and ceilings from the file, which are checked', async () => {
    const price = { value: 4, unit: 'perMTokens', currency: 'USD' } as const
    const flex = { when: { tier: 'flex' }, prices: { prompt: [price] } }
    const { of } = await build({
      anthropic: {
        key: 'k',
        models: [{ name: 'mine', ceiling: { prompt: [price] } }],
        overrides: { 'claude-*': { ceiling: { prompt: [price] } }, 'claude-sonnet-4.6': { terms: [flex] } },
      },
    })
    const cards = new Map(of('anthropic')?.models.map((card) => [card.name, card]))
    expect(cards.get('claude-sonnet-4.6')?.terms).toEqual([flex])
    expect(cards.get('mine')?.ceiling).toEqual({ prompt: [price] })
    expect(cards.get('claude-*')?.ceiling).toMatchObject({ prompt: [price], completion: [{ value: 50 }] })
    const { mistakes } = await build({
      anthropic: { key: 'k', overrides: { 'claude-*': { terms: [{ when: { teir: 'flex' }, factor: 2 }] } } },
    })
    expect(mistakes).toEqual([expect.stringContaining('did you mean "tier"?')])
  })

  it('have their own prices, item by item, with a version', async () => {
    const price = { value: 2.4, unit: 'perMTokens', currency: 'USD' } as const
    const { of } = await build({
      anthropic: {
        key: 'k',
        overrides: {
          'claude-sonnet-4.6': { prices: { prompt: [price] }, priceVersion: 'contract' },
          'claude-*': { prices: { prompt: [price], completion: [{ ...price, value: 12 }] } },
        },
      },
    })
    const card = (name: string) => of('anthropic')?.models.find((each) => each.name === name)
    expect(card('claude-sonnet-4.6')).toMatchObject({
      priceVersion: 'contract',
      prices: { prompt: [{ value: 2.4 }], completion: [{ value: 15 }] },
    })
    expect(card('claude-*')).toMatchObject({ prices: { prompt: [{ value: 2.4 }] } })
  })

  it('may be any upstream with a protocol at a base URL, with its key in the header of the protocol', async () => {
    const { call, of } = await build({
      chatty: { baseURL: 'http://c.example/v1', key: 'c', models: ['m'] },
      wordy: { baseURL: 'http://w.example', key: 'w', endpoints: { messages: '.' }, models: ['m'] },
      both: { key: 'b', endpoints: { genai: 'http://g.example/v1', chat: 'http://b.example' }, models: ['m'] },
      odd: {
        baseURL: 'http://o.example',
        key: 'o',
        auth: { header: 'x-key', prefix: 'Key ' },
        headers: { 'x-team': 't' },
      },
      deep: { baseURL: 'http://d.example', like: 'deepseek', models: ['m'] },
    })
    expect(call('chatty', 'chat')).toMatchObject({
      url: 'http://c.example/v1/go',
      headers: { authorization: 'Bearer c' },
    })
    expect(call('wordy', 'messages')).toMatchObject({ url: 'http://w.example/go', headers: { 'x-api-key': 'w' } })
    expect(call('both', 'chat')).toMatchObject({ url: 'http://b.example/go', headers: { 'x-goog-api-key': 'b' } })
    expect(call('odd', 'chat')).toMatchObject({ headers: { 'x-key': 'Key o', 'x-team': 't' } })
    expect(of('deep')).toMatchObject({
      protocols: ['chat', 'messages', 'responses'],
      models: [{ name: 'm', issuer: 'deep' }],
    })
  })

  it('[embed.config] can have models for embeddings', async () => {
    const embedding = { dimensions: 1024, sizes: [256, 1024], perCall: 64, tokens: true }
    const { of } = await build({ lab: { baseURL: 'http://l.example', models: [{ name: 'bge', embedding }] } })
    expect(of('lab')).toMatchObject({ models: [{ name: 'bge', embedding }] })
  })

  it('get all mistakes', async () => {
    const { mistakes } = await build({
      anthropic: true,
      opanai: {},
      house: { baseURL: 'ftp://x' },
      lab: { baseURL: 'http://x', like: 'depseek' },
      groq: { key: 'k', like: 'openai', tokensPerSecond: 3, videoSeconds: 1 },
      openai: { key: 'k', overrides: { nobody: { context: 3 } } },
      google: { key: 'k', overrides: { 'gemini-2.5-pro': { prices: { promt: [] } } } },
      sim: { key: 'k' },
    })
    expect(new Set(mistakes)).toEqual(
      new Set([
        'providers.anthropic.keys is required by anthropic (or set ANTHROPIC_API_KEY)',
        'providers.opanai needs a baseURL, being no known provider; did you mean "openai"?',
        'providers.house.baseURL must be an http or https URL',
        'providers.lab.like names no known provider; did you mean "deepseek"?',
        'providers.groq.like is for providers that are not known by name',
        'providers.groq.tokensPerSecond is for the simulator alone',
        'providers.groq.videoSeconds is for the simulator alone',
        'providers.openai.overrides.nobody names no model',
        'providers.google.overrides.gemini-2.5-pro.prices.promt is no price; did you mean "prompt"?',
        'providers.sim.key is not for the simulator',
      ]),
    )
  })

  it('with mistakes in the environment are named', async () => {
    const environment = { DEEPSEEK_BASE_URL: 'https://deep.example', DRAGOMAN_COMPATIBLE: 'house,barn' }
    const { mistakes } = await build({}, environment)
    expect(mistakes).toEqual([
      expect.stringContaining('DRAGOMAN_HOUSE_BASE_URL'),
      expect.stringContaining('DRAGOMAN_BARN_BASE_URL'),
      expect.stringMatching(/deepseek have a mistake: .*"keys".*DEEPSEEK_API_KEY/),
    ])
  })
})
