import type { Card } from '../ir/model.ts'

/**
 * The version of a card's prices: a digest of everything that its cost depends on. Equal prices have the same version, in any order of
 * members, and another price is another version. Undefined if the card has neither prices nor a ceiling.
 */
export function priceVersion({ prices, otherPrices, terms, ceiling, documents, searches }: Card): string | undefined {
  if (prices === undefined && ceiling === undefined) return undefined
  return digest(JSON.stringify(ordered({ prices, otherPrices, terms, ceiling, documents, searches })))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, inside]) => [name, ordered(inside)]))
}

/** 64 bits in hex: FNV-1a, and a second sum with another factor. It identifies and does not protect, and every card has one at start. */
function digest(text: string): string {
  let first = 0x811c9dc5
  let second = 0x1b873593
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ code, 0x85ebca6b)
    second ^= second >>> 13
  }
  return [first, second].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('')
}
