import { framesOf } from './frames.ts'
import { acceptBlock } from './messages-blocks.ts'
import {
  isFuture,
  isWire,
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

const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]
const MEMBERS = 'id type role model content stop_reason stop_sequence usage container context_management'

/** Throws if the official client could not read this response as its types promise, or could not send it back. */
export function acceptMessagesResponse(body: unknown): void {
  const response = object(body, 'body')
  acceptHead(response)
  acceptStop(response['stop_reason'], response['stop_sequence'], 'body')
  for (const [index, block] of list(response['content'], 'content').entries())
    acceptBlock(block, `content.${index}`, ANY_SEAL)
}

/** Throws if the official stream helper would throw or silently lose something. */
export function acceptMessagesStream(text: string): void {
  const stream = createReading()
  for (const [index, frame] of framesOf(text).entries()) {
    const data = object(JSON.parse(frame.data), `event ${index}`)
    if (frame.event !== data['type']) refuse(`event ${index}`, `the event line says ${frame.event ?? 'nothing'}`)
    stream.read(data, `event ${index}`)
  }
  stream.end()
}

interface Reading {
  read(event: Wire, path: string): void
  end(): void
}

function createReading(): Reading {
  const blocks: Wire[] = []
  let head: Wire | undefined
  let open: { readonly shell: Wire; text: string; sealed: string | undefined; citations: unknown[] } | undefined
  let ending: Wire | undefined
  let stopped = false
  const readers: { readonly [type: string]: (event: Wire, path: string) => void } = {
    message_start(event, path) {
      if (head !== undefined) refuse(path, 'started twice')
      head = object(event['message'], `${path}.message`)
      acceptHead(head)
      if (list(head['content'], path).length > 0) refuse(path, 'content must be empty at the start')
      if (head['stop_reason'] !== null) refuse(path, 'stop_reason must be null at the start')
    },
    content_block_start(event, path) {
      if (head === undefined || open !== undefined || ending !== undefined) refuse(path, 'a block is not allowed here')
      if (event['index'] !== blocks.length) refuse(`${path}.index`, `must be ${blocks.length}`)
      open = { shell: object(event['content_block'], path), text: '', sealed: undefined, citations: [] }
      const foldedBlock = open.shell[GROWS[String(open.shell['type'])] ?? '']
      if (
        foldedBlock !== undefined &&
        foldedBlock !== '' &&
        !(isWire(foldedBlock) && Object.keys(foldedBlock).length === 0)
      )
        refuse(path, 'the block must be empty at its start')
    },
    content_block_delta(event, path) {
      if (open === undefined || event['index'] !== blocks.length) refuse(path, 'a delta for a block that is not open')
      const delta = object(event['delta'], `${path}.delta`)
      const type = string(open.shell['type'], path)
      const kinds = DELTAS_OF[type]
      if (kinds === undefined && !isFuture(type)) refuse(path, `${type} gets no deltas`)
      if (kinds !== undefined) oneOf(delta['type'], kinds, `${path}.delta.type`)
      if (delta['type'] === 'signature_delta') {
        if (open.sealed !== undefined) refuse(path, 'a second signature')
        open.sealed = nonEmpty(delta['signature'], `${path}.delta.signature`)
      } else if (delta['type'] === 'citations_delta') open.citations.push(delta['citation'])
      else if (kinds !== undefined)
        open.text += string(delta[kinds[0] === 'input_json_delta' ? 'partial_json' : type], path)
    },
    content_block_stop(event, path) {
      if (open === undefined || event['index'] !== blocks.length) refuse(path, 'a stop for a block that is not open')
      const block = foldedBlock(open)
      if (!isFuture(block['type'])) acceptBlock(block, `content.${blocks.length}`, ANY_SEAL)
      blocks.push(block)
      open = undefined
    },
    message_delta(event, path) {
      if (head === undefined || open !== undefined || ending !== undefined) refuse(path, 'the end is not allowed here')
      ending = object(event['delta'], `${path}.delta`)
      acceptStop(ending['stop_reason'], ending['stop_sequence'], path)
      whole(object(event['usage'], `${path}.usage`)['output_tokens'], 0, Infinity, `${path}.usage.output_tokens`)
    },
    message_stop(_event, path) {
      if (ending === undefined) refuse(path, 'stopped without a message_delta')
      stopped = true
    },
    ping() {},
  }
  return {
    read(event, path) {
      const type = string(event['type'], `${path}.type`)
      if (stopped) refuse(path, 'something after message_stop')
      const reader = Object.hasOwn(readers, type) ? readers[type] : undefined
      if (reader === undefined) refuse(`${path}.type`, `unknown event ${type}`)
      reader(event, path)
    },
    end() {
      if (!stopped) refuse('stream', 'stream ended without producing a Message')
    },
  }
}

/** The member of a block that deltas append to. */
const GROWS: { readonly [type: string]: string } = {
  text: 'text',
  thinking: 'thinking',
  tool_use: 'input',
  server_tool_use: 'input',
}
const DELTAS_OF: { readonly [type: string]: readonly string[] } = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
}

function foldedBlock(open: {
  readonly shell: Wire
  readonly text: string
  readonly sealed: string | undefined
  readonly citations: readonly unknown[]
}): Wire {
  const { shell, text, sealed, citations } = open
  const member = GROWS[String(shell['type'])]
  if (member === undefined) return shell
  const value = member === 'input' ? inputOf(text) : text
  const known = list(shell['citations'] ?? [], 'citations')
  return {
    ...shell,
    [member]: value,
    ...(sealed === undefined ? {} : { signature: sealed }),
    ...(citations.length === 0 ? {} : { citations: [...known, ...citations] }),
  }
}

/** Truncated input, for example because of a token limit, is read as empty input, as the official client does. */
function inputOf(text: string): unknown {
  try {
    const input: unknown = JSON.parse(text)
    return isWire(input) ? input : {}
  } catch {
    return {}
  }
}

function acceptHead(response: Wire): void {
  only(response, MEMBERS, 'body')
  nonEmpty(response['id'], 'id')
  oneOf(response['type'], ['message'], 'type')
  oneOf(response['role'], ['assistant'], 'role')
  string(response['model'], 'model')
  const usage = object(response['usage'], 'usage')
  whole(usage['input_tokens'], 0, Infinity, 'usage.input_tokens')
  whole(usage['output_tokens'], 0, Infinity, 'usage.output_tokens')
  acceptCacheCreation(usage)
}

function acceptCacheCreation(usage: Wire): void {
  optional(usage['cache_creation'], (value) => {
    if (!isWire(value)) return
    const sum = Number(value['ephemeral_5m_input_tokens'] ?? 0) + Number(value['ephemeral_1h_input_tokens'] ?? 0)
    if (usage['cache_creation_input_tokens'] !== sum) refuse('usage.cache_creation_input_tokens', `must be ${sum}`)
  })
}

function acceptStop(reason: unknown, sequence: unknown, path: string): void {
  if (!isFuture(reason)) oneOf(reason, STOP_REASONS, `${path}.stop_reason`)
  if (sequence !== null) string(sequence, `${path}.stop_sequence`)
}
