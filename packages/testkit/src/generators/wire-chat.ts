import type { Json, JsonObject } from '@dragoman/core'
import { chat } from '@dragoman/core/schemas'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { schemaAt, wireObject, without, type Hooks } from './grammar.ts'
import { anyBase64, number, url, word, writing } from './json.ts'
import { maybe, never } from './record.ts'
import { audio, call, nullable, thoughts } from './wire-chat-answer.ts'
import { loose, parameters, strict } from './wire.ts'

const at = (...path: string[]) => schemaAt(chat.request, ...path)
const message = (role: string, hooks: Hooks) => wireObject(at('messages', `role=${role}`), hooks)

/** A request of chat clients: every member of the grammar, and both spellings if there are two. */
export function chatRequest(): Arbitrary<JsonObject> {
  const plain = wireObject(chat.request, {
    model: word().map((name) => `some/${name}`),
    messages: conversation(),
    max_completion_tokens: nullable(fc.integer({ min: 1, max: 50_000 })),
    max_tokens: never, // another name of max_completion_tokens
    temperature: nullable(number(0, 2)),
    top_p: nullable(number(0, 1)),
    n: fc.constantFrom<Json>(1, null),
    frequency_penalty: nullable(number(-2, 2)),
    presence_penalty: nullable(number(-2, 2)),
    stop: nullable(fc.oneof<Arbitrary<Json>[]>(word(), fc.array(word(), { minLength: 1, maxLength: 4 }))),
    logit_bias: nullable(fc.constant({ 1234: -5 })),
    seed: fc.nat(),
    verbosity: fc.constantFrom('low', 'medium', 'high'),
    metadata: fc.oneof(fc.record({ user: word() }), fc.constant({})),
    store: fc.boolean(),
    service_tier: fc.constantFrom('auto', 'flex'),
    modalities: fc.constantFrom<Json>(['text'], ['text', 'audio']),
    response_format: responseFormat(),
    web_search_options: loose({}, { search_context_size: fc.constant('low') }),
    provider: fc.record({ type: fc.constant('priority') }),
    user: word(),
    ...without('tools', 'tool_choice', 'parallel_tool_calls'),
    ...without('reasoning', 'reasoning_effort', 'logprobs', 'top_logprobs'),
    ...without('stream', 'stream_options'),
  })
  return fc
    .tuple(plain, maybe(toolMembers()), reasoningMembers(), logprobMembers(), streamMembers())
    .map(([request, tools, reasoning, logprobs, stream]) => ({
      ...request,
      ...tools,
      ...reasoning,
      ...logprobs,
      ...stream,
    }))
}

/** Turns in order. Tool messages answer every call right after it. */
function conversation(): Arbitrary<readonly JsonObject[]> {
  const exchange = fc.record({
    user: message('user', { content: fc.oneof(writing(), fc.array(part(), { minLength: 1, maxLength: 3 })) }),
    assistant: fc
      .tuple(message('assistant', ASSISTANT), texts(), thoughts())
      .map(([members, content, thought]) => ({ ...members, content, ...thought })),
    calls: fc.array(fc.tuple(call(), message('tool', { content: texts(), tool_call_id: never })), { maxLength: 2 }),
    silent: fc.boolean(),
  })
  const instruction = fc.oneof(message('system', { content: texts() }), message('developer', { content: texts() }))
  const instructions = fc.array(instruction, { maxLength: 2 })
  return fc.tuple(instructions, fc.array(exchange, { minLength: 1, maxLength: 3 })).map(([first, exchanges]) => [
    ...first,
    ...exchanges.flatMap(({ user, assistant, calls, silent }, turn) => {
      if (calls.length === 0) return [user, assistant]
      const id = (index: number) => `call_${turn}_${index}`
      const tool_calls = calls.map(([one], index) => ({ ...one, id: id(index) }))
      const answers = calls.map(([, message], index) => ({ ...message, tool_call_id: id(index) }))
      return [user, { ...assistant, ...(silent ? { content: null } : {}), tool_calls }, ...answers]
    }),
  ])
}

/** Content, calls and reasoning are generated separately, because they depend on each other. A refusal would end the conversation, so it is null. */
const ASSISTANT: Hooks = {
  refusal: fc.constant(null),
  audio: fc.oneof(audio(), fc.record({ id: word() })),
  ...without('content', 'tool_calls', 'function_call'),
  ...without('reasoning', 'reasoning_content', 'reasoning_details'),
}

