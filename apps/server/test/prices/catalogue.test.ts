import { readFileSync } from 'node:fs'
import type { Card, Price } from '@dragoman/core/provider'
import { expect, it } from 'vitest'
import { cards } from './priced-cards.ts'

/** Written by scripts/cards.ts; the vendors' pages are typed by hand. */
const catalogue = linesOf('catalogue-prices.txt')
const vendors = linesOf('vendor-prices.txt')

it('every price of the cards is in the catalogue or on a page of the vendor, and every such price is in the cards', () => {
  const denied = vendors.flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
  expect(catalogue).toEqual(expect.arrayContaining(denied))
  const stated = [...catalogue.map(inVendorsWords), ...vendors.filter((line) => !line.startsWith('- '))]
  const wanted = stated.filter((line) => !denied.includes(line))
  const priced = [...cards].flatMap(([id, card]) => pricesOf(card).map((price) => `${id} ${price}`))
  expect(priced.toSorted()).toEqual(wanted.toSorted())
})

/** Vendors whose models that write text can search the web. */
const SEARCHING = /^(?:anthropic|google\/gemini-\d|openai\/gpt-\d|x-ai\/grok-[\dc]|groq|perplexity|moonshotai|z-ai)/

/** Their searches have no price: answers do not count them, so that a price would make them look free where a budget must hold. */
const WITHOUT_SEARCH_PRICE = [
  'moonshotai/kimi-k2.5',
  'moonshotai/kimi-k2.6',
  'z-ai/glm-4.7',
  'z-ai/glm-4.7-flash',
  'z-ai/glm-5',
  'z-ai/glm-5.1',
]

it('models that can search have a price for it, or a ceiling where it has several, or are known to have none', () => {
  const searching = [...cards].filter(([id, { output }]) => SEARCHING.test(id) && output.includes('text'))
  const unpriced = searching.flatMap(([id, { prices = {}, ceiling = {} }]) =>
    (prices['web_search'] ?? ceiling['web_search']) === undefined ? [id] : [],
  )
  expect(unpriced.toSorted()).toEqual(WITHOUT_SEARCH_PRICE)
})

function linesOf(file: string): readonly string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** The catalogue has tiers from a size on. All vendors say "above" it, and their words count. */
function inVendorsWords(line: string): string {
  return line.replace(/ gte (?!0\b)/, ' gt ').replace(' lt ', ' lte ')
}

function pricesOf({ prices, otherPrices, terms = [], ceiling, searches }: Card): readonly string[] {
  const listed = [prices, otherPrices].flatMap((group) => itemsOf(group))
  const underTerms = terms.flatMap(({ when, prices: own, factor }) => {
    const name = Object.entries(when).map(([term, words]) => `${term}=${[words].flat().join()}`)
    return factor === undefined
      ? itemsOf(own).map((price) => `${name.join()} ${price}`)
      : [`${name.join()} times ${factor}`]
  })
  // The ceiling of a card without prices is computed.
  const most = prices === undefined ? [] : itemsOf(ceiling).map((price) => `at most ${price}`)
  return [...listed, ...underTerms, ...most, ...(searches === undefined ? [] : [`searches ${searches}`])]
}

function itemsOf(group: Card['prices'] = {}): readonly string[] {
  return Object.entries(group).flatMap(([item, list]) => list.map((price) => `${item} ${describePrice(price)}`))
}

function describePrice({ value, unit, conditions = {} }: Price): string {
  const words = Object.entries(conditions).flatMap(([name, condition]) => {
    if (name !== 'prompt_tokens') return [name, [condition].flat().map(String).join()]
    const { unit: _, ...limits } = condition as { readonly [limit: string]: unknown } // checked by the providers
    return Object.entries(limits).flat().map(String)
  })
  return [value, unit, ...words].join(' ')
}
