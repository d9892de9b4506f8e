import { isWire, type Wire } from './refuse.ts'

/** Members whose content has names of callers. */
const FOREIGN: ReadonlySet<string> = new Set(
  'args response parameters parametersJsonSchema responseSchema responseJsonSchema labels'.split(' '),
)

/** A genai body with camelCase members: Google's JSON also reads the snake_case names of its protocol buffers, which LiteLLM sends. */
export function camelMembers(body: Wire): Wire {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const name = key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
      return [name, FOREIGN.has(name) ? value : camelValue(value)]
    }),
  )
}

function camelValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelValue)
  return isWire(value) ? camelMembers(value) : value
}
