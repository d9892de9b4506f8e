import type { Json, JsonObject } from '@dragoman/core'
import { messages } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { isLoopUnsigned } from '../doubles/messages-request.ts'
import { schemaAt, wireObject, without } from './grammar.ts'
import { number, word, writing } from './json.ts'
import { maybe, never } from './record.ts'
import { asked, contentBlocks, textBlock, toolResult, toolUse } from './wire-messages-blocks.ts'
import { loose, parameters, strict } from './wire.ts'

const at = (...path: string[]) => schemaAt(messages.request, ...path)

/** A request of messages clients: every member of the grammar, every block, and both spellings if there are two. */
export function messagesRequest(): Arbitrary<JsonObject> {
  const plain = wireObject(messages.request, {
    model: word().map((name) => `some/${name}`),
    max_tokens: fc.integer({ min: 4096, max: 50_000 }),
    messages: conversation(),
    system: fc.oneof<Arbitrary<Json>[]>(
      writing(),
      fc.array(textBlock(fc.constant(undefined)), { minLength: 1, maxLength: 2 }),
    ),
    stop_sequences: fc.array(word(), { maxLength: 5 }),
    tools: fc.uniqueArray(tool(), { minLength: 1, maxLength: 3, selector: (one) => one['name'] }),
    output_config: outputConfig(),
    metadata: fc.oneof(loose({ user_id: word() }), fc.constant({})),
    service_tier: fc.constantFrom('auto', 'standard_only'),
    ...without('temperature', 'top_p', 'top_k', 'thinking', 'tool_choice'),
  })
  const sampling = strict({}, { temperature: number(0, 1), top_p: number(0, 1), top_k: fc.nat({ max: 50 }) })
  return fc
    .tuple(plain, sampling, maybe(thinking()), maybe(toolChoice()))
    .map(([request, settings, thinks, choice]) => {
      const on = thinks !== undefined && thinks['type'] !== 'disabled'
      const barred = thinks?.['type'] === 'enabled' && isLoopUnsigned(request['messages'])
      const forced = choice !== undefined && choice['type'] !== 'auto' && choice['type'] !== 'none'
      return withFourMarks({
        ...request,
        ...(on ? {} : settings),
        ...(thinks === undefined || (on && forced) || barred ? {} : { thinking: thinks }),
        ...(choice === undefined || request['tools'] === undefined
          ? {}
          : { tool_choice: chosen(choice, request['tools']) }),
      })
    })
}

/** Upstreams accept four cache marks in a request. */
function withFourMarks(request: JsonObject): JsonObject {
  let marks = 0
  const limited = (node: Json): Json => {
    if (isList(node)) return node.map(limited)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([key]) => key !== 'cache_control' || ++marks <= 4)
    return Object.fromEntries(entries.map(([key, value]) => [key, limited(value)]))
  }
  return limited(request) as JsonObject // an object stays an object
}

function isList(node: Json): node is readonly Json[] {
  return Array.isArray(node)
}

/** Turns in order. The next turn begins with the results of all calls. */
function conversation(): Arbitrary<readonly JsonObject[]> {
  const exchange = fc.record({
    ask: fc.oneof(writing(), fc.array(asked(), { minLength: 1, maxLength: 2 })),
    think: fc.array(contentBlocks(), { minLength: 1, maxLength: 3 }).map((groups) => groups.flat()),
    calls: fc.array(fc.record({ use: toolUse(word()), result: toolResult() }), { maxLength: 2 }),
    instruct: maybe(
      fc.oneof(writing(), fc.array(textBlock(fc.constant(undefined)), { minLength: 1, maxLength: 2 })),
      2,
    ),
    marks: fc.array(loose({}), { minLength: 3, maxLength: 3 }),
  })
  return fc.array(exchange, { minLength: 1, maxLength: 3 }).map((exchanges) => {
    let results: JsonObject[] = []
    const turns = exchanges.flatMap(({ ask, think, calls, instruct, marks }, turn) => {
      const content = typeof ask === 'string' && results.length === 0 ? ask : [...results, ...blocksOf(ask)]
      const id = (index: number) => `toolu_${turn}_${index}`
      results = calls.map(({ result }, index) => ({ ...result, tool_use_id: id(index) }))
      const called = calls.map(({ use }, index) => ({ ...use, id: id(index) }))
      return [
        { ...marks[0], role: 'user', content },
        ...(instruct === undefined ? [] : [{ ...marks[2], role: 'system', content: instruct }]),
        { ...marks[1], role: 'assistant', content: [...think, ...called] },
      ]
    })
    return results.length === 0 ? turns : [...turns, { role: 'user', content: results }]
  })
}

function blocksOf(content: string | readonly JsonObject[]): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function tool(): Arbitrary<JsonObject> {
  const custom = fc
    .tuple(
      wireObject(at('tools'), { type: fc.constant('custom'), name: never, input_schema: never }),
      word(),
      parameters(),
    )
    .map(([tool, name, input_schema]) => ({ ...tool, name, input_schema }))
  const cached = { cache_control: wireObject(at('tools', 'cache_control')) }
  const webSearch = loose(
    { type: fc.constant('web_search_20250305'), name: fc.constant('web_search') },
    {
      max_uses: fc.nat({ max: 9 }),
      allowed_domains: fc.constant(['example.com']),
      user_location: loose({ type: fc.constant('approximate'), city: word() }),
      ...cached,
    },
  )
  const bash = loose({ type: fc.constant('bash_20250124'), name: fc.constant('bash') }, cached)
  const toolset = loose({ type: fc.constant('browser_toolset_20260801') }, cached) // has no name
  return fc.oneof({ weight: 4, arbitrary: custom }, webSearch, bash, toolset)
}

function toolChoice(): Arbitrary<JsonObject> {
  const kind = (type: string) => wireObject(at('tool_choice', `type=${type}`))
  return fc.oneof(kind('auto'), kind('any'), kind('tool'), kind('none'))
}

function chosen(choice: JsonObject, tools: Json): JsonObject {
  const first = (tools as readonly JsonObject[]).find(({ name }) => name !== undefined) // as generated above
  if (choice['type'] !== 'tool') return choice
  return first === undefined ? { type: 'auto' } : { ...choice, name: first['name'] ?? '' }
}

function thinking(): Arbitrary<JsonObject> {
  const display = fc.constantFrom('summarized', 'omitted')
  return fc.oneof(
    wireObject(at('thinking', 'type=enabled'), { budget_tokens: fc.integer({ min: 1024, max: 4095 }), display }),
    wireObject(at('thinking', 'type=adaptive'), { display }),
    wireObject(at('thinking', 'type=disabled')),
    wireObject(at('thinking', 'type=between_tools')),
  )
}

function outputConfig(): Arbitrary<JsonObject> {
  const format = loose({ type: fc.constant('json_schema'), schema: parameters() })
  const effort = fc.constantFrom('low', 'medium', 'high', 'max')
  return wireObject(at('output_config'), { format, effort }).filter((config) => Object.keys(config).length > 0)
}
