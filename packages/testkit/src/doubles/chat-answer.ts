import { acceptCalls, acceptReasoningDetails, acceptToolName } from './chat-message.ts'
import { framesOf } from './frames.ts'
import {
  base64,
  isFuture,
  list,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  whole,
  type Wire,
} from './refuse.ts'
import { ANY_SEAL } from './seal-rules.ts'

const FINISH_REASONS = ['stop', 'length', 'content_filter', 'tool_calls', 'function_call']
const HEAD = 'id object created model usage service_tier system_fingerprint choices'
const MESSAGE =
  'role content refusal annotations images audio function_call tool_calls reasoning reasoning_content reasoning_details'

const AUDIO = 'id data expires_at transcript'

/** Throws if the official client could not read this response as its types promise. */
export function acceptChatResponse(body: unknown): void {
  const response = object(body, 'body')
  acceptHead(response, 'chat.completion')
  for (const [index, item] of list(response['choices'], 'choices').entries()) {
    const path = `choices.${index}`
    const choice = object(item, path)
    only(choice, 'index message finish_reason logprobs', path)
    if (choice['index'] !== index) refuse(`${path}.index`, `must be ${index}`)
    acceptFinish(choice['finish_reason'], `${path}.finish_reason`)
    acceptMessage(object(choice['message'], `${path}.message`), `${path}.message`)
  }
}

/** Throws if the official stream helper would throw or silently lose something. */
export function acceptChatStream(text: string): void {
  const frames = framesOf(text)
  for (const frame of frames) if (frame.event !== undefined) refuse('stream', 'chat streams have data lines only')
  if (frames.at(-1)?.data !== '[DONE]') refuse('stream', 'does not end with [DONE]')
  const chunks = frames.slice(0, -1).map(({ data }, index) => object(JSON.parse(data), `chunk ${index}`))
  const [first] = chunks
  if (first === undefined) refuse('stream', 'has no chunks')
  let finish: unknown
  const calls = new Set<number>()
  const audio = new Map<string, unknown>()
  for (const [index, chunk] of chunks.entries()) {
    const path = `chunk ${index}`
    acceptHead(chunk, 'chat.completion.chunk')
    if (chunk['id'] !== first['id'] || chunk['created'] !== first['created'])
      refuse(path, 'id and created must stay the same')
    for (const item of list(chunk['choices'], `${path}.choices`)) {
      if (finish !== undefined) refuse(path, 'something after the finish_reason')
      const choice = object(item, path)
      acceptDelta(choice, path, index === 0, calls)
      joinAudio(audio, object(choice['delta'], path)['audio'], path)
      if (choice['finish_reason'] !== null && choice['finish_reason'] !== undefined) finish = choice['finish_reason']
    }
  }
  acceptFinish(finish, 'finish_reason')
  if (audio.size > 0) acceptAudio(Object.fromEntries(audio), 'audio')
}

/** As clients do it: data and transcript are added up as text, and other members replaced. */
function joinAudio(audio: Map<string, unknown>, delta: unknown, path: string): void {
  if (delta === undefined) return
  audio.set('transcript', audio.get('transcript') ?? '')
  for (const [name, value] of Object.entries(object(delta, `${path}.audio`))) {
    const isText = name === 'data' || name === 'transcript'
    audio.set(name, isText ? string(audio.get(name) ?? '', path) + string(value, `${path}.audio.${name}`) : value)
  }
}

function acceptHead(response: Wire, kind: string): void {
  only(response, HEAD, 'body')
  nonEmpty(response['id'], 'id')
  oneOf(response['object'], [kind], 'object')
  whole(response['created'], 0, Infinity, 'created')
  string(response['model'], 'model')
  optional(response['usage'], (usage) => usage === null || acceptUsage(object(usage, 'usage')))
}

function acceptUsage(usage: Wire): void {
  only(
    usage,
    'prompt_tokens completion_tokens total_tokens prompt_tokens_details completion_tokens_details server_tool_use cost',
    'usage',
  )
  const prompt = whole(usage['prompt_tokens'], 0, Infinity, 'usage.prompt_tokens')
  const completion = whole(usage['completion_tokens'], 0, Infinity, 'usage.completion_tokens')
  whole(usage['total_tokens'], prompt + completion, Infinity, 'usage.total_tokens')
}

function acceptFinish(value: unknown, path: string): void {
  if (!isFuture(value)) oneOf(value, FINISH_REASONS, path)
}

function acceptMessage(message: Wire, path: string): void {
  only(message, MESSAGE, path)
  oneOf(message['role'], ['assistant'], `${path}.role`)
  if (message['content'] !== null && !Array.isArray(message['content'])) string(message['content'], `${path}.content`)
  if (message['refusal'] !== null) optional(message['refusal'], (text) => string(text, `${path}.refusal`))
  optional(message['tool_calls'], (calls) => acceptCalls(calls, `${path}.tool_calls`))
  optional(message['reasoning_details'], (details) =>
    acceptReasoningDetails(details, `${path}.reasoning_details`, ANY_SEAL),
  )
  optional(message['audio'], (value) => acceptAudio(object(value, `${path}.audio`), `${path}.audio`))
}

function acceptAudio(audio: Wire, path: string): void {
  only(audio, AUDIO, path)
  nonEmpty(audio['id'], `${path}.id`)
  base64(audio['data'], `${path}.data`)
  whole(audio['expires_at'], 0, Infinity, `${path}.expires_at`)
  string(audio['transcript'], `${path}.transcript`)
}

/** Every call delta has an index. The first delta of each call has its id and name. */
function acceptDelta(choice: Wire, path: string, first: boolean, calls: Set<number>): void {
  only(choice, 'index delta finish_reason logprobs', path)
  if (choice['index'] !== 0) refuse(`${path}.index`, 'must be 0')
  const delta = object(choice['delta'], `${path}.delta`)
  only(delta, `${MESSAGE} provider_specific_fields`, `${path}.delta`)
  if (first) oneOf(delta['role'], ['assistant'], `${path}.delta.role`)
  optional(delta['content'], (content) => content === null || string(content, `${path}.delta.content`))
  optional(delta['reasoning_details'], (details) =>
    acceptReasoningDetails(details, `${path}.delta.reasoning_details`, ANY_SEAL),
  )
  optional(delta['provider_specific_fields'], (fields) => {
    if (JSON.stringify(fields) !== JSON.stringify({ reasoning_details: delta['reasoning_details'] }))
      refuse(`${path}.delta.provider_specific_fields`, 'must repeat reasoning_details')
  })
  for (const item of list(delta['tool_calls'] ?? [], `${path}.delta.tool_calls`)) {
    const call = object(item, `${path}.delta.tool_calls`)
    const index = whole(call['index'], 0, Infinity, `${path}.delta.tool_calls.index`)
    if (calls.has(index)) continue
    if (index !== calls.size) refuse(path, `call ${index} after ${calls.size} calls`)
    calls.add(index)
    nonEmpty(call['id'], `${path}.delta.tool_calls.id`)
    const type = string(call['type'], `${path}.delta.tool_calls.type`)
    acceptToolName(object(call[type], path)['name'], `${path}.delta.tool_calls.${type}.name`)
  }
}
