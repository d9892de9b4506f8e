import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { anyBase64, number, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { call, nullable, thoughts } from './wire-chat-answer.ts'
import { loose, parameters, strict } from './wire.ts'

const cached = () => ({
  cache_control: loose({ type: fc.constant('ephemeral') }, { ttl: fc.constantFrom('5m', '1h') }),
})

/** A request of chat clients: every member, and both spellings if there are two. */
export function chatRequest(): Arbitrary<JsonObject> {
  const bare = loose(
    { model: word().map((name) => `some/${name}`), messages: conversation() },
    {
      max_completion_tokens: nullable(fc.integer({ min: 1, max: 50_000 })),
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
    },
  )
  return fc
    .tuple(bare, maybe(toolMembers()), reasoningMembers(), logprobMembers(), streamMembers())
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
    user: loose(
      { role: fc.constant('user'), content: fc.oneof(writing(), fc.array(part(), { minLength: 1, maxLength: 3 })) },
      { name: word() },
    ),
    assistant: fc
      .tuple(
        loose(
          {
            role: fc.constant('assistant'),
            content: fc.oneof(writing(), fc.array(textPart(), { minLength: 1, maxLength: 2 })),
          },
          { name: word(), refusal: fc.constant(null) },
        ),
        thoughts(),
      )
      .map(([message, thought]) => ({ ...message, ...thought })),
    calls: fc.array(fc.tuple(call(), toolMessage()), { maxLength: 2 }),
    silent: fc.boolean(),
  })
  const instructions = fc.array(
    loose(
      {
        role: fc.constantFrom('system', 'developer'),
        content: fc.oneof(writing(), fc.array(textPart(), { minLength: 1, maxLength: 2 })),
      },
      { name: word() },
    ),
    { maxLength: 2 },
  )
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

function toolMessage(): Arbitrary<JsonObject> {
  return loose(
    { role: fc.constant('tool'), content: fc.oneof(writing(), fc.array(textPart(), { minLength: 1, maxLength: 2 })) },
    { name: word() },
  )
}

function textPart(): Arbitrary<JsonObject> {
  return loose({ type: fc.constant('text'), text: writing() }, cached())
}

function part(): Arbitrary<JsonObject> {
  const dataUrl = (mime: string) => anyBase64().map((data) => `data:${mime};base64,${data}`)
  const image = loose(
    { url: fc.oneof(url(), dataUrl('image/png')) },
    { detail: fc.constantFrom('low', 'high', 'auto') },
  )
  const audio = loose({ data: anyBase64(), format: fc.constantFrom('wav', 'mp3') })
  const file = fc.oneof(
    loose({ file_id: word() }, { filename: word() }),
    loose({ file_data: dataUrl('application/pdf') }, { filename: word() }),
  )
  return fc.oneof(
    { weight: 3, arbitrary: textPart() },
    loose({ type: fc.constant('image_url'), image_url: image }, cached()),
    loose({ type: fc.constant('input_audio'), input_audio: audio }, cached()),
    loose({ type: fc.constant('file'), file }, cached()),
    loose({ type: word().map((name) => `x_${name}`) }),
  )
}

function toolMembers(): Arbitrary<JsonObject> {
  const declared = loose(
    { name: word() },
    { description: writing(), parameters: parameters(), strict: nullable(fc.boolean()) },
  )
  const custom = loose({ name: word() }, { description: writing(), format: fc.constant({ type: 'text' }) })
  const tool = fc.oneof(
    { weight: 4, arbitrary: loose({ type: fc.constant('function'), function: declared }, cached()) },
    { weight: 1, arbitrary: loose({ type: fc.constant('custom'), custom }) },
  )
  const choice = fc.oneof<Arbitrary<Json>[]>(
    fc.constantFrom('none', 'auto', 'required'),
    loose({ type: fc.constant('function'), function: loose({ name: word() }) }),
  )
  return strict(
    { tools: fc.array(tool, { minLength: 1, maxLength: 3 }) },
    { tool_choice: choice, parallel_tool_calls: nullable(fc.boolean()) },
  )
}

function responseFormat(): Arbitrary<JsonObject> {
  const schema = loose(
    { name: word() },
    { schema: parameters(), strict: nullable(fc.boolean()), description: writing() },
  )
  return fc.oneof(
    loose({ type: fc.constantFrom('text', 'json_object') }),
    loose({ type: fc.constant('json_schema'), json_schema: schema }),
  )
}

function reasoningMembers(): Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constantFrom('none', 'minimal', 'low', 'high', 'x_later').map((reasoning_effort) => ({ reasoning_effort })),
    loose(
      {},
      {
        enabled: fc.constant(true),
        max_tokens: fc.integer({ min: 1, max: 9000 }),
        exclude: fc.boolean(),
        effort: fc.constantFrom('low', 'high'),
      },
    ).map((reasoning) => ({ reasoning })),
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
