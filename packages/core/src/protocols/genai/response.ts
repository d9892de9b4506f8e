import { known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Finish, FinishReason, Blocked, Candidate, ModelResponse } from '../../ir/response.ts'
import type { Losses } from '../../ir/loss.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import { decodeMembers, encodeMembers, isList, isString, type Draft, type Members } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { notAnAnswer } from '../read-body.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { decodeParts, joinParts } from './content.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprobs, encodeLogprobs } from './logprobs.ts'
import { TABLES } from './members.ts'
import { groundParts, placeCitations } from './read-citations.ts'
import {
  answerContent,
  candidate as wireCandidate,
  genaiResponse,
  type FinishWord,
  type GenaiResponse,
  type WireCandidate,
  type WireCitation,
  type WireFeedback,
} from './answer-schema.ts'
import { NAME, type WirePart } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'
import { createPartWriter } from './write-parts.ts'

/** Throws if the body is an error, or a response of another protocol. */
export function decodeResponse(wire: GenaiResponse, context: DecodeContext): ModelResponse {
  const { candidates, promptFeedback, usageMetadata } = wire
  const { error } = wire as { readonly error?: unknown } // parsed JSON
  if (isObject(error)) throw decodeErrorBody({ error })
  if (!isAnswer(wire)) throw notAnAnswer()
  const answers = listOf(candidates).filter(isObject)
  const { blocked, rest } = answers.length === 0 ? decodeFeedback(promptFeedback) : { rest: promptFeedback }
  const response: Draft<ModelResponse> = {
    candidates: answers.map((candidate) => decodeCandidate(candidate, context)),
    ...decodeHead(wire, rest),
  }
  if (blocked !== undefined) response.blocked = blocked
  const groundings = response.candidates.map(({ grounding }) => grounding)
  if (isObject(usageMetadata)) response.usage = decodeUsage(usageMetadata, groundings)
  return response
}

/** Upstreams leave out the candidates of a response without text, but not all of these members. */
function isAnswer(wire: GenaiResponse): boolean {
  return (
    Array.isArray(wire.candidates) ||
    isObject(wire.promptFeedback) ||
    isObject(wire.usageMetadata) ||
    typeof wire.modelVersion === 'string' ||
    typeof wire.responseId === 'string'
  )
}

const HEAD = known(genaiResponse, { apart: ['promptFeedback', 'usageMetadata'] })
type Head = Pick<ModelResponse, 'id' | 'model' | 'created' | 'extras'>

/** Id, model, time and unknown members. Times are in whole seconds: a more precise one is also kept as text. */
export function decodeHead(wire: GenaiResponse, feedback: unknown): Head {
  const { responseId, modelVersion, createTime } = wire
  const created = secondsOf(createTime)
  const head: Draft<Head> = {}
  if (typeof responseId === 'string') head.id = responseId
  if (typeof modelVersion === 'string') head.model = modelVersion
  if (created !== undefined) head.created = created
  let rest = unknownOf(wire, HEAD)
  if (createTime !== undefined && (created === undefined || createTime.length !== WHOLE_SECOND.length))
    rest = { ...rest, createTime }
  if (feedback !== undefined && !(isObject(feedback) && isEmpty(feedback)))
    rest = { ...rest, promptFeedback: feedback as JsonObject } // parsed JSON
  if (rest !== undefined) head.extras = { [NAME]: rest }
  return head
}

const WHOLE_SECOND = '1970-01-01T00:00:00Z'

function secondsOf(time: unknown): number | undefined {
  const seconds = typeof time === 'string' ? Math.floor(Date.parse(time) / 1000) : Number.NaN
  return Number.isFinite(seconds) ? seconds : undefined
}

/** Id and time are generated if the upstream sent none. The losses are those of the response. */
export function encodeHead({ id, model, created, extras }: Head, losses: Losses, context: Encoding): GenaiResponse {
  const { now } = context
  const known = created !== undefined && Math.abs(created) <= LAST_SECOND
  const exact = extras?.[NAME]?.['createTime']
  const time = new Date((known ? created : now) * 1000).toISOString().replace('.000Z', 'Z')
  const wire: Draft<GenaiResponse> = {
    createTime: typeof exact === 'string' && secondsOf(exact) === created ? exact : time,
    responseId: id ?? context.id(),
  }
  if (id === undefined) losses.added(['id'], wire.responseId, 'genai answers have an id')
  if (created === undefined) losses.added(['created'], now, 'genai answers have a time')
  else if (!known) losses.changed(['created'], now, 'it is not a time')
  if (model !== undefined) wire.modelVersion = model
  return wire
}

