import { unwrapBytes } from '../../ir/seal.ts'
import { isObject, listOf, numberOf, parseJson, type Json, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { createTap, type FrameFacts } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { ISSUER } from './schema.ts'
import { decodeUsage } from './usage.ts'

export const relay: Relay = {
  peek(_body, match) {
    return { model: match.model ?? '', stream: match.stream === true }
  },
  /** The model stands in the path. */
  edits: () => ({}),
  obstacle(body, limits) {
    const asked = maxTokensOf(body)
    if (asked !== undefined && asked > (limits.maxTokens ?? asked))
      return 'maxOutputTokens is above the limit of the model'
    return sealedHistory(body['contents']) ? 'the history holds state of another model' : undefined
  },
  tap({ stream }) {
    return createTap({ stream, frame: readFrame, whole: (body) => body['usageMetadata'], usage: decodeUsage })
  },
}

function maxTokensOf(body: JsonObject): number | undefined {
  const config = body['generationConfig'] ?? body['generation_config']
  return isObject(config) ? numberOf(config['maxOutputTokens'] ?? config['max_output_tokens']) : undefined
}

function readFrame(frame: string): FrameFacts | undefined {
  const start = frame.indexOf('data:')
  const chunk = start < 0 ? undefined : parseJson(frame.slice(start + 5))
  if (!isObject(chunk)) return undefined
  if (chunk['error'] != null) return { failed: decodeErrorBody(chunk) }
  return { counted: countOf(chunk['usageMetadata']), complete: isComplete(chunk) }
}

/** Nothing marks the end but a reason for it. */
function isComplete({ candidates, promptFeedback }: JsonObject): boolean {
  if (isObject(promptFeedback) && isWord(promptFeedback['blockReason'])) return true
  return listOf(candidates as readonly Json[] | undefined).some(
    (candidate) => isObject(candidate) && (candidate['index'] ?? 0) === 0 && isWord(candidate['finishReason']),
  )
}

function isWord(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

function countOf(wire: unknown): JsonObject | undefined {
  return isObject(wire) ? wire : undefined
}

/** Seals of another domain ride in the signatures of parts, under either spelling. */
function sealedHistory(contents: unknown): boolean {
  if (!Array.isArray(contents)) return false
  for (const content of contents as readonly unknown[]) {
    const parts: unknown = isObject(content) ? content['parts'] : undefined
    if (!Array.isArray(parts)) continue
    for (const part of parts as readonly unknown[]) {
      if (isObject(part) && isForeign(part['thoughtSignature'] ?? part['thought_signature'])) return true
    }
  }
  return false
}

function isForeign(signature: Json | undefined): boolean {
  if (typeof signature !== 'string') return false
  const { seal } = unwrapBytes(signature, ISSUER)
  return seal !== undefined && (seal.issuer !== ISSUER || seal.value !== signature)
}
