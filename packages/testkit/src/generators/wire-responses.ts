import type { Json, JsonObject } from '@dragoman/core'
import { responses } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without } from './grammar.ts'
import { number, word, writing } from './json.ts'
import { maybe } from './record.ts'
import {
  asked,
  call,
  hosted,
  inputText,
  message,
  reasoning,
  toolName,
  typedCall,
  withOwnIds,
} from './wire-responses-items.ts'
import { loose, parameters, strict } from './wire.ts'

const at = (...path: string[]) => schemaAt(responses.request, ...path)

/** A request of responses clients: every member of the grammar, every item, and both spellings if there are two. */
export function responsesRequest(): Arbitrary<JsonObject> {
  const plain = wireObject(responses.request, {
    model: word().map((name) => `some/${name}`),
    input: fc.oneof<Arbitrary<Json>[]>(writing(), conversation()),
    instructions: writing(),
    text: textConfig(),
    reasoning: reasoningConfig(),
    max_output_tokens: fc.integer({ min: 16, max: 50_000 }),
    top_p: number(0, 1),
    include: fc.uniqueArray(
      fc.constantFrom('reasoning.encrypted_content', 'web_search_call.action.sources', 'message.output_text.logprobs'),
      { minLength: 1 },
    ),
    metadata: fc.oneof(fc.record({ team: word() }), fc.constant({})),
    ...without('tools', 'tool_choice', 'parallel_tool_calls', 'stream_options'),
  })
  return fc.tuple(plain, maybe(toolMembers())).map(([request, tools]) => ({ ...request, ...tools }))
}

/** Turns in order. All calls are answered after the turn. */
function conversation(): Arbitrary<readonly JsonObject[]> {
  const written = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: message('client') },
      { weight: 2, arbitrary: reasoning('client') },
      { weight: 1, arbitrary: hosted() },
    ),
    { maxLength: 3 },
  )
  const exchange = fc.record({
    ask: userMessage(),
    instruct: maybe(instruction(), 2),
    written,
    calls: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.record({ call: call('client'), output: output() }) },
        { weight: 1, arbitrary: typedCall(tool()) },
      ),
      { maxLength: 2 },
    ),
    tools: maybe(addedTools(), 1),
  })
  return fc.array(exchange, { minLength: 1, maxLength: 3 }).map((exchanges) =>
    withOwnIds(
      exchanges.flatMap(({ ask, instruct, written, calls, tools }, turn) => {
        const id = (index: number) => `call_${turn}_${index}`
        return [
          ...(instruct === undefined ? [] : [instruct]),
          ...(tools === undefined ? [] : [tools]),
          ask,
          ...written,
          ...calls.map(({ call }, index) => ({ ...call, call_id: id(index) })),
          ...calls.map(({ call, output }, index) => ({
            type: call['type'] === 'function_call' ? 'function_call_output' : 'custom_tool_call_output',
            ...output,
            call_id: id(index),
          })),
        ]
      }),
    ),
  )
}

function contentOf(part: Arbitrary<JsonObject>): Arbitrary<Json> {
  return fc.oneof<Arbitrary<Json>[]>(writing(), fc.array(part, { minLength: 1, maxLength: 2 }))
}

function userMessage(): Arbitrary<JsonObject> {
  return loose(
    { role: fc.constant('user'), content: contentOf(asked()) },
    { type: fc.constant('message'), id: word().map((name) => `msg_${name}`), status: fc.constant('completed') },
  )
}

function instruction(): Arbitrary<JsonObject> {
  return loose(
    { role: fc.constantFrom('system', 'developer'), content: contentOf(inputText()) },
    { type: fc.constant('message') },
  )
}

function output(): Arbitrary<JsonObject> {
  return loose({ output: contentOf(asked()) }, { id: word().map((name) => `fc_${name}`) })
}

function addedTools(): Arbitrary<JsonObject> {
  return loose({
    type: fc.constant('additional_tools'),
    role: fc.constant('developer'),
    tools: fc.array(tool(), { minLength: 1, maxLength: 2 }),
  })
}

function toolMembers(): Arbitrary<JsonObject> {
  const choice = fc.oneof<Arbitrary<Json>[]>(
    fc.constantFrom('none', 'auto', 'required'),
    wireObject(at('tool_choice', 'type=function'), { type: fc.constant('function'), name: fc.constant('f') }),
    loose({ type: fc.constant('web_search') }),
    strict({
      type: fc.constant('allowed_tools'),
      mode: fc.constantFrom('auto', 'required'),
      tools: fc.constant([
        { type: 'function', name: 'f' },
        { type: 'function', name: 'g' },
      ]),
    }),
  )
  return strict(
    { tools: fc.array(fc.oneof({ weight: 3, arbitrary: tool() }, namespace()), { minLength: 1, maxLength: 3 }) },
    { tool_choice: choice, parallel_tool_calls: fc.boolean() },
  )
}

function ownTool(): Arbitrary<JsonObject> {
  const grammar = wireObject(at('tools', 'type=custom', 'format', 'type=grammar'))
  const anyText = wireObject(at('tools', 'type=custom', 'format', 'type=text'))
  return fc.oneof(
    wireObject(at('tools', 'type=function'), { name: toolName(), parameters: parameters() }),
    wireObject(at('tools', 'type=custom'), { name: toolName(), format: fc.oneof(grammar, anyText) }),
  )
}

function tool(): Arbitrary<JsonObject> {
  const search = loose({ type: fc.constantFrom('web_search', 'file_search', 'x_new') }, { search_context_size: word() })
  const finder = loose(
    { type: fc.constant('tool_search'), execution: fc.constant('client'), parameters: parameters() },
    { description: writing() },
  )
  return fc.oneof({ weight: 6, arbitrary: ownTool() }, { weight: 2, arbitrary: search }, finder)
}

function namespace(): Arbitrary<JsonObject> {
  return wireObject(at('tools', 'type=namespace'), {
    name: toolName(),
    tools: fc.array(ownTool(), { minLength: 1, maxLength: 2 }),
  })
}

function textConfig(): Arbitrary<JsonObject> {
  const schema = wireObject(at('text', 'format', 'type=json_schema'), { name: toolName(), schema: parameters() })
  return loose(
    {},
    {
      format: fc.oneof<Arbitrary<JsonObject>[]>(
        schema,
        fc.constant({ type: 'json_object' }),
        fc.constant({ type: 'text' }),
        loose({ type: fc.constant('x_new') }),
      ),
      verbosity: fc.constantFrom('low', 'high'),
    },
  )
}

function reasoningConfig(): Arbitrary<JsonObject> {
  const effort = fc.constantFrom('none', 'low', 'high', 'max')
  return loose({}, { effort, summary: fc.constantFrom('auto', 'detailed'), context: fc.constant('all_turns') })
}
