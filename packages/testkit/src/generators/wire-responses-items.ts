import type { Json, JsonObject } from '@dragoman/core'
import { responses } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without, type Hooks } from './grammar.ts'
import { anyBase64, base64, count, number, sealValue, text, url, word, writing } from './json.ts'
import { maybe, never } from './record.ts'
import { input, loose, piecesOf, strict, textOf } from './wire.ts'

const at = (...path: string[]) => schemaAt(responses.request, ...path)
const item = (type: string, hooks: Hooks) => wireObject(at('input', `type=${type}`), hooks)
const content = (type: string, hooks: Hooks) =>
  wireObject(at('input', 'type=message', 'content', `type=${type}`), hooks)

/** Where an item comes from: clients may leave out ids, upstreams do not. */
export type Side = 'client' | 'upstream'

function withId(prefix: string, side: Side, arbitrary: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  const id = word().map((name) => `${prefix}_${name}`)
  return fc
    .tuple(arbitrary, side === 'upstream' ? id : maybe(id, 6))
    .map(([members, id]) => (id === undefined ? members : { ...members, id }))
}

/** No two items have the same id. */
export function withOwnIds(items: readonly JsonObject[]): JsonObject[] {
  return items.map((item, index) => (typeof item['id'] === 'string' ? { ...item, id: `${item['id']}${index}` } : item))
}

/** Data with its type, as a data URL. */
function dataUrl(mime: string): Arbitrary<string> {
  return anyBase64().map((data) => `data:${mime};base64,${data}`)
}

/** A part of a user's message. */
export function asked(): Arbitrary<JsonObject> {
  const image = fc.oneof(
    fc.record({ image_url: fc.oneof(url(), dataUrl('image/png')) }),
    fc.record({ file_id: word() }),
  )
  const file = fc.oneof(
    fc.record({ file_data: dataUrl('application/pdf'), filename: word() }),
    fc.record({ file_url: url() }),
    fc.record({ file_id: word() }),
  )
  return fc.oneof(
    { weight: 4, arbitrary: inputText() },
    fc
      .tuple(content('input_image', { ...without('image_url', 'file_id'), prompt_cache_breakpoint: mark() }), image)
      .map(([part, source]) => ({ ...part, ...source })),
    fc
      .tuple(
        content('input_file', {
          ...without('file_id', 'file_data', 'file_url', 'filename'),
          prompt_cache_breakpoint: mark(),
        }),
        file,
      )
      .map(([part, source]) => ({ ...part, ...source })),
    content('input_audio', {
      input_audio: loose({ data: anyBase64(), format: fc.constantFrom('wav', 'mp3') }),
    }),
    loose({ type: word().map((name) => `x_${name}`) }),
  )
}

export function inputText(): Arbitrary<JsonObject> {
  return content('input_text', { text: writing(), prompt_cache_breakpoint: mark() })
}

function mark(): Arbitrary<JsonObject> {
  return fc.constantFrom<JsonObject>({ mode: 'explicit' }, { mode: 'explicit', ttl: '30m' }, { mode: 'x_new' })
}

/** A text of the assistant. */
export function outputText(side: Side): Arbitrary<JsonObject> {
  const annotations = fc.array(annotation(), { minLength: 1, maxLength: 2 })
  const plain = content('output_text', { text: writing(), annotations, logprobs: never })
  if (side === 'client') return plain
  return fc.tuple(plain, maybe(fc.array(logprob(), { minLength: 1, maxLength: 3 }))).map(([part, probabilities]) => {
    const pieces = piecesOf(textOf(part['text']), [4])
    const logprobs =
      probabilities && pieces.map((token, index) => ({ ...probabilities[index % probabilities.length], token }))
    return logprobs === undefined ? part : { ...part, logprobs }
  })
}

function logprob(): Arbitrary<JsonObject> {
  const bytes = fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 2 })
  const one = { token: word(), logprob: number(-9, 0), bytes }
  return strict({ ...one, top_logprobs: fc.array(strict(one), { maxLength: 2 }) })
}

function annotation(): Arbitrary<JsonObject> {
  const position = { start_index: count(), end_index: count() }
  return fc.oneof(
    loose({ type: fc.constant('url_citation'), url: url(), title: writing(), ...position }),
    loose({ type: fc.constant('file_citation'), file_id: word(), filename: word(), index: count() }),
    loose({ type: fc.constant('container_file_citation'), file_id: word(), container_id: word(), ...position }),
    loose({ type: fc.constant('file_path'), file_id: word(), index: count() }),
  )
}

function outputPart(side: Side): Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 5, arbitrary: outputText(side) },
    { weight: 1, arbitrary: content('refusal', { refusal: writing() }) },
    { weight: 1, arbitrary: loose({ type: word().map((name) => `x_${name}`) }) },
  )
}

/** A message of the assistant. */
export function message(side: Side): Arbitrary<JsonObject> {
  const parts = fc.array(outputPart(side), { minLength: 1, maxLength: 2 })
  const members = loose(
    { type: fc.constant('message'), role: fc.constant('assistant'), content: parts },
    { phase: fc.constantFrom('commentary', 'final_answer'), status: fc.constant('completed') },
  )
  return withId('msg', side, members)
}

