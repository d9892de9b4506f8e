import { isPlainId, isSealed } from '../../ir/seal.ts'
import { isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { hasWebSearch, peekBody, peekMaxTokens, peekPrice, whyNotRelayed } from '../relay.ts'
import { createTap, frameData, type FrameFacts, type TapRules } from '../tap.ts'
import { secondAnswer } from './decode-stream.ts'
import { decodeErrorBody } from './error.ts'
import { decodeTerms, decodeUsage } from './usage.ts'
import { noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

/** A block. Results of tools and documents contain blocks themselves. */
const BLOCK: MediaMap = {
  read: readBlock,
  get members() {
    return INSIDE
  },
}
const INSIDE: NonNullable<MediaMap['members']> = { content: BLOCK, source: { members: { content: BLOCK } } }

export const media: MediaMap = { members: { messages: { members: { content: BLOCK } } } }

function readBlock({ type, source }: JsonObject): WireMedia | undefined {
  if ((type !== 'image' && type !== 'document') || !isObject(source)) return undefined
  switch (source['type']) {
    case 'base64':
      return wireMedia(type, source, 'data', (data) => ({ mime: stringOf(source['media_type']), data }))
    case 'url':
      return wireMedia(type, source, 'url', noData)
    case 'file':
      return wireMedia(type, source, 'file_id', noData)
    default:
      // A text, or blocks.
      return undefined
  }
}

export const relay: Relay = {
  media,
  peek: (body) => ({
    ...peekBody(body),
    ...peekMaxTokens(body['max_tokens']),
    ...peekPrice(decodeTerms(body), hasWebSearch(body['tools'])),
  }),
  optionalTier: 'service_tier',
  edits: (_body, model) => ({ model: JSON.stringify(model) }),
  /** Fallbacks, and the model of an advisor tool, which may also be added in the middle of a conversation. */
  choosers: ['model', 'fallbacks', 'tools.*.model', 'messages.*.content.*.tool.definition.model'],
  obstacle(body, limits, dialect) {
    const { messages } = body
    if (dialect?.['systemTurns'] !== true && hasSystemTurn(messages)) return 'it takes instructions at the start only'
    const why = whyNotRelayed({ limit: [body, 'max_tokens'], history: messages, isSealed: isSealedMessage }, limits)
    return why ?? (hasOddId(messages) ? 'an id of its calls would be refused' : undefined)
  },
  tap(options) {
    const frame = createFrameReader()
    return createTap({ ...RULES, frame }, options)
  },
}

/** Only the first event names the model. */
const MODEL = { marker: '"message_start"', inside: 'message' }

const RULES: Omit<TapRules, 'frame'> = {
  model: MODEL,
  output: 'text|thinking|partial_json',
  whole: (body) => body['usage'],
  usage: decodeUsage,
  usageTerms: decodeTerms,
}

/** Some upstreams leave out the name of the event, or write the error alone. */
const FAILED = /^(?:event: ?error|data: ?\{\s*"(?:error"|type": ?"error"))/m

/** Only two events are of interest, and both contain `"usage"`. */
function createFrameReader(): (frame: string) => FrameFacts | undefined {
  let begun: JsonObject | undefined
  return (frame) => {
    if (/"type": ?"message_stop"/.test(frame)) return { complete: true }
    if (FAILED.test(frame)) return { failed: decodeErrorBody(frameData(frame)) }
    const event = frame.includes('"usage"') ? frameData(frame) : undefined
    const message = event?.['message']
    if (!isObject(message)) return event && { counted: event['usage'] }
    if (begun !== undefined && begun['id'] !== message['id']) return { failed: secondAnswer() }
    begun = message
    return { counted: message['usage'] }
  }
}

function hasSystemTurn(messages: Json | undefined): boolean {
  return listOf(messages as readonly Json[] | undefined).some((turn) => isObject(turn) && turn['role'] === 'system')
}

/** Seals of another domain are in signatures, in redacted data and in the ids of calls. */
function isSealedMessage({ content }: JsonObject): boolean {
  if (!Array.isArray(content)) return false
  return content.some((block) => isObject(block) && CARRIERS.some((member) => isSealed(block[member])))
}

/** An id with other characters than messages allows, or one that two calls have. */
function hasOddId(messages: Json | undefined): boolean {
  const seen = new Set<string>()
  for (const turn of listOf(messages as readonly Json[] | undefined)) {
    const content = isObject(turn) && turn['role'] === 'assistant' ? turn['content'] : undefined
    for (const block of listOf(content as readonly Json[] | undefined)) {
      const id = isObject(block) && block['type'] === 'tool_use' ? block['id'] : undefined
      if (typeof id !== 'string') continue
      if (!isPlainId(id) || seen.has(id)) return true
      seen.add(id)
    }
  }
  return false
}

const CARRIERS = ['signature', 'data', 'id', 'tool_use_id']
