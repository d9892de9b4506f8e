import type { PriceTerms } from '@dragoman/core'
import { ceilingOf, costOf, isPattern, type Billed, type Card, type Price } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { createStage, modelOf, optionsFor } from './stage.ts'
import type { ProviderSubject } from './subject.ts'

const MODALITIES = ['text', 'image', 'video', 'audio', 'file']
const UNITS = ['perMTokens', 'perCount', 'perSecond', 'perMegapixel']

interface Listed {
  readonly id: string
}

/** Cards are facts for model lists and for metering. */
export function describeCards(subject: ProviderSubject): void {
  const provider = subject.create(optionsFor(subject, 'https://upstream.example'))
  describe('cards', () => {
    it('have unique names', () => {
      const names = provider.models.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain(modelOf(subject))
    })

    it('[models.pricing] [models.modalities] [models.retiring] are listed unchanged', async () => {
      const retiring = { [modelOf(subject)]: { retires: '2027-03-01' } }
      const stage = await createStage(subject, { overrides: retiring })
      try {
        const { data } = (await (await fetch(`${stage.url}/api/v1/models`)).json()) as {
          readonly data: readonly Listed[]
        }
        const listed = Object.fromEntries(data.map((entry) => [entry.id, entry]))
        const cards = stage.provider.models.filter(({ name }) => !isPattern(name))
        expect(data.length).toBe(cards.length)
        for (const card of cards)
          expect(listed[`${stage.provider.name}/${card.name}`]).toMatchObject({
            input_modalities: card.input,
            output_modalities: card.output,
            capabilities: { reasoning: card.reasoning !== undefined },
            pricings: card.prices ?? {},
          })
        expect(listed[`${stage.provider.name}/${modelOf(subject)}`]).toMatchObject({
          display_name: expect.stringContaining('retiring 2027-03-01') as string,
          deprecation: '2027-03-01',
        })
      } finally {
        await stage.close()
      }
    })

    it.each(provider.models.map((card) => [card.name, card] as const))('%s is plausible', (_name, card) => {
      expect(MODALITIES).toEqual(expect.arrayContaining([...card.input, ...card.output]))
      // Embeddings are not a modality.
      expect(card.embedding === undefined).toBe(card.output.length > 0)
      for (const limit of [card.context ?? 1, card.maxOutput ?? 1])
        expect(Number.isInteger(limit) && limit > 0).toBe(true)
      for (const day of [card.released ?? '2026-01-01', card.retires ?? '2026-01-01'])
        expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(provider.protocols).toEqual(expect.arrayContaining([...(card.protocols ?? [])]))
      for (const price of Object.values({ ...card.prices, ...card.otherPrices }).flat()) {
        expect(price.value).toBeGreaterThanOrEqual(0)
        expect(price.currency).toBe('USD')
        expect(UNITS).toContain(price.unit)
      }
      for (const prices of Object.values(card.prices ?? {})) expect(prices.length).toBeGreaterThan(0)
      for (const unused of unusedPrices(card)) expect.unreachable(`no cost has ${unused}`)
      for (const { when, prices } of card.terms ?? []) {
        const words = Object.entries(when).map(([term, text]) => [term, [text].flat()[0] ?? ''] as const)
        const under: PriceTerms = Object.fromEntries(words)
        expect(ceilingOf(card, { input: 1, ...under })).toBeDefined()
        for (const unused of unusedPrices({ ...card, prices: prices ?? {}, otherPrices: {}, terms: [] }))
          expect.unreachable(`no cost under ${JSON.stringify(when)} has ${unused}`)
      }
      expect(card.priceVersion !== undefined).toBe((card.prices ?? card.ceiling) !== undefined)
      for (const member of ['quirks', 'dialects', 'extensions'] as const)
        expect(provider.protocols).toEqual(expect.arrayContaining(Object.keys(card[member] ?? {})))
    })
  })
}

const PROMPT_TOKENS = [1000, 100_000, 250_000, 1_000_000]
const COUNTED: Billed = {
  output: 500,
  cacheRead: 10,
  cacheWrite5m: 10,
  cacheWrite1h: 10,
  reasoning: 10,
  searches: 1,
  images: 1,
  pixels: [2048 * 2048],
  videoSeconds: 1,
  audioVideoSeconds: 1,
}
const modalities = { AUDIO: 10, IMAGE: 10, VIDEO: 10 }
const USAGES = PROMPT_TOKENS.flatMap((input): readonly Billed[] => [
  { ...COUNTED, input },
  { ...COUNTED, input, modalities: { input: modalities, output: modalities } },
  { ...COUNTED, input, modalities: { input: modalities, cached: { IMAGE: 5 }, output: {} } },
  { ...COUNTED, input, modalities: { input: modalities, cached: { AUDIO: 5 }, output: {} } },
])

/** What conditions can name, so that each price is tried under its own. */
const FACTS = ['resolution', 'quality', 'size'] as const

function factsOf({ conditions = {} }: Price): Partial<Billed> {
  const facts = FACTS.flatMap((fact) => {
    const [first] = [conditions[fact]].flat()
    return typeof first === 'string' ? [[fact, first] as const] : []
  })
  return Object.fromEntries(facts)
}

/** The prices of a card that change no cost, whatever the usage. */
function unusedPrices(card: Card): readonly string[] {
  const unused: string[] = []
  for (const group of ['prices', 'otherPrices'] as const)
    for (const [item, list] of Object.entries(card[group] ?? {}))
      for (const [index, each] of list.entries()) {
        const raised = list.map((price, at): Price => (at === index ? { ...price, value: price.value + 1 } : price))
        const other = { ...card, [group]: { ...card[group], [item]: raised } }
        const isUsed = USAGES.map((usage) => ({ ...usage, ...factsOf(each) })).some(
          (usage) => costOf(card, usage)?.total !== costOf(other, usage)?.total,
        )
        if (!isUsed) unused.push(`${group}.${item}.${index}`)
      }
  return unused
}
