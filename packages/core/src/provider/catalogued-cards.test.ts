import { describe, expect, it } from 'vitest'
import type { Card } from '../ir/model.ts'
import { costOf } from './cost.ts'
import { BEARER, type ProviderDefinition } from './definition.ts'
import type { CatalogueFacts, ProviderOptions } from './options.ts'
import { priceVersion, usd } from './prices.ts'
import { defineProvider } from './provider.ts'

const KNOWN: Card = {
  name: 'one',
  upstream: 'one-2026',
  input: ['text'],
  output: ['text'],
  context: 1000,
  protocols: ['responses'],
  quirks: { responses: [{ verb: 'drop', at: 'settings.temperature' }] },
  prices: usd({ prompt: 2, completion: 8 }),
}
const ACME: ProviderDefinition = {
  name: 'acme',
  baseURL: 'https://api.acme.example/v1',
  endpoints: { chat: '.', responses: '.' },
  auth: BEARER,
  models: [KNOWN],
}

function define(models: { readonly [model: string]: CatalogueFacts }, options: ProviderOptions = {}) {
  const provider = defineProvider(ACME, { keys: 'k', catalogue: { version: 7, models }, ...options })
  return (name: string) => provider.models.find((card) => card.name === name)
}

describe('the models of a provider with a catalogue', () => {
  it('have its facts and prices, item by item, with a version of prices that names it', () => {
    const prices = usd({ prompt: 1 })
    const card = define({ one: { context: 2000, prices } })('one')
    expect(card).toMatchObject({ context: 2000, prices: usd({ prompt: 1, completion: 8 }), quirks: KNOWN.quirks })
    const digest = priceVersion({ ...KNOWN, prices: usd({ prompt: 1, completion: 8 }) })
    expect(card?.priceVersion).toBe(`catalogue-7/${digest}`)
    expect(costOf(card as Card, { input: 10, output: 0 })).toMatchObject({ total: 10_000, version: card?.priceVersion }) // it is there
  })

  it('keep the version of their own prices if it states none, and the one that it names', () => {
    expect(define({ one: { context: 2000 } })('one')?.priceVersion).toBe(priceVersion(KNOWN))
    expect(define({ one: { prices: {}, priceVersion: 'spring' } })('one')?.priceVersion).toBe('spring')
  })

  it('are called as their package says', () => {
    const card = define({ one: { upstream: 'dearer', protocols: ['chat'], like: 'none' } })('one')
    expect(card).toMatchObject({ upstream: 'one-2026', protocols: ['responses'] })
  })

  it('are also new ones, text models unless it says otherwise', () => {
    const of = define({
      two: { upstream: 'two-preview', context: 5, prices: usd({ prompt: 1 }) },
      brush: { image: { most: 2 } },
    })
    expect(of('two')).toMatchObject({ upstream: 'two-preview', context: 5, input: ['text'], output: ['text'] })
    expect(of('two')?.priceVersion).toMatch(/^catalogue-7\/[0-9a-f]{16}$/)
    expect(of('brush')).toMatchObject({ output: ['image'], protocols: ['chat'] })
  })

  it('are called like a known one if it says so', () => {
    expect(define({ two: { like: 'one' } })('two')).toMatchObject({ protocols: ['responses'], quirks: KNOWN.quirks })
    expect(define({ two: { like: 'one' } })('two')).not.toHaveProperty('prices')
    expect(() => define({ two: { like: 'three' } })).toThrow('"catalogue.two.like" names no model of this provider')
  })

  it('have what the operator configures before what it states', () => {
    const catalogue = { one: { context: 2000, maxOutput: 9, prices: usd({ prompt: 1 }) }, two: { context: 5 } }
    const overrides = { one: { context: 3000, prices: usd({ completion: 4 }) } }
    const of = define(catalogue, { overrides, models: [{ name: 'two', context: 6 }] })
    expect(of('one')).toMatchObject({ context: 3000, maxOutput: 9, prices: usd({ prompt: 1, completion: 4 }) })
    expect(of('one')?.priceVersion).toMatch(/^[0-9a-f]{16}$/)
    expect(of('two')).toMatchObject({ context: 6 })
    const other = define(catalogue, { overrides: { one: { context: 3000 } } })
    expect(other('one')?.priceVersion).toMatch(/^catalogue-7\//)
  })

  it('have ceilings of the prices that it states', () => {
    const of = define({ 'one-next': {}, 'one-dear': { prices: usd({ prompt: 50 }) } })
    expect(of('one-next')?.ceiling?.['prompt']).toEqual([{ value: 50, unit: 'perMTokens', currency: 'USD' }])
  })

  it.each([
    [{ two: { protocols: ['genai'] } }, '"catalogue.two.protocols" names genai, which is not spoken here.'],
    [{ two: { video: {} } }, '"catalogue.two.video" is not served here'],
    [{ two: { quirks: {} } }, '"catalogue.two.quirks" is not accepted'],
    [{ two: { context: 1e30 } }, '"catalogue.two.context" must be a whole number'],
  ])('are refused with the path in the catalogue: %j', (models, message) => {
    expect(() => define(models as { readonly [model: string]: CatalogueFacts })).toThrow(message)
  })
})
