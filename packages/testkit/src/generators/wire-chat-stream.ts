import type { Json, JsonObject } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import type { WireStream } from '../laws/subject.ts'
import { cuts } from './stream.ts'
import { chatResponse } from './wire-chat-answer.ts'
import { piecesOf, textOf } from './wire.ts'

/** A response in chunks, and the same response whole: calls in sequence or interleaved, usage in the last chunk or in its own. */
export function chatStream(): Arbitrary<WireStream> {
  return fc
    .record({ answer: chatResponse(), sizes: cuts(), asked: fc.boolean(), together: fc.boolean() })
    .map(({ answer, sizes, asked, together }) => {
      const { choices, usage, object: _, ...head } = answer
      const [choice] = choices as readonly JsonObject[] // as generated
      const { message, finish_reason, logprobs, ...rest } = choice as JsonObject // there is one
      const chunk = (members: JsonObject) => frame({ ...head, object: 'chat.completion.chunk', ...members })
      const deltaChunk = (delta: Json, more: JsonObject = {}) =>
        chunk({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })
      const deltas = deltasOf(message as JsonObject, sizes, together) // as generated
      const frames = [
        deltaChunk({ role: 'assistant', content: '' }),
        ...deltas.map((delta) => deltaChunk(delta)),
        ...tokensOf(logprobs ?? null).map((probabilities) => deltaChunk({}, { logprobs: probabilities })),
        chunk({ choices: [{ ...rest, delta: {}, finish_reason: finish_reason ?? null }] }),
        ...(usage === undefined ? [] : [chunk({ choices: [], usage })]),
        'data: [DONE]\n\n',
      ]
      const whole = frames.length - (usage === undefined ? 2 : 3)
      const body = { model: 'some/model', stream: true, ...(asked ? { stream_options: { include_usage: true } } : {}) }
      return { body, frames, whole, answer, ...(asked || usage === undefined ? {} : { unasked: whole + 1 }) }
    })
}

function frame(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** Reasoning comes first; unknown members come whole. */
function deltasOf(message: JsonObject, sizes: readonly number[], together: boolean): JsonObject[] {
  const {
    role: _,
    content,
    refusal,
    tool_calls,
    annotations,
    reasoning,
    reasoning_content,
    reasoning_details,
    audio,
    ...unknown
  } = message
  const pieces = (member: string, value: Json | undefined) =>
    typeof value === 'string' ? piecesOf(value, sizes).map((piece) => ({ [member]: piece })) : []
  const details = (reasoning_details ?? []) as readonly JsonObject[] // as generated
  const thought =
    details.length > 1
      ? details.flatMap((detail) => detailsOf(detail, sizes))
      : [...pieces('reasoning', reasoning), ...(details.length === 0 ? [] : [{ reasoning_details: details }])]
  return [
    ...thought,
    ...pieces('reasoning_content', reasoning_content),
    ...pieces('content', content),
    ...(annotations === undefined ? [] : [{ annotations }]),
    ...pieces('refusal', refusal),
    ...callsOf((tool_calls ?? []) as readonly JsonObject[], sizes, together), // as generated
    ...audioOf(audio, sizes),
    ...(Object.keys(unknown).length === 0 ? [] : [unknown]),
  ]
}

/** Several entries come in pieces with an index, and each piece comes with its text. */
function detailsOf(detail: JsonObject, sizes: readonly number[]): JsonObject[] {
  const member = detail['type'] === 'reasoning.summary' ? 'summary' : 'text'
  const { [member]: text, signature, ...shell } = detail
  if (typeof text !== 'string') return [{ reasoning_details: [detail] }]
  const piece = { type: detail['type'] ?? null, index: detail['index'] ?? null }
  const details = piecesOf(text, sizes).map((part, index) => ({
    reasoning: part,
    reasoning_details: [{ ...(index === 0 ? shell : piece), [member]: part }],
  }))
  return signature === undefined ? details : [...details, { reasoning_details: [{ ...piece, signature }] }]
}

/** The id comes with the first words. Then the data, in pieces of whole groups of bytes, and at last everything else. */
function audioOf(audio: Json | undefined, sizes: readonly number[]): JsonObject[] {
  if (audio === undefined) return []
  const { id = null, data, transcript, ...rest } = audio as JsonObject // as generated
  const groups = textOf(data).match(/.{4}/g) ?? []
  const deltas = [
    { id, transcript: '' },
    ...piecesOf(textOf(transcript), sizes).map((piece) => ({ transcript: piece })),
    ...groups.map((piece) => ({ id, data: piece })),
    rest,
  ]
  return deltas.map((piece) => ({ audio: piece }))
}

/** Each call starts with its id and name. Its text follows in pieces, interleaved with the other calls if they are concurrent. */
function callsOf(calls: readonly JsonObject[], sizes: readonly number[], together: boolean): JsonObject[] {
  const cut = calls.map((call, index) => {
    const kind = call['type'] === 'custom' ? 'custom' : 'function'
    const member = kind === 'custom' ? 'input' : 'arguments'
    const inner = call[kind] as JsonObject // as generated
    const text = textOf(inner[member])
    const open = { ...call, index, [kind]: { ...inner, [member]: '' } }
    return [open, ...piecesOf(text, sizes).map((piece) => ({ index, [kind]: { [member]: piece } }))]
  })
  return (together ? inTurns(cut) : cut.flat()).map((call) => ({ tool_calls: [call] }))
}

/** Interleaves lists, one item of each in turn. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const most = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: most }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1))).flat()
}

/** One token per chunk. */
function tokensOf(logprobs: Json): JsonObject[] {
  if (typeof logprobs !== 'object' || logprobs === null || Array.isArray(logprobs)) return []
  const { content, ...rest } = logprobs as JsonObject // checked above
  return (content as readonly Json[]).map((token, index) => ({ ...(index === 0 ? rest : {}), content: [token] })) // as generated
}
