import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { WireStream } from '../laws/subject.ts'
import { count, word } from './json.ts'
import { maybe } from './record.ts'
import { cuts } from './stream.ts'
import { contentBlocks, toolUse } from './wire-messages-blocks.ts'
import { loose, piecesOf, textOf } from './wire.ts'

/** A whole response. */
export function messagesResponse(): Arbitrary<JsonObject> {
  return fc
    .record({
      content: fc.array(fc.oneof(contentBlocks(), fc.tuple(toolUse(word()))), { maxLength: 4 }),
      head: head(),
      stop: stop(),
      usage: usage(),
    })
    .map(({ content, head, stop, usage }) => ({
      ...head,
      content: content.flat(),
      ...fitting(content.flat(), stop),
      usage,
    }))
}

/** A response in frames, and the same response whole. */
export function messagesStream(): Arbitrary<WireStream> {
  return fc
    .record({ answer: messagesResponse(), sizes: cuts(), pings: fc.boolean() })
    .map(({ answer, sizes, pings }) => {
      const { content, stop_reason, stop_sequence, usage, ...head } = answer
      const counts = usage as JsonObject // as generated above
      const frames = [
        frame('message_start', {
          message: {
            ...head,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...counts, output_tokens: 1 },
          },
        }),
        ...(pings ? [frame('ping', {})] : []),
        ...(content as JsonObject[]).flatMap((block, index) => framesOf(block, index, sizes)), // as generated above
        frame('message_delta', {
          delta: { stop_reason: stop_reason ?? null, stop_sequence: stop_sequence ?? null },
          usage: counts,
        }),
        frame('message_stop', {}),
      ]
      return { body: { model: 'some/model', stream: true }, frames, whole: frames.length - 1, answer }
    })
}

function framesOf(block: JsonObject, index: number, sizes: readonly number[]): string[] {
  const { shell, deltas } = cutBlock(block, sizes)
  return [
    frame('content_block_start', { index, content_block: shell }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ]
}

function cutBlock(
  block: JsonObject,
  sizes: readonly number[],
): { readonly shell: JsonObject; readonly deltas: readonly JsonObject[] } {
  const pieces = (value: Json | undefined, type: string, member: string) =>
    piecesOf(textOf(value), sizes).map((piece) => ({ type, [member]: piece }))
  switch (block['type']) {
    case 'text': {
      const { citations, ...shell } = block
      const cited = Array.isArray(citations)
        ? citations.map((citation: Json) => ({ type: 'citations_delta', citation }))
        : []
      return { shell: { ...shell, text: '' }, deltas: [...pieces(block['text'], 'text_delta', 'text'), ...cited] }
    }
    case 'thinking': {
      const sign = { type: 'signature_delta', signature: block['signature'] ?? '' }
      return {
        shell: { ...block, thinking: '', signature: '' },
        deltas: [...pieces(block['thinking'], 'thinking_delta', 'thinking'), sign],
      }
    }
    case 'tool_use':
    case 'server_tool_use':
      return {
        shell: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block['input']), 'input_json_delta', 'partial_json'),
      }
    default:
      return { shell: block, deltas: [] }
  }
}

function frame(type: string, members: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

/** The stop reason of a turn with calls is not end_turn. */
function fitting(content: readonly JsonObject[], stop: JsonObject): JsonObject {
  const called = content.some((block) => block['type'] === 'tool_use')
  return called && stop['stop_reason'] === 'end_turn' ? { ...stop, stop_reason: 'tool_use' } : stop
}

function head(): Arbitrary<JsonObject> {
  return loose({ id: word(), type: fc.constant('message'), role: fc.constant('assistant'), model: word() })
}

function stop(): Arbitrary<JsonObject> {
  const limits = ['max_tokens', 'model_context_window_exceeded']
  const reason = fc.constantFrom('end_turn', ...limits, 'tool_use', 'pause_turn', 'refusal', 'x_new_reason')
  return fc.oneof(
    reason.map((stop_reason) => ({ stop_reason, stop_sequence: null })),
    word().map((stop_sequence) => ({ stop_reason: 'stop_sequence', stop_sequence })),
  )
}

function usage(): Arbitrary<JsonObject> {
  const plain = loose(
    { input_tokens: count(), output_tokens: count() },
    {
      cache_read_input_tokens: count(),
      output_tokens_details: loose({ thinking_tokens: count() }),
      service_tier: fc.constantFrom('standard', 'priority', 'batch'),
      server_tool_use: loose({ web_search_requests: fc.nat({ max: 3 }), web_fetch_requests: fc.nat({ max: 3 }) }),
    },
  )
  const writes = loose({
    ephemeral_5m_input_tokens: fc.nat({ max: 900 }),
    ephemeral_1h_input_tokens: fc.nat({ max: 900 }),
  })
  return fc.tuple(plain, maybe(writes)).map(([counts, cache_creation]) => {
    if (cache_creation === undefined) return counts
    const sum =
      Number(cache_creation['ephemeral_5m_input_tokens']) + Number(cache_creation['ephemeral_1h_input_tokens'])
    return { ...counts, cache_creation_input_tokens: sum, cache_creation }
  })
}
