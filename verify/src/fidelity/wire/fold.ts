import type { ProtocolName } from '../fact.ts'
import { foldResponses } from './fold-responses.ts'
import { isObject, listOf, objectOf, parse, textOf, type JsonObject, type JsonValue } from '../json.ts'

/** The result of a stream for a client: assembled as the official clients do it, and as lenient as they are. */
export function fold(protocol: ProtocolName, stream: string): JsonObject {
  return { ...FOLD[protocol](eventsOf(stream)), events: eventsOf(stream) }
}

const FOLD: { readonly [Name in ProtocolName]: (events: readonly JsonObject[]) => JsonObject } = {
  chat: foldChat,
  messages: foldMessages,
  genai: foldGenai,
  responses: foldResponses,
}

/** The data of all frames, without data that is not JSON, such as the end marker. */
export function eventsOf(stream: string): JsonObject[] {
  return stream
    .split(/\r?\n\r?\n/)
    .map((frame) =>
      frame
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('\n'),
    )
    .map(parse)
    .filter(isObject)
}

type Draft = { [member: string]: JsonValue }

function foldChat(events: readonly JsonObject[]): JsonObject {
  const body: Draft = {}
  const message: Draft = {}
  const choice: Draft = { index: 0, message }
  const calls: Draft[] = []
  for (const event of events) {
    const { choices, ...head } = event
    for (const [member, value] of Object.entries(head)) if (value != null) body[member] = value
    const [first] = listOf(choices)
    const { delta, message: whole, index, ...rest } = objectOf(first)
    for (const [member, value] of Object.entries(rest)) {
      if (member === 'logprobs' && isObject(value)) choice[member] = joinLogprobs(objectOf(choice[member]), value)
      else if (value != null) choice[member] = value
    }
    const { tool_calls, ...members } = objectOf(delta ?? whole)
    for (const [member, value] of Object.entries(members)) grow(message, member, value)
    for (const call of listOf(tool_calls)) {
      const { index: position, ...pieces } = objectOf(call)
      const kept = (calls[Number(position ?? calls.length)] ??= {})
      for (const [member, value] of Object.entries(pieces)) growCall(kept, member, value)
    }
  }
  if (calls.length > 0) message['tool_calls'] = calls
  return { ...body, choices: [choice] }
}

function joinLogprobs(before: JsonObject, now: JsonObject): JsonObject {
  return { ...before, ...now, content: [...listOf(before['content']), ...listOf(now['content'])] }
}

function growCall(call: Draft, member: string, value: JsonValue): void {
  if (!isObject(value)) {
    if (value != null) call[member] = value
    return
  }
  const inner: Draft = { ...objectOf(call[member]) }
  for (const [name, piece] of Object.entries(value)) {
    if (name === 'arguments' || name === 'input') inner[name] = textOf(inner[name]) + textOf(piece)
    else if (piece != null) inner[name] = piece
  }
  call[member] = inner
}

/** Strings are appended, lists are extended, everything else is replaced. */
function grow(target: Draft, member: string, value: JsonValue): void {
  if (value == null) return
  const before = target[member]
  if (member === 'role') target[member] = value
  else if (typeof value === 'string') target[member] = textOf(before) + value
  else if (Array.isArray(value)) target[member] = [...listOf(before), ...(value as JsonValue[])]
  else target[member] = value
}

function foldMessages(events: readonly JsonObject[]): JsonObject {
  let body: Draft = {}
  const blocks: Draft[] = []
  const inputs: string[] = []
  for (const event of events) {
    const index = Number(event['index'] ?? 0)
    const block = blocks[index]
    switch (event['type']) {
      case 'message_start':
        body = { ...objectOf(event['message']) }
        break
      case 'content_block_start':
        blocks[index] = { ...objectOf(event['content_block']) }
        inputs[index] = ''
        break
      case 'content_block_delta':
        if (block !== undefined) inputs[index] = growBlock(block, inputs[index] ?? '', objectOf(event['delta']))
        break
      case 'message_delta': {
        const { usage, ...delta } = objectOf(event['delta'])
        body = {
          ...body,
          ...delta,
          usage: { ...objectOf(body['usage']), ...objectOf(usage), ...objectOf(event['usage']) },
        }
        break
      }
      default:
    }
  }
  const content = blocks.map((block, index) =>
    inputs[index] === undefined || inputs[index] === '' ? block : { ...block, input: parse(inputs[index]) ?? {} },
  )
  return { ...body, content }
}

/** The arguments of the block so far. */
function growBlock(block: Draft, input: string, delta: JsonObject): string {
  switch (delta['type']) {
    case 'text_delta':
      block['text'] = textOf(block['text']) + textOf(delta['text'])
      break
    case 'thinking_delta':
      block['thinking'] = textOf(block['thinking']) + textOf(delta['thinking'])
      break
    case 'signature_delta':
      block['signature'] = delta['signature']
      break
    case 'citations_delta':
      block['citations'] = [...listOf(block['citations']), delta['citation']]
      break
    case 'input_json_delta':
      return input + textOf(delta['partial_json'])
    default:
  }
  return input
}

function foldGenai(events: readonly JsonObject[]): JsonObject {
  let body: Draft = {}
  let candidate: Draft = {}
  const parts: Draft[] = []
  for (const event of events) {
    const { candidates, ...head } = event
    body = { ...body, ...head }
    const { content, ...rest } = objectOf(listOf(candidates)[0])
    candidate = { ...candidate, ...rest }
    const { role, parts: more } = objectOf(content)
    if (role !== undefined) candidate['content'] = { role }
    for (const part of listOf(more)) addPart(parts, { ...objectOf(part) })
  }
  return { ...body, candidates: [{ ...candidate, content: { ...objectOf(candidate['content']), parts } }] }
}

/** Text continues the previous text of the same kind, unless that one was signed. */
function addPart(parts: Draft[], part: Draft): void {
  const last = parts.at(-1)
  const goesOn =
    last !== undefined &&
    typeof last['text'] === 'string' &&
    typeof part['text'] === 'string' &&
    last['thought'] === part['thought'] &&
    last['thoughtSignature'] === undefined
  if (goesOn) parts[parts.length - 1] = { ...last, ...part, text: textOf(last['text']) + textOf(part['text']) }
  else parts.push(part)
}
