import { leftover, nest, restore } from '../../ir/extras.ts'
import type { Finish, FinishReason } from '../../ir/finish.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import type { Blocked, Candidate, Response } from '../../ir/response.ts'
import { isEmpty, isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { createRuns, placeCitations } from './citations.ts'
import { decodePart, encodePart, joinParts } from './content.ts'
import { decodeLogprobs, encodeLogprobs } from './logprobs.ts'
import {
  NAME,
  type GenaiResponse,
  type WireCandidate,
  type WireCitation,
  type WireFeedback,
  type WirePart,
} from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

export function decodeResponse(wire: GenaiResponse, context: DecodeContext): Response {
  const { candidates, promptFeedback, usageMetadata, ...head } = wire
  const { head: members, rest } = decodeHead(head)
  const answers = listOf(candidates).filter(isObject)
  const { blocked, rest: feedbackRest } =
    answers.length === 0 ? decodeFeedback(promptFeedback) : { rest: promptFeedback }
  return {
    ...members,
    candidates: answers.map((candidate) => decodeCandidate(candidate, context)),
    ...(blocked === undefined ? {} : { blocked }),
    ...(isObject(usageMetadata) ? { usage: decodeUsage(usageMetadata) } : {}),
    ...leftover(NAME, nest(rest, 'promptFeedback', feedbackRest)),
  }
}

/** Id, model and time, and what is left. Times are in whole seconds. */
export function decodeHead(wire: Omit<GenaiResponse, 'candidates' | 'promptFeedback' | 'usageMetadata'>): {
  head: Pick<Response, 'id' | 'model' | 'created'>
  rest: object
} {
  const { responseId, modelVersion, createTime, ...rest } = wire
  const created = typeof createTime === 'string' ? Math.floor(Date.parse(createTime) / 1000) : Number.NaN
  const known = Number.isFinite(created)
  return {
    head: {
      ...(typeof responseId === 'string' ? { id: responseId } : {}),
      ...(typeof modelVersion === 'string' ? { model: modelVersion } : {}),
      ...(known ? { created } : {}),
    },
    rest: known || createTime === undefined ? rest : { ...rest, createTime },
  }
}

/** Id and time are made up where the upstream gave none. The losses stand at the response. */
export function encodeHead(
  { id, model, created }: Pick<Response, 'id' | 'model' | 'created'>,
  context: EncodeContext,
): GenaiResponse {
  const { losses, now } = context
  const known = created !== undefined && Math.abs(created) <= LAST_SECOND
  const responseId = id ?? context.id()
  if (id === undefined) losses.added(['id'], responseId, 'genai answers have an id')
  if (created === undefined) losses.added(['created'], now, 'genai answers have a time')
  else if (!known) losses.changed(['created'], now, 'it is no time')
  const time = new Date((known ? created : now) * 1000).toISOString()
  return {
    ...(model === undefined ? {} : { modelVersion: model }),
    createTime: time.replace('.000Z', 'Z'),
    responseId,
  }
}

const LAST_SECOND = 8.64e12

/** Why there is no answer at all. Without a reason the feedback is a leftover. */
export function decodeFeedback(wire: WireFeedback | undefined): { blocked?: Blocked; rest?: unknown } {
  const { blockReason, blockReasonMessage, safetyRatings, ...rest } = objectOf(wire)
  if (typeof blockReason !== 'string' || blockReason === '') return { rest: wire }
  const blocked = {
    reason: blockReason,
    ...(typeof blockReasonMessage === 'string' ? { message: blockReasonMessage } : {}),
    ...(Array.isArray(safetyRatings) ? { safety: safetyRatings as readonly JsonObject[] } : {}), // as the upstream gave them
  }
  return { blocked, rest }
}

export function encodeFeedback({ reason, message, safety }: Blocked): WireFeedback {
  return {
    blockReason: reason,
    ...(message === undefined ? {} : { blockReasonMessage: message }),
    ...(safety === undefined ? {} : { safetyRatings: safety }),
  }
}

function decodeCandidate(wire: WireCandidate, context: DecodeContext): Candidate {
  const { content, finishReason, finishMessage, citationMetadata, avgLogprobs, logprobsResult, index, ...others } = wire
  const { safetyRatings, groundingMetadata, ...rest } = others
  const { role, parts: wires, ...contentRest } = objectOf(content)
  const parts = joinParts(
    listOf(wires)
      .filter(isObject)
      .map((part) => decodePart(part as WirePart, context)),
  ) // read leniently
  const { citations, ...citationsRest } = objectOf(citationMetadata)
  const cited =
    Array.isArray(citations) && citations.length > 0
      ? placeCitations(parts, citations as readonly WireCitation[])
      : undefined
  const tokens = isObject(logprobsResult) ? decodeLogprobs(logprobsResult) : []
  const average = typeof avgLogprobs === 'number' ? { average: avgLogprobs } : {}
  let left: object = nest(
    rest,
    'content',
    role === undefined || role === 'model' ? contentRest : { ...contentRest, role },
  )
  left = nest(left, 'citationMetadata', cited === undefined ? citationMetadata : citationsRest)
  return {
    parts: cited ?? parts,
    finish: decodeFinish(finishReason, finishMessage, isCalling(parts)),
    ...(Array.isArray(safetyRatings) ? { safety: safetyRatings as readonly JsonObject[] } : {}), // as the upstream gave them
    ...(tokens.length === 0 && isEmpty(average) ? {} : { logprobs: { tokens, ...average } }),
    ...(isObject(groundingMetadata) ? { grounding: groundingMetadata } : {}),
    ...leftover(NAME, left),
  }
}

function isCalling(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === 'tool-call')
}