const LAST_SECOND = 8.64e12

const FEEDBACK: Members<WireFeedback, Blocked> = {
  blockReason: ['reason', isString],
  blockReasonMessage: ['message', isString],
  safetyRatings: ['safety', isList],
}

/** Why there is no candidate. Without a reason, the feedback is an extra. */
export function decodeFeedback(wire: WireFeedback | undefined): { blocked?: Blocked; rest?: unknown } {
  const { ours, rest } = decodeMembers(objectOf(wire), FEEDBACK)
  const { reason = '' } = ours
  return reason === '' ? { rest: wire } : { blocked: { ...ours, reason }, rest }
}

export function encodeFeedback(blocked: Blocked): WireFeedback {
  return encodeMembers(blocked, FEEDBACK)
}

function decodeCandidate(wire: WireCandidate, context: DecodeContext): Candidate {
  const { content, citationMetadata, avgLogprobs, logprobsResult } = wire
  const wires = listOf(objectOf(content).parts).filter(isObject)
  const parts = joinParts(decodeParts(wires, context))
  let left = leftOfCandidate(wire)
  const citations = listOf(objectOf(citationMetadata).citations)
  const placed = citations.length === 0 ? parts : placeCitations(parts, citations)
  if (placed === undefined) left = { ...left, citationMetadata: citationMetadata as JsonObject } // parsed JSON
  const candidate: Draft<Candidate> = {
    parts: groundParts(placed ?? parts, wires, wire.groundingMetadata, context),
    finish: decodeFinish(wire.finishReason, wire.finishMessage, parts.some(isCall)),
    ...decodeRatings(wire),
  }
  const tokens = isObject(logprobsResult) ? decodeLogprobs(logprobsResult) : []
  if (typeof avgLogprobs === 'number') candidate.logprobs = { tokens, average: avgLogprobs }
  else if (tokens.length > 0) candidate.logprobs = { tokens }
  if (left !== undefined) candidate.extras = { [NAME]: left }
  return candidate
}

function isCall(part: Part): boolean {
  return part.type === 'tool-call'
}

const knownCandidate = (content: Known): Known =>
  known(wireCandidate, { apart: ['logprobsResult'], inside: { content } })
const OF_MODEL = knownCandidate(known(answerContent))
const OF_OTHERS = knownCandidate(known(answerContent, { unread: ['role'] }))

/** Unknown members of a candidate, whole or in a chunk. */
export function leftOfCandidate(wire: WireCandidate): JsonObject | undefined {
  const { content } = wire
  return unknownOf(wire, isObject(content) && content.role !== 'model' ? OF_OTHERS : OF_MODEL)
}

/** As the upstream sent them. */
export function decodeRatings({ safetyRatings, groundingMetadata }: WireCandidate): Ratings {
  const ratings: Draft<Ratings> = {}
  if (Array.isArray(safetyRatings)) ratings.safety = safetyRatings as readonly JsonObject[] // parsed JSON
  if (isObject(groundingMetadata)) ratings.grounding = groundingMetadata
  return ratings
}

type Ratings = Pick<Candidate, 'safety' | 'grounding'>

