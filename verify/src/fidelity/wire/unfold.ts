import type { ProtocolName } from '../fact.ts'
import { frames } from './frames.ts'
import { unfoldResponses } from './unfold-responses.ts'
import { pieces } from './pieces.ts'
import { listOf, objectOf, textOf, type JsonObject, type JsonValue } from '../json.ts'

/** The stream of an upstream for a whole response, by its specification: text in pieces, the end last. */
export function unfold(protocol: ProtocolName, answer: JsonObject): string {
  return UNFOLD[protocol](answer)
}

const UNFOLD: { readonly [Name in ProtocolName]: (answer: JsonObject) => string } = {
  chat: unfoldChat,
  messages: unfoldMessages,
  genai: unfoldGenai,
  responses: unfoldResponses,
}

function unfoldChat(answer: JsonObject): string {
  const { choices, usage, object, ...head } = answer
  const { message, finish_reason, logprobs } = objectOf(listOf(choices)[0])
  const { role, content, refusal, tool_calls, ...others } = objectOf(message)
  const deltas: JsonObject[] = [{ role: 'assistant', content: '' }]
  const { annotations, ...thoughts } = others
  for (const [member, value] of Object.entries(thoughts)) {
    if (typeof value === 'string') for (const piece of pieces(value)) deltas.push({ [member]: piece })
    else deltas.push({ [member]: value })
  }
  for (const piece of pieces(textOf(content))) deltas.push({ content: piece })
  for (const piece of pieces(textOf(refusal))) deltas.push({ refusal: piece })
  for (const [index, call] of listOf(tool_calls).entries()) deltas.push(...callDeltas(index, objectOf(call)))
  if (annotations !== undefined) deltas.push({ annotations })
  const spoken = deltas.findIndex((delta) => textOf(delta['content']) !== '')
  const chunk = (choice: JsonObject) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, ...choice }],
  })
  const chunks = [
    ...deltas.map((delta, index) =>
      chunk({ delta, finish_reason: null, ...(index === spoken && logprobs != null ? { logprobs } : {}) }),
    ),
    chunk({ delta: {}, finish_reason }),
    { ...head, object: 'chat.completion.chunk', choices: [], usage },
  ]
  return `${frames(...chunks)}data: [DONE]\n\n`
}

function callDeltas(index: number, call: JsonObject): JsonObject[] {
  const kind = call['type'] === 'custom' ? 'custom' : 'function'
  const member = kind === 'custom' ? 'input' : 'arguments'
  const inner = objectOf(call[kind])
  const start = { index, ...call, [kind]: { ...inner, [member]: '' } }
  const rest = pieces(textOf(inner[member])).map((piece) => ({ index, [kind]: { [member]: piece } }))
  return [start, ...rest].map((delta) => ({ tool_calls: [delta] }))
}

function unfoldMessages(answer: JsonObject): string {
  const { content, stop_reason, stop_sequence, usage, ...head } = answer
  const counted = objectOf(usage)
  const start = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...counted, output_tokens: 1 },
  }
  const events: JsonObject[] = [{ type: 'message_start', message: start }, { type: 'ping' }]
  for (const [index, block] of listOf(content).entries()) {
    const { shell, deltas } = openBlock(objectOf(block))
    events.push({ type: 'content_block_start', index, content_block: shell })
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
  }
  const { output_tokens } = counted
  events.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } },
    { type: 'message_stop' },
  )
  return frames(...events)
}

function openBlock(block: JsonObject): { readonly shell: JsonObject; readonly deltas: readonly JsonObject[] } {
  switch (block['type']) {
    case 'text': {
      const cited = listOf(block['citations']).map((citation) => ({ type: 'citations_delta', citation }))
      const { citations, ...rest } = block
      const shell = { ...rest, text: '' }
      return {
        shell,
        deltas: [...pieces(textOf(block['text'])).map((text) => ({ type: 'text_delta', text })), ...cited],
      }
    }
    case 'thinking':
      return {
        shell: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...pieces(textOf(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      }
    case 'tool_use':
    case 'server_tool_use': {
      const input = JSON.stringify(block['input'])
      const deltas = (input === '{}' ? [''] : pieces(input)).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      }))
      return { shell: { ...block, input: {} }, deltas }
    }
    default:
      return { shell: block, deltas: [] }
  }
}

function unfoldGenai(answer: JsonObject): string {
  const { candidates, usageMetadata, promptFeedback, ...head } = answer
  const [candidate] = listOf(candidates)
  if (candidate === undefined) return frames(answer)
  const { content, index, ...end } = objectOf(candidate)
  const parts = listOf(objectOf(content)['parts']).flatMap(splitPart)
  const chunks = parts.map((part, position) => ({
    candidates: [
      { content: { role: 'model', parts: [part] }, index: 0, ...(position === parts.length - 1 ? end : {}) },
    ],
    usageMetadata: position === parts.length - 1 ? usageMetadata : { promptTokenCount: 1, totalTokenCount: 1 },
    ...head,
  }))
  return frames(...chunks)
}

/** Only plain text comes in pieces. A signature comes with the last piece. */
function splitPart(part: JsonValue): JsonObject[] {
  const { text, thoughtSignature, ...rest } = objectOf(part)
  if (typeof text !== 'string') return [objectOf(part)]
  const split = pieces(text)
  return split.map((piece, index) => ({
    text: piece,
    ...rest,
    ...(index === split.length - 1 && thoughtSignature !== undefined ? { thoughtSignature } : {}),
  }))
}
