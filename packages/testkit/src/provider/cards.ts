import { describe, expect, it } from 'vitest'
import { modelOf, optionsFor } from './stage.ts'
import type { ProviderSubject } from './subject.ts'

const MODALITIES = ['text', 'image', 'video', 'audio', 'file']
const UNITS = ['perMTokens', 'perCount', 'perSecond']

/** Cards are facts that model lists can show and a meter can count with. */
export function describeCards(subject: ProviderSubject): void {
  const provider = subject.create(optionsFor(subject, 'https://upstream.example'))
  describe('cards', () => {
    it('have names of their own', () => {
      const names = provider.models.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toContain(modelOf(subject))
    })

    it.each(provider.models.map((card) => [card.name, card] as const))('%s makes sense', (_name, card) => {
      expect(MODALITIES).toEqual(expect.arrayContaining([...card.input, ...card.output]))
      expect(card.output.length).toBeGreaterThan(0)
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
      for (const member of ['quirks', 'dialects', 'extensions'] as const)
        expect(provider.protocols).toEqual(expect.arrayContaining(Object.keys(card[member] ?? {})))
    })
  })
}