export function encodeResponse(response: ModelResponse, context: EncodeContext): GenaiResponse {
  const { losses } = context
  const { candidates, blocked, usage } = response
  const wire: Draft<GenaiResponse> = encodeHead(response, losses, context)
  if (blocked !== undefined && candidates.length === 0) wire.promptFeedback = encodeFeedback(blocked)
  else {
    if (blocked !== undefined) losses.dropped(['blocked'], 'there is an answer')
    wire.candidates = candidates.map((candidate, index) =>
      encodeCandidate(candidate, index, losses.at('candidates', index), context),
    )
  }
  const groundings = wire.candidates?.map(({ groundingMetadata }) => groundingMetadata)
  if (usage !== undefined) wire.usageMetadata = encodeUsage(usage, losses.at('usage'), context, groundings)
  reportUnsupported(response, TABLES.response, losses, context)
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

function encodeCandidate(candidate: Candidate, index: number, losses: Losses, context: Encoding): WireCandidate {
  const { logprobs } = candidate
  const pairs = pairCalls([{ role: 'assistant', parts: candidate.parts }])
  const parts: WirePart[] = []
  const citations: WireCitation[] = []
  const writer = createPartWriter(losses, context, pairs)
  for (const [position, part] of candidate.parts.entries()) {
    const written = writer.write(part, losses.at('parts', position), position)
    if (written === undefined) continue
    parts.push(written.wire)
    for (const citation of written.citations) citations.push(citation)
  }
  const rest = writer.rest()
  if (rest !== undefined) appendSeals(parts, rest)
  const called = parts.some((part) => part.functionCall !== undefined)
  const wire = encodeEnding(
    candidate,
    parts.length === 0 ? { role: 'model' } : { role: 'model', parts },
    called,
    losses.at('finish'),
    context,
  )
  if (citations.length > 0) wire.citationMetadata = { citations }
  if (logprobs?.average !== undefined) wire.avgLogprobs = logprobs.average
  if (logprobs !== undefined && logprobs.tokens.length > 0)
    wire.logprobsResult = encodeLogprobs(logprobs.tokens, 0, losses.at('logprobs'), context)
  wire.index = index
  return restore(NAME, candidate, wire)
}

/** Gemini signs the last text of a response without calls. */
function appendSeals(parts: WirePart[], rest: WirePart): void {
  const last = parts.at(-1)
  const isOpen = last?.text !== undefined && last.thought !== true && last.thoughtSignature === undefined
  if (isOpen) parts.splice(-1, 1, { ...last, ...rest, text: last.text })
  else parts.push(rest)
}

/** The members of a candidate at its end. The losses are those of its finish. */
export function encodeEnding(
  { finish, safety, grounding }: Omit<Candidate, 'parts' | 'logprobs'>,
  content: NonNullable<WireCandidate['content']>,
  called: boolean,
  losses: Losses,
  context: Encoding,
): Draft<WireCandidate> {
  const wire: Draft<WireCandidate> = { content }
  const finishReason = encodeFinish(finish, called, losses, context)
  if (finishReason !== '') wire.finishReason = finishReason
  if (finish.message !== undefined) wire.finishMessage = finish.message
  if (safety !== undefined) wire.safetyRatings = [...safety]
  if (grounding !== undefined) wire.groundingMetadata = grounding
  return wire
}

/** The value on the wire. */
const FINISH_REASON_OF: { readonly [Reason in FinishReason]: string } = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
  pause: 'STOP',
  error: 'OTHER',
  other: 'OTHER',
}
/** What a reader understands; a value that is more specific is kept beside it. */
const REASON_OF: { readonly [Word in FinishWord]: FinishReason } = {
  FINISH_REASON_UNSPECIFIED: 'other',
  STOP: 'stop',
  MAX_TOKENS: 'length',
  CONTINUATION: 'length', // of one request: it can be continued
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  LANGUAGE: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  NO_IMAGE: 'other',
  IMAGE_OTHER: 'other',
  OTHER: 'other',
}

/** With and without the prefix. A turn that stops after a function call, or gives no reason, finishes with tool calls. */
export function decodeFinish(wire: unknown, message: unknown, called: boolean): Finish {
  const value = typeof wire === 'string' ? wire.replace(/^FINISH_REASON_(?!UNSPECIFIED$)/, '') : ''
  const reason = Object.hasOwn(REASON_OF, value) ? REASON_OF[value as FinishWord] : 'other' // its own member
  const isOpen = reason === 'stop' || value === ''
  const finish: Draft<Finish> = { reason: isOpen && called ? 'tool-calls' : reason }
  if (FINISH_REASON_OF[finish.reason] !== value && finish.reason !== 'tool-calls')
    finish.raw = { protocol: NAME, value }
  if (typeof message === 'string') finish.message = message
  return finish
}

function encodeFinish(finish: Finish, called: boolean, losses: Losses, context: Encoding): string {
  const { raw, reason } = finish
  const meant = raw?.protocol === NAME ? decodeFinish(raw.value, undefined, called) : undefined
  const own = meant?.reason === reason && meant.raw?.value === raw?.value
  const wire = own && raw !== undefined ? raw.value : FINISH_REASON_OF[reason]
  const { reason: read } = decodeFinish(wire, undefined, called)
  reportUnsupported(finish, TABLES.finish, losses, context)
  if (raw !== undefined && !own) losses.dropped(['raw'], `a value of ${raw.protocol}`)
  if (read !== reason) losses.changed(['reason'], read, `genai has no ${reason} here`)
  return wire
}