export function encodeResponse(response: Response, context: EncodeContext): GenaiResponse {
  const { losses } = context
  const { blocked, usage } = response
  const none = response.candidates.length === 0 && blocked !== undefined
  if (blocked !== undefined && !none) losses.dropped(['blocked'], 'there is an answer')
  const wire: GenaiResponse = {
    ...(none
      ? { promptFeedback: encodeFeedback(blocked) }
      : { candidates: response.candidates.map((each, index) => encodeCandidate(each, index, context)) }),
    ...(usage === undefined ? {} : { usageMetadata: encodeUsage(usage, context) }),
    ...encodeHead(response, context),
  }
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

function encodeCandidate(candidate: Candidate, index: number, context: EncodeContext): WireCandidate {
  const { losses } = context
  const pairs = pairCalls([{ role: 'assistant', parts: candidate.parts }])
  const parts: WirePart[] = []
  const citations: WireCitation[] = []
  losses.enter('candidates', index)
  const runs = createRuns(context, (index) => ['parts', index])
  for (const [place, part] of candidate.parts.entries()) {
    losses.enter('parts', place)
    const wire = encodePart(part, runs.joins(part), context, pairs)
    losses.leave()
    if (wire === undefined) continue
    parts.push(wire)
    citations.push(...runs.add(wire, part, place))
  }
  const { logprobs } = candidate
  const finish = encodeFinish(
    candidate.finish,
    parts.some((part) => part.functionCall !== undefined),
    context,
  )
  const scored =
    logprobs === undefined || logprobs.tokens.length === 0
      ? {}
      : { logprobsResult: encodeLogprobs(logprobs.tokens, 0, context) }
  losses.leave()
  return restore(NAME, candidate, {
    content: { role: 'model', ...(parts.length === 0 ? {} : { parts }) },
    ...finish,
    ...encodeRatings(candidate),
    ...(citations.length === 0 ? {} : { citationMetadata: { citations } }),
    ...(logprobs?.average === undefined ? {} : { avgLogprobs: logprobs.average }),
    ...scored,
    index,
  })
}

export function encodeRatings({
  safety,
  grounding,
}: Pick<Candidate, 'safety' | 'grounding'>): Pick<WireCandidate, 'safetyRatings' | 'groundingMetadata'> {
  return {
    ...(safety === undefined ? {} : { safetyRatings: safety }),
    ...(grounding === undefined ? {} : { groundingMetadata: grounding }),
  }
}

const REASON_OF: { readonly [finishReason: string]: FinishReason } = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  OTHER: 'other',
}
/** Words that are finer than ours. */
const COARSE_OF: { readonly [finishReason: string]: FinishReason } = {
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
}
const UNSPECIFIED = 'FINISH_REASON_UNSPECIFIED'

/** With and without the prefix. A turn that just stops after calling a function stops for its calls. */
export function decodeFinish(word: unknown, message: unknown, called: boolean): Finish {
  const said = typeof message === 'string' ? { message } : {}
  const value = typeof word !== 'string' ? '' : word === UNSPECIFIED ? word : word.replace(/^FINISH_REASON_/, '')
  const known = Object.hasOwn(REASON_OF, value) ? REASON_OF[value] : undefined
  if (known !== undefined) return { reason: known === 'stop' && called ? 'tool-calls' : known, ...said }
  const reason = Object.hasOwn(COARSE_OF, value) ? COARSE_OF[value] : undefined
  return { reason: reason ?? 'other', raw: { protocol: NAME, value }, ...said }
}

/** What the protocol says, and what of it a reader understands. */
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

/** The losses stand at the candidate. */
export function encodeFinish(
  finish: Finish,
  called: boolean,
  { losses }: EncodeContext,
): { finishReason?: string; finishMessage?: string } {
  const { raw, reason, sequence, message } = finish
  const own =
    raw?.protocol === NAME && sameFinish(decodeFinish(raw.value, undefined, called), finish) ? raw.value : undefined
  const finishReason = own ?? FINISH_REASON_OF[reason]
  const read = decodeFinish(finishReason, undefined, called)
  if (sequence !== undefined) losses.dropped(['finish', 'sequence'], 'genai does not say which stop sequence matched')
  if (raw !== undefined && own === undefined) losses.dropped(['finish', 'raw'], `a word of ${raw.protocol}`)
  if (read.reason !== reason) losses.changed(['finish', 'reason'], read.reason, `genai has no ${reason} here`)
  return {
    ...(finishReason === '' ? {} : { finishReason }),
    ...(message === undefined ? {} : { finishMessage: message }),
  }
}

function sameFinish(one: Finish, other: Finish): boolean {
  return one.reason === other.reason && one.raw?.value === other.raw?.value
}
