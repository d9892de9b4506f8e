import { isSealed } from '../../ir/seal.ts'
import { isObject, numberOf, parseJson, stringOf, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { createTap, type FrameFacts } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { decodeUsage } from './usage.ts'

export const relay: Relay = {
  peek(body) {
    return { model: stringOf(body['model']), stream: body['stream'] === true }
  },
  edits(_body, model) {
    return { model: JSON.stringify(model) }
  },
  obstacle(body, limits) {
    const asked = numberOf(body['max_tokens'])
    if (asked !== undefined && asked > (limits.maxTokens ?? asked)) return 'max_tokens is above the limit of the model'
    return sealedHistory(body['messages']) ? 'the history holds state of another model' : undefined
  },
  tap({ stream }) {
    return createTap({ stream, frame: readFrame, whole: (body) => body['usage'], usage: decodeUsage })
  },
}

/** Only two events are of interest, and `"usage"` stands in both. */
function readFrame(frame: string): FrameFacts | undefined {
  if (frame.includes('"message_stop"')) return { complete: true }
  if (/^event: ?error/m.test(frame)) return { failed: decodeErrorBody(parseJson(dataOf(frame))) }
  if (!frame.includes('"usage"')) return undefined
  const event = parseJson(dataOf(frame))
  if (!isObject(event)) return undefined
  const message = isObject(event['message']) ? event['message'] : event
  return { counted: countOf(message['usage']) }
}

function dataOf(frame: string): string {
  const start = frame.indexOf('data:')
  return start < 0 ? '' : frame.slice(start + 5)
}

function countOf(wire: unknown): JsonObject | undefined {
  return isObject(wire) ? wire : undefined
}

/** Seals of another domain ride in signatures, in redacted data and in the ids of calls. */
function sealedHistory(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false
  for (const message of messages) {
    const content: unknown = isObject(message) ? message['content'] : undefined
    if (!Array.isArray(content)) continue
    for (const block of content) if (isObject(block) && CARRIERS.some((member) => isSealed(block[member]))) return true
  }
  return false
}

const CARRIERS: readonly (keyof JsonObject & string)[] = ['signature', 'data', 'id', 'tool_use_id']
