import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { number, sealValue, text, url, word, writing } from './json.ts'
import { maybe } from './record.ts'
import { input, loose, textOf } from './wire.ts'

export const nullable = <T extends Json>(arbitrary: Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constant(null) })

/** A whole response. */
export function chatResponse(): Arbitrary<JsonObject> {
  return fc
    .record({ head: head(), choice: choice(), message: answer(), usage: maybe(chatUsage(), 7) })
    .map(({ head, choice, message, usage }) => ({
      ...head,
      choices: [{ ...fitting(choice, message), index: 0, message }],
      ...(usage === undefined ? {} : { usage }),
    }))
}

/** The finish reason of a turn with calls is not stop. */
function fitting(choice: JsonObject, message: JsonObject): JsonObject {
  return message['tool_calls'] !== undefined && choice['finish_reason'] === 'stop'
    ? { ...choice, finish_reason: 'tool_calls' }
    : choice
}

function chatUsage(): Arbitrary<JsonObject> {
  const counts = loose(
    { prompt_tokens: fc.nat({ max: 9000 }), completion_tokens: fc.nat({ max: 9000 }) },
    {
      prompt_tokens_details: loose({ cached_tokens: fc.nat({ max: 900 }) }, { audio_tokens: fc.nat({ max: 9 }) }),
      completion_tokens_details: loose(
        { reasoning_tokens: fc.nat({ max: 900 }) },
        { accepted_prediction_tokens: fc.nat({ max: 9 }) },
      ),
    },
  )
  return counts.map((usage) => ({
    ...usage,
    total_tokens: Number(usage['prompt_tokens']) + Number(usage['completion_tokens']),
  }))
}

function head(): Arbitrary<JsonObject> {
  return loose(
    {
      id: word().map((id) => `chatcmpl-${id}`),
      object: fc.constant('chat.completion'),
      created: fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
      model: word(),
    },
    { system_fingerprint: word(), service_tier: fc.constantFrom('default', 'flex') },
  )
}

function choice(): Arbitrary<JsonObject> {
  const top = loose({
    token: writing(),
    logprob: number(-50, 0),
    bytes: nullable(fc.array(fc.nat({ max: 255 }), { maxLength: 3 })),
  })
  const token = loose({
    token: writing(),
    logprob: number(-50, 0),
    bytes: nullable(fc.array(fc.nat({ max: 255 }), { maxLength: 3 })),
    top_logprobs: fc.array(top, { maxLength: 2 }),
  })
  const logprobs = loose({ content: fc.array(token, { minLength: 1, maxLength: 3 }), refusal: fc.constant(null) })
  return loose(
    { finish_reason: fc.constantFrom('stop', 'length', 'content_filter', 'tool_calls', 'x_new_reason') },
    { logprobs: nullable(logprobs) },
  )
}

/** The message of a response: reasoning, text, refusal and calls, in that order. */
function answer(): Arbitrary<JsonObject> {
  const annotation = loose({
    type: fc.constant('url_citation'),
    url_citation: loose({
      url: url(),
      title: writing(),
      start_index: fc.nat({ max: 5 }),
      end_index: fc.nat({ max: 9 }),
    }),
  })
  const content = loose(
    { role: fc.constant('assistant'), content: nullable(writing()) },
    {
      refusal: nullable(writing()),
      tool_calls: calls(),
      annotations: fc.array(annotation, { minLength: 1, maxLength: 2 }),
      audio: audio(),
    },
  )
  return fc.tuple(content, thoughts()).map(([message, thought]) => {
    const { annotations, ...rest } = message
    return { ...rest, ...(message['content'] === null || annotations === undefined ? {} : { annotations }), ...thought }
  })
}

/** The audio of a model's answer. */
export function audio(): Arbitrary<JsonObject> {
  return loose({
    id: word().map((id) => `audio_${id}`),
    data: fc.constantFrom('UklGRiQAAABXQVZF', 'SUQzBAAA', 'CAAIAAkA', 'CAAIAA==', '//8AAQ=='),
    expires_at: fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
    transcript: writing(),
  })
}

/** Reasoning as upstreams send it: a plain text under one name, or entries with signatures and their text. */
export function thoughts(): Arbitrary<JsonObject> {
  const plain = writing().map((reasoning_content) => ({ reasoning_content }))
  const entries = fc.array(detail(), { minLength: 1, maxLength: 2 }).map((details) => {
    const view = details.map((one) => textOf(one['text'] ?? one['summary'])).join('')
    return {
      ...(view === '' ? {} : { reasoning: view }),
      reasoning_details: details.map((one, index) => ({ ...one, index })),
    }
  })
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, plain, entries)
}

function detail(): Arbitrary<JsonObject> {
  const shared = { format: fc.constant('anthropic-claude-v1') }
  return fc.oneof(
    loose({ type: fc.constant('reasoning.text'), text: writing() }, { signature: sealValue(), ...shared }),
    loose({ type: fc.constant('reasoning.summary'), summary: writing() }, shared),
    loose({ type: fc.constant('reasoning.encrypted'), data: sealValue() }, shared),
  )
}

function calls(): Arbitrary<readonly JsonObject[]> {
  return fc
    .array(call(), { minLength: 1, maxLength: 2 })
    .map((calls) => calls.map((one, index) => ({ ...one, id: `call_${index}` })))
}

export function call(): Arbitrary<JsonObject> {
  const spelling = fc.oneof(
    input().map((value) => JSON.stringify(value)),
    fc.constantFrom('{}', '{ "a" : 1.0 }', 'no json'),
  )
  return fc.oneof(
    {
      weight: 4,
      arbitrary: loose({ type: fc.constant('function'), function: loose({ name: word(), arguments: spelling }) }),
    },
    { weight: 1, arbitrary: loose({ type: fc.constant('custom'), custom: loose({ name: word(), input: text() }) }) },
  )
}
