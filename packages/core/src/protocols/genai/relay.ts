import { isBundle, unwrapBytes } from '../../ir/seal.ts'
import { isObject, listOf, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { Relay } from '../protocol.ts'
import { hasWebSearch, peekMaxTokens, peekPrice, whyNotRelayed } from '../relay.ts'
import { createTap, frameData, type FrameFacts, type TapRules } from '../tap.ts'
import { decodeErrorBody } from './error.ts'
import { ISSUER } from './schema.ts'
import { decodeTerms, countSearches, decodeUsage } from './usage.ts'
import { kindOfType, noData, wireMedia, type MediaMap, type WireMedia } from '../media-map.ts'

/** A part. The response of a function may contain parts itself. */
const PARTS: MediaMap = {
  members: { parts: { read: readPart, members: { functionResponse: { members: { parts: { read: readPart } } } } } },
}

/** For checked bodies, which have camelCase members: conversations, and requests for embeddings. */
export const media: MediaMap = {
  members: { contents: PARTS, systemInstruction: PARTS, content: PARTS, requests: { members: { content: PARTS } } },
}

function readPart({ inlineData, fileData, mediaResolution }: JsonObject): WireMedia | undefined {
  const mime = typeOf(inlineData ?? fileData)
  const detail = isObject(mediaResolution) ? mediaResolution['level'] : mediaResolution
  return (
    wireMedia(kindOfType(mime), inlineData, 'data', (data) => ({ mime, data }), detail) ??
    wireMedia(kindOfType(mime), fileData, 'fileUri', noData, detail)
  )
}

function typeOf(data: JsonObject[string] | undefined): string {
  return isObject(data) ? stringOf(data['mimeType']) : ''
}

export const relay: Relay = {
  media,
  peek(body, match) {
    const { generationConfig, tools } = body
    const { maxOutputTokens, candidateCount } = isObject(generationConfig) ? generationConfig : {}
    return {
      model: match.model ?? '',
      stream: match.stream === true,
      ...peekMaxTokens(maxOutputTokens, candidateCount),
      ...peekPrice(decodeTerms(body), hasWebSearch(tools, isSearch)),
    }
  },
  /** The model is in the path; requests for embeddings may also name it, and those of a batch must. */
  edits({ requests, content, model }, upstream) {
    const named = `models/${upstream}`
    if (Array.isArray(requests)) {
      const entries = (requests as readonly Json[]).map((entry) =>
        isObject(entry) ? { ...entry, model: named } : entry,
      )
      return { requests: JSON.stringify(entries) }
    }
    return content === undefined || model === undefined ? {} : { model: JSON.stringify(named) }
  },
  choosers: [
    'model',
    'modelSelectionConfig',
    'generationConfig.modelSelectionConfig',
    'generationConfig.modelConfig',
    'generationConfig.routingConfig',
  ],
  /** For a checked body, which has camelCase members. */
  obstacle({ generationConfig, contents }, limits) {
    if (isObject(generationConfig) && asksForImagesAlone(generationConfig)) return 'images come with text'
    return whyNotRelayed({ limit: [generationConfig, 'maxOutputTokens'], history: contents, isSealed }, limits)
  },
  tap: (options) => createTap(RULES, options),
}

/** The members of a tool with which Google, and others for it, search the web. */
const SEARCH = /^(?:google|enterprise_?web|exa_?ai|parallel_?ai)_?search/i

function isSearch(tool: JsonObject): boolean {
  for (const kind in tool) if (tool[kind] != null && SEARCH.test(kind)) return true
  return false
}

/** The encoder asks for both: see `decodeModalities`. */
function asksForImagesAlone({ responseModalities }: JsonObject): boolean {
  if (!Array.isArray(responseModalities)) return false
  const asked = responseModalities.map((modality: Json) => stringOf(modality).toLowerCase())
  return asked.includes('image') && !asked.includes('text')
}

/** Responses keep `modelVersion`, the upstream's own name of the model. */
const RULES: TapRules = {
  frame: readFrame,
  // Of text alone: almost every frame has counts.
  output: 'text',
  whole: (body) => body['usageMetadata'],
  usage: decodeUsage,
  usageTerms: decodeTerms,
  searches: ({ candidates }) => searchesOf(candidates, () => true),
}

function readFrame(frame: string): FrameFacts | undefined {
  const chunk = frameData(frame)
  if (chunk === undefined) return undefined
  if (chunk['error'] != null) return { failed: decodeErrorBody(chunk) }
  const counted = chunk['usageMetadata']
  const searches = searchesOf(chunk['candidates'], isFirst)
  const complete = isComplete(chunk)
  return complete || (counted ?? searches) !== undefined ? { counted, searches, complete } : undefined
}

/** Called for almost every frame, so it allocates nothing for a response without searches. */
function searchesOf(candidates: Json | undefined, counts: (candidate: JsonObject) => boolean): number | undefined {
  let groundings: JsonObject[] | undefined
  for (const candidate of listOf(candidates as readonly Json[] | undefined)) {
    const grounding = isObject(candidate) && counts(candidate) ? candidate['groundingMetadata'] : undefined
    if (isObject(grounding)) (groundings ??= []).push(grounding)
  }
  return groundings && countSearches(groundings)
}

function isFirst({ index }: JsonObject): boolean {
  return (index ?? 0) === 0
}

/** Only a finish reason marks the end. */
function isComplete({ candidates, promptFeedback }: JsonObject): boolean {
  if (isObject(promptFeedback) && isText(promptFeedback['blockReason'])) return true
  return listOf(candidates as readonly Json[] | undefined).some(
    (candidate) => isObject(candidate) && isFirst(candidate) && isText(candidate['finishReason']),
  )
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== ''
}

/** Seals of another domain are in the signatures of parts. */
function isSealed({ parts }: JsonObject): boolean {
  return listOf(parts as readonly Json[] | undefined).some(
    (part) => isObject(part) && isForeign(part['thoughtSignature']),
  )
}

function isForeign(signature: Json | undefined): boolean {
  if (typeof signature !== 'string') return false
  if (isBundle(signature)) return true
  const { seal } = unwrapBytes(signature, ISSUER)
  return seal !== undefined && (seal.issuer !== ISSUER || seal.value !== signature)
}