function texts(): Arbitrary<Json> {
  return fc.oneof<Arbitrary<Json>[]>(
    writing(),
    fc.array(contentPart('text', { text: writing() }), { minLength: 1, maxLength: 2 }),
  )
}

function contentPart(type: string, hooks: Hooks): Arbitrary<JsonObject> {
  return wireObject(at('messages', 'role=user', 'content', `type=${type}`), hooks)
}

function part(): Arbitrary<JsonObject> {
  const dataUrl = (mime: string) => anyBase64().map((data) => `data:${mime};base64,${data}`)
  const inside = (type: string, hooks: Hooks) =>
    wireObject(at('messages', 'role=user', 'content', `type=${type}`, type), hooks)
  const image = inside('image_url', {
    url: fc.oneof(url(), dataUrl('image/png')),
    detail: fc.constantFrom('low', 'high', 'auto'),
  })
  const sound = inside('input_audio', { data: anyBase64(), format: fc.constantFrom('wav', 'mp3') })
  const file = fc.oneof(
    loose({ file_id: word() }, { filename: word() }),
    loose({ file_data: dataUrl('application/pdf'), filename: word() }), // OpenAI refuses data without a name
  )
  return fc.oneof(
    { weight: 3, arbitrary: contentPart('text', { text: writing() }) },
    contentPart('image_url', { image_url: image }),
    contentPart('input_audio', { input_audio: sound }),
    contentPart('file', { file }),
    loose({ type: word().map((name) => `x_${name}`) }),
  )
}

function toolMembers(): Arbitrary<JsonObject> {
  const declared = wireObject(at('tools', 'type=function', 'function'), {
    parameters: parameters(),
    strict: nullable(fc.boolean()),
  })
  const custom = wireObject(at('tools', 'type=custom', 'custom'), {
    format: fc.oneof(
      wireObject(at('tools', 'type=custom', 'custom', 'format', 'type=grammar')),
      wireObject(at('tools', 'type=custom', 'custom', 'format', 'type=text')),
      loose({ type: word().map((name) => `x_${name}`) }),
    ),
  })
  const tool = fc.oneof(
    { weight: 4, arbitrary: wireObject(at('tools', 'type=function'), { function: declared }) },
    { weight: 1, arbitrary: wireObject(at('tools', 'type=custom'), { custom }) },
  )
  const choice = fc.oneof<Arbitrary<Json>[]>(
    fc.constantFrom('none', 'auto', 'required'),
    wireObject(at('tool_choice', 'type=function')),
  )
  return strict(
    { tools: fc.array(tool, { minLength: 1, maxLength: 3 }) },
    { tool_choice: choice, parallel_tool_calls: nullable(fc.boolean()) },
  )
}

function responseFormat(): Arbitrary<JsonObject> {
  const schema = wireObject(at('response_format', 'type=json_schema', 'json_schema'), {
    schema: parameters(),
    strict: nullable(fc.boolean()),
  })
  return fc.oneof(
    wireObject(at('response_format', 'type=text')),
    wireObject(at('response_format', 'type=json_object')),
    wireObject(at('response_format', 'type=json_schema'), { json_schema: schema }),
  )
}

function reasoningMembers(): Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constantFrom('none', 'minimal', 'low', 'high', 'x_later').map((reasoning_effort) => ({ reasoning_effort })),
    wireObject(at('reasoning'), {
      enabled: fc.constant(true),
      max_tokens: fc.integer({ min: 1, max: 9000 }),
      effort: fc.constantFrom('low', 'high'),
    }).map((reasoning) => ({ reasoning })),
  )
}

function logprobMembers(): Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constantFrom<JsonObject>(
      { logprobs: false },
      { logprobs: true },
      { logprobs: true, top_logprobs: 0 },
      { logprobs: true, top_logprobs: 5 },
    ),
  )
}

function streamMembers(): Arbitrary<JsonObject> {
  const options = loose({}, { include_usage: fc.boolean(), include_obfuscation: fc.boolean() })
  return fc.oneof(
    fc.constantFrom<JsonObject>({}, { stream: false }, { stream: null }),
    fc
      .tuple(fc.constant(true), maybe(options))
      .map(([stream, stream_options]) => ({ stream, ...(stream_options === undefined ? {} : { stream_options }) })),
  )
}
