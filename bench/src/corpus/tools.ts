import type { FunctionTool, JsonObject, ModelRequest } from '@dragoman/core'
import { words } from './words.ts'

const TOOLS = 10
const DEPTH = 4
const NAMES = ['path', 'query', 'limit', 'filter', 'range', 'items', 'options', 'owner']

/** A short question with ten tools whose schemas have objects in lists in objects. Each seed makes other names, members and values. */
export function nestedToolsRequest(seed: number): ModelRequest {
  const choose = createChoice(seed)
  return {
    model: 'bench-model',
    messages: [
      { role: 'system', parts: [{ type: 'text', text: words(60) }] },
      { role: 'user', parts: [{ type: 'text', text: words(30, choose(40)) }] },
    ],
    tools: Array.from({ length: TOOLS }, (_none, index) => nestedTool(index, choose)),
    toolChoice: { mode: 'auto' },
    settings: { maxTokens: 4096 },
    delivery: { stream: true, usage: true },
  }
}

/** A number from 0 to below the limit. */
type Choose = (limit: number) => number

function nestedTool(index: number, choose: Choose): FunctionTool {
  return {
    type: 'function',
    name: `tool_${index}_${choose(1_000_000)}`,
    description: words(20 + choose(20), choose(40)),
    schema: { dialect: 'json-schema', value: objectSchema(DEPTH, choose) },
  }
}

function objectSchema(depth: number, choose: Choose): JsonObject {
  const names = Array.from({ length: 3 + choose(3) }, () => `${NAMES[choose(NAMES.length)]}_${choose(1_000_000)}`)
  return {
    type: 'object',
    description: words(6, choose(40)),
    properties: Object.fromEntries(names.map((name) => [name, memberSchema(depth - 1, choose)])),
    required: names.slice(0, 1 + choose(2)),
    additionalProperties: false,
  }
}

const LEAVES: readonly ((choose: Choose) => JsonObject)[] = [
  (choose) => ({ type: 'string', description: words(8, choose(40)) }),
  (choose) => ({ type: 'integer', minimum: choose(10), maximum: 10 + choose(1000) }),
  (choose) => ({
    type: 'string',
    enum: Array.from({ length: 2 + choose(3) }, () => `${NAMES[choose(NAMES.length)]}${choose(100)}`),
  }),
  () => ({ type: 'boolean' }),
]

/** Below the depth, one member in three has members of its own. */
function memberSchema(depth: number, choose: Choose): JsonObject {
  const nested = depth > 0 ? choose(6) : 6
  if (nested === 0) return objectSchema(depth, choose)
  if (nested === 1) return { type: 'array', items: objectSchema(depth, choose), maxItems: 5 + choose(20) }
  const leaf = LEAVES[choose(LEAVES.length)] ?? LEAVES[3]
  return leaf === undefined ? {} : leaf(choose)
}

/** The same numbers for the same seed (Lehmer). */
function createChoice(seed: number): Choose {
  let state = (seed % 2_147_483_646) + 1
  return (limit) => (state = (state * 48_271) % 2_147_483_647) % limit
}
