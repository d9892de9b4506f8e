import type { FunctionTool, JsonObject } from '@dragoman/core'
import { plainWords } from './words.ts'

const DEPTH = 2
const NAMES = ['path', 'query', 'limit', 'filter', 'range', 'items', 'options', 'owner']

/** A number from 0 to below the limit. */
export type Choose = (limit: number) => number

/** A tool whose schema has an object with a list of objects in it. Each sequence of choices makes other names, members and values. */
export function nestedTool(index: number, choose: Choose): FunctionTool {
  return {
    type: 'function',
    name: `tool_${index}_${choose(10_000)}`,
    description: plainWords(5 + choose(5), choose(40)),
    schema: { dialect: 'json-schema', value: objectSchema(DEPTH, choose) },
  }
}

/** Above the lowest level, the first member has members of its own. */
function objectSchema(depth: number, choose: Choose): JsonObject {
  const names = Array.from({ length: 2 }, (_none, index) => nameOf(index, choose))
  const members = names.map((name, index) => [name, index === 0 && depth > 0 ? inner(depth - 1, choose) : leaf(choose)])
  return {
    type: 'object',
    properties: Object.fromEntries(members) as JsonObject, // schemas
    required: names.slice(0, 1),
    ...(depth === DEPTH ? { additionalProperties: false } : {}),
  }
}

function nameOf(index: number, choose: Choose): string {
  return `${NAMES[choose(NAMES.length)]}${index}${choose(100)}`
}

function inner(depth: number, choose: Choose): JsonObject {
  const schema = objectSchema(depth, choose)
  return depth > 0 ? schema : { type: 'array', items: schema, maxItems: 5 + choose(20) }
}

const LEAVES: readonly ((choose: Choose) => JsonObject)[] = [
  () => ({ type: 'boolean' }),
  (choose) => ({ type: 'string', description: plainWords(2 + choose(3), choose(40)) }),
  (choose) => ({ type: 'integer', minimum: choose(10), maximum: 10 + choose(1000) }),
  (choose) => ({
    type: 'string',
    enum: Array.from({ length: 2 }, () => `${NAMES[choose(NAMES.length)]}${choose(100)}`),
  }),
]

function leaf(choose: Choose): JsonObject {
  return LEAVES[choose(LEAVES.length)]?.(choose) ?? {}
}

/** The same numbers for the same seed (Lehmer). */
export function createChoice(seed: number): Choose {
  let state = (seed % 2_147_483_646) + 1
  return (limit) => (state = (state * 48_271) % 2_147_483_647) % limit
}
