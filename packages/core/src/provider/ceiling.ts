import { isPattern, type Card, type Price } from '../ir/model.ts'
import { ITEMS, PRICES_OF, unitOf, type ItemName } from './priced-items.ts'

/**
 * A card without prices, with the highest prices of its family as its ceiling, item by item. A ceiling of its own is used first. The
 * family are the known models whose names begin as the pattern does, or with the same first word; a family without prices gives none.
 */
export function withCeiling(card: Card, known: readonly Card[]): Card {
  if (isPriced(card)) return card
  const ceiling = { ...highestPrices(familyOf(card.name, known)), ...card.ceiling }
  return Object.keys(ceiling).length === 0 ? card : { ...card, ceiling }
}

/** An empty list is a price that an operator has removed. */
function isPriced({ prices, otherPrices }: Card): boolean {
  return [prices, otherPrices].some((group) => Object.values(group ?? {}).some((list) => list.length > 0))
}

function familyOf(name: string, known: readonly Card[]): readonly Card[] {
  if (isPattern(name)) return known.filter((card) => card.name.startsWith(name.slice(0, -1)))
  return known.filter((card) => firstWord(card.name) === firstWord(name))
}

/** `claude` of `claude-opus-5`, `openai` of `openai/gpt-5`. */
function firstWord(name: string): string {
  return /^[a-z]*/i.exec(name)?.[0].toLowerCase() ?? ''
}

/** Under the name of the first price that each item uses, over all sizes, resolutions and the like. */
function highestPrices(cards: readonly Card[]): { readonly [price: string]: readonly Price[] } {
  const highest = new Map<string, Price[]>()
  for (const item of ITEMS) {
    const [name] = PRICES_OF[item]
    const [first, ...others] = cards.flatMap((card) => pricesOf(item, card))
    if (first === undefined) continue
    const { value, unit, currency } = others.reduce((most, each) => (each.value > most.value ? each : most), first)
    highest.set(name, [...(highest.get(name) ?? []), { value, unit, currency }])
  }
  return Object.fromEntries(highest)
}

/** All prices that a card can have for an item: the listed ones count too where a price with conditions comes first. */
function pricesOf(item: ItemName, { prices, otherPrices }: Card): readonly Price[] {
  for (const name of PRICES_OF[item]) {
    const list = [...(otherPrices?.[name] ?? []), ...(prices?.[name] ?? [])].filter(({ unit }) => unit === unitOf(item))
    if (list.length > 0) return list
  }
  return []
}