/** Reasoning with a summary that only its issuer can continue. Upstreams may show it without. */
export function reasoning(side: Side): Arbitrary<JsonObject> {
  const texts = (type: string): Arbitrary<Json> =>
    fc.array(loose({ type: fc.constant(type), text: text() }), { minLength: 1, maxLength: 2 })
  const summed = strict({ summary: texts('summary_text'), encrypted_content: sealValue() })
  const hidden = strict({ summary: fc.constant([]), encrypted_content: sealValue() })
  const thought = strict({ summary: fc.constant([]), content: texts('reasoning_text'), encrypted_content: sealValue() })
  const open = fc.oneof(
    strict({ summary: texts('summary_text') }),
    strict({ summary: fc.constant([]), content: texts('reasoning_text') }),
  )
  const kinds = side === 'client' ? fc.oneof(summed, hidden, thought) : fc.oneof(summed, hidden, open)
  return withId(
    'rs',
    side,
    fc.tuple(loose({}), kinds).map(([more, kind]) => ({ ...more, type: 'reasoning', ...kind })),
  )
}

export function call(side: Side): Arbitrary<JsonObject> {
  const hooks = { ...without('id', 'call_id'), name: toolName(), namespace: toolName() }
  const json = item('function_call', { ...hooks, arguments: input().map((value) => JSON.stringify(value)) })
  const free = item('custom_tool_call', { ...hooks, input: text() })
  return fc.oneof({ weight: 3, arbitrary: withId('fc', side, json) }, withId('ctc', side, free))
}

/** A call with an item of its own kind, and its result. */
export interface TypedCall {
  readonly call: JsonObject
  readonly output: JsonObject
}

/** Calls that the client runs, by an action, and their results. `tools`: what a search finds. */
export function typedCall(tools: Arbitrary<JsonObject>): Arbitrary<TypedCall> {
  const action = loose({ type: word(), commands: fc.array(word(), { maxLength: 2 }) })
  const kind = (type: string, prefix: string, members: Record<string, Arbitrary<Json>>) =>
    withId(prefix, 'upstream', loose({ type: fc.constant(`${type}_call`), ...members }))
  const answer = (type: string, members: Record<string, Arbitrary<Json>>) =>
    loose({ type: fc.constant(`${type}_output`), ...members })
  const ran = strict({ stdout: text(), stderr: text(), outcome: fc.constant({ type: 'exit', exit_code: 0 }) })
  const screenshot = strict({ type: fc.constant('computer_screenshot'), image_url: url() })
  const client = { execution: fc.constant('client') }
  return fc.oneof(
    fc.record({
      call: strict({ type: fc.constant('tool_search_call'), ...client, arguments: input() }),
      output: strict({
        type: fc.constant('tool_search_output'),
        ...client,
        tools: fc.array(tools, { minLength: 1, maxLength: 2 }),
      }),
    }),
    fc.record({
      call: withId('sh', 'upstream', strict({ type: fc.constant('shell_call'), action })),
      output: answer('shell_call', { output: fc.array(ran, { maxLength: 2 }) }),
    }),
    fc.record({
      call: kind('local_shell', 'lsh', { action }),
      output: answer('local_shell_call', { output: writing() }),
    }),
    fc.record({
      call: kind('apply_patch', 'apc', { operation: action }),
      output: strict({
        type: fc.constant('apply_patch_call_output'),
        status: fc.constantFrom('completed', 'failed'),
        output: writing(),
      }),
    }),
    fc.record({ call: kind('computer', 'cu', { action }), output: answer('computer_call', { output: screenshot }) }),
  )
}

/** Letters, digits, dashes. */
export function toolName(): Arbitrary<string> {
  return word().map((name) => name.replace(/[^a-zA-Z0-9_-]/g, '_') || 'f')
}

/** Calls that the upstream runs itself. */
export function hosted(): Arbitrary<JsonObject> {
  const action = strict(
    { type: fc.constant('search'), query: writing() },
    { queries: fc.array(writing(), { minLength: 1, maxLength: 2 }), sources: fc.array(source(), { maxLength: 2 }) },
  )
  const page = strict({ type: fc.constant('open_page'), url: url() })
  const search = strict({
    type: fc.constant('web_search_call'),
    status: fc.constantFrom('completed', 'completed', 'searching'),
    action: fc.oneof({ weight: 4, arbitrary: action }, page),
  })
  const image = item('image_generation_call', { id: never, status: fc.constant('completed'), result: base64() })
  const other = loose({ type: word().map((name) => `x_${name}`) })
  const output = fc.oneof(
    strict({ type: fc.constant('logs'), logs: text() }),
    strict({ type: fc.constant('image'), url: url() }),
  )
  const code = strict({
    type: fc.constant('code_interpreter_call'),
    status: fc.constantFrom('completed', 'completed', 'failed', 'interpreting'),
    container_id: word(),
    code: text(),
    outputs: fc.oneof<Arbitrary<Json>[]>(fc.array(output, { maxLength: 2 }), fc.constant(null)),
  })
  return fc.oneof(
    withId('ci', 'upstream', code),
    withId('ws', 'upstream', search),
    withId(
      'ig',
      'upstream',
      fc.tuple(image, base64()).map(([call, result]) => ({ status: 'completed', ...call, result })),
    ),
    other,
  )
}

function source(): Arbitrary<JsonObject> {
  return loose({ type: fc.constant('url'), url: url() })
}
