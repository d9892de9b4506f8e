import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { WireStream } from '../laws/subject.ts'
import { count, word } from './json.ts'
import { cuts } from './stream.ts'
import { call, hosted, message, reasoning, typedCall, withOwnIds } from './wire-responses-items.ts'
import { loose, piecesOf, strict, textOf } from './wire.ts'

/** A whole response. */
export function responsesResponse(): Arbitrary<JsonObject> {
  const output = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: message('upstream') },
      { weight: 3, arbitrary: reasoning('upstream') },
      { weight: 2, arbitrary: calling() },
      { weight: 1, arbitrary: hosted() },
    ),
    { maxLength: 4 },
  )
  return fc
    .record({ head: head(), output, end: end(), usage: usage() })
    .map(({ head, output, end, usage }) => ({ ...head, output: withOwnIds(withAllTokens(output)), ...end, usage }))
}

/** All texts have log probabilities, or none. */
function withAllTokens(output: readonly JsonObject[]): readonly JsonObject[] {
  const partsOf = (item: JsonObject) => (Array.isArray(item['content']) ? item['content'] : []) as JsonObject[] // as generated
  const lacks = (part: JsonObject) => part['type'] === 'output_text' && part['logprobs'] === undefined
  if (!output.some((item) => partsOf(item).some(lacks))) return output
  const withoutLogprobs = ({ logprobs: _tokens, ...part }: JsonObject) => part
  return output.map((item) =>
    item['type'] === 'message' ? { ...item, content: partsOf(item).map(withoutLogprobs) } : item,
  )
}

function calling(): Arbitrary<JsonObject> {
  const typed = typedCall(fc.constant({})).map(({ call }) =>
    call['id'] === undefined ? { ...call, id: 'tsc_1' } : call,
  )
  return fc
    .tuple(fc.oneof({ weight: 5, arbitrary: call('upstream') }, { weight: 1, arbitrary: typed }), word())
    .map(([call, id]) => ({ ...call, call_id: `call_${id}`, status: 'completed' }))
}

function head(): Arbitrary<JsonObject> {
  return loose({
    id: word().map((id) => `resp_${id}`),
    object: fc.constant('response'),
    created_at: count(),
    model: word(),
    error: fc.constant(null),
  })
}

function end(): Arbitrary<JsonObject> {
  const cut = fc.constantFrom('max_output_tokens', 'content_filter', 'x_new')
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ status: 'completed', incomplete_details: null }) },
    { weight: 1, arbitrary: cut.map((reason) => ({ status: 'incomplete', incomplete_details: { reason } })) },
  )
}

function usage(): Arbitrary<JsonObject> {
  return fc
    .tuple(
      fc.nat({ max: 900 }),
      fc.nat({ max: 900 }),
      loose({ cached_tokens: fc.nat({ max: 9 }) }, { cache_write_tokens: fc.nat({ max: 9 }) }),
      strict({ reasoning_tokens: fc.nat({ max: 9 }) }),
    )
    .map(([input_tokens, output_tokens, input_tokens_details, output_tokens_details]) => ({
      input_tokens,
      input_tokens_details,
      output_tokens,
      output_tokens_details,
      total_tokens: input_tokens + output_tokens,
    }))
}

/** A response in frames, and the same response whole. */
export function responsesStream(): Arbitrary<WireStream> {
  return fc
    .record({ answer: responsesResponse(), sizes: cuts(), alive: fc.boolean() })
    .map(({ answer, sizes, alive }) => {
      let sequence = 0
      const frame = (type: string, members: JsonObject): string =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...members })}\n\n`
      const begun = { ...answer, status: 'in_progress', incomplete_details: null, output: [], usage: null }
      const items = answer['output'] as JsonObject[] // as generated above
      const frames = [
        frame('response.created', { response: begun }),
        frame('response.in_progress', { response: begun }),
        ...(alive ? [frame('keepalive', {})] : []),
        ...items.flatMap((item, index) => framesOf(item, index, sizes).map(([type, members]) => frame(type, members))),
        frame(answer['status'] === 'completed' ? 'response.completed' : 'response.incomplete', { response: answer }),
      ]
      return { body: { model: 'some/model', stream: true }, frames, whole: frames.length - 1, answer }
    })
}

type Event = readonly [type: string, members: JsonObject]

function framesOf(item: JsonObject, output_index: number, sizes: readonly number[]): Event[] {
  const position = { item_id: item['id'] ?? '', output_index }
  return [
    ['response.output_item.added', { output_index, item: { ...item, ...emptied(item) } }],
    ...insideOf(item, position, sizes),
    ['response.output_item.done', { output_index, item }],
  ]
}

function emptied(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'message':
      return { content: [], status: 'in_progress' }
    case 'reasoning':
      return { summary: [], ...('content' in item ? { content: [] } : {}) }
    case 'function_call':
      return { arguments: '', status: 'in_progress' }
    case 'custom_tool_call':
      return { input: '', status: 'in_progress' }
    default:
      return {}
  }
}

function insideOf(item: JsonObject, position: JsonObject, sizes: readonly number[]): Event[] {
  const deltas = (type: string, value: Json | undefined, at: JsonObject): Event[] =>
    piecesOf(textOf(value), sizes).map((delta): Event => [type, { ...position, ...at, delta }])
  const each = (list: Json | undefined): readonly JsonObject[] => (Array.isArray(list) ? list : []) as JsonObject[] // as generated
  switch (item['type']) {
    case 'message':
      return each(item['content']).flatMap((part, content_index): Event[] => {
        const kind = textOf(part['type'])
        const at = { content_index }
        if (kind !== 'output_text' && kind !== 'refusal')
          return ['added', 'done'].map((step): Event => [`response.content_part.${step}`, { ...position, ...at, part }])
        const [empty, member] = kind === 'refusal' ? [{ refusal: '' }, 'refusal'] : [{ text: '' }, 'text']
        return [
          ['response.content_part.added', { ...position, ...at, part: { ...part, ...empty } }],
          ...deltas(`response.${kind}.delta`, part[member], at),
          [`response.${kind}.done`, { ...position, ...at, [member]: part[member] ?? '' }],
          ['response.content_part.done', { ...position, ...at, part }],
        ]
      })
    case 'reasoning':
      return [
        ...each(item['summary']).flatMap((part, summary_index): Event[] => [
          ['response.reasoning_summary_part.added', { ...position, summary_index, part: { ...part, text: '' } }],
          ...deltas('response.reasoning_summary_text.delta', part['text'], { summary_index }),
        ]),
        ...each(item['content']).flatMap((part, content_index): Event[] => [
          ['response.content_part.added', { ...position, content_index, part: { ...part, text: '' } }],
          ...deltas('response.reasoning_text.delta', part['text'], { content_index }),
        ]),
      ]
    case 'function_call':
      return deltas('response.function_call_arguments.delta', item['arguments'], {})
    case 'custom_tool_call':
      return deltas('response.custom_tool_call_input.delta', item['input'], {})
    default:
      return []
  }
}
