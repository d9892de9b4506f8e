import { isSealed } from '../../ir/seal.ts'
import { isObject, numberOf, parseJson, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { createTap, type FrameFacts } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { decodeUsage } from './usage.ts'

export const relay: Relay = {
  peek(body) {
    return { model: stringOf(body['model']), stream: body['stream'] === true, providers: providersOf(body['provider']) }
  },
  /** The gateway's own members are taken out, and usage is asked for: the meter needs it. */
  edits(body, model) {
    const options = isObject(body['stream_options']) ? body['stream_options'] : {}
    const metered = body['stream'] === true && !wantsUsage(body)
    return {
      model: JSON.stringify(model),
      provider: null,
      model_routing_config: null,
      usage: null,
      ...(metered ? { stream_options: JSON.stringify({ ...options, include_usage: true }) } : {}),
    }
  },
  obstacle(body, limits) {
    const asked = numberOf(body['max_completion_tokens'])
    if (asked !== undefined && asked > (limits.maxTokens ?? asked))
      return 'max_completion_tokens is above the limit of the model'
    if (isObject(body['reasoning']) && body['reasoning']['exclude'] === true)
      return 'reasoning is to be left out of the answer'
    return sealedHistory(body['messages']) ? 'the history holds state of another model' : undefined
  },
  tap({ stream, body }) {
    const strip = !wantsUsage(body)
    return createTap({
      stream,
      strips: strip,
      frame: (frame) => readFrame(frame, strip),
      whole: (answer) => answer['usage'],
      usage: decodeUsage,
    })
  },
}

/** The flat form of the document, or the nested one that clients send too. */
function providersOf(wish: Json | undefined): readonly string[] | undefined {
  if (!isObject(wish)) return undefined
  const providers = wish['providers'] ?? (isObject(wish['routing']) ? wish['routing']['providers'] : undefined)
  return Array.isArray(providers) && providers.length > 0 ? (providers as readonly string[]) : undefined // checked
}

function wantsUsage(body: JsonObject): boolean {
  return isObject(body['stream_options']) && body['stream_options']['include_usage'] === true
}

/** The usage chunk has no choices; a client that did not ask for it would stumble over it. */
function readFrame(frame: string, strip: boolean): FrameFacts | undefined {
  if (frame.startsWith('data: [DONE]') || frame.startsWith('data:[DONE]')) return { complete: true }
  const mayCount = frame.includes('"usage":{') || frame.includes('"usage": {')
  // Some upstreams end without [DONE]: a reason to finish is enough.
  const complete = /"finish_reason": ?"/.test(frame)
  const mayFail = /^data: ?\{"(error|object": ?"error)"/.test(frame)
  if (!mayCount && !mayFail) return complete ? { complete } : undefined
  const chunk = parseJson(frame.slice(frame.indexOf('data:') + 5))
  if (!isObject(chunk)) return undefined
  if (mayFail && chunk['choices'] === undefined) return { failed: decodeErrorBody(chunk) }
  const alone = Array.isArray(chunk['choices']) && chunk['choices'].length === 0
  return { counted: countOf(chunk['usage']), strip: strip && alone, complete }
}

function countOf(wire: unknown): JsonObject | undefined {
  return isObject(wire) ? wire : undefined
}

/** Seals of another domain ride in the ids of calls and in reasoning_details. */
function sealedHistory(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false
  for (const message of messages) {
    if (!isObject(message)) continue
    const { tool_call_id, tool_calls, reasoning_details } = message
    if (isSealed(tool_call_id) || hasSealed(tool_calls) || hasSealed(reasoning_details)) return true
  }
  return false
}

function hasSealed(list: unknown): boolean {
  if (!Array.isArray(list)) return false
  return list.some(
    (each) => isObject(each) && (isSealed(each['id']) || isSealed(each['data']) || isSealed(each['signature'])),
  )
}
