import { keep, known, unknownOf, type Known } from '../../ir/extras.ts'
import type { Finish, FinishReason, Blocked, Candidate, ModelResponse } from '../../ir/response.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import { withSearches } from '../../ir/usage.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { notAnAnswer } from '../read-body.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeTier } from '../openai.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { decodeItems } from './assistant.ts'
import { encodeItems } from './write-parts.ts'
import { responsesResponse, type ResponsesResponse } from './answer-schema.ts'
import { ECHO, encodeEcho, keepEcho, restoreAround } from './echo.ts'
import { decodeErrorBody } from './error.ts'
import { contentOf, createTokenShares, tokensOf, withRest } from './logprobs.ts'
import { TABLES } from './members.ts'
import { cutItem } from './open-item.ts'
import { decidesEnd, missingRefusal } from './item-facts.ts'
import { decodeTypedCall } from './typed-calls.ts'
import { NAME, type Item } from './schema.ts'
import { decodeUsage, encodeUsage, searchesOf } from './usage.ts'

/** Throws if the body is an error, or a response of another protocol. */
export function decodeResponse(wire: ResponsesResponse, context: DecodeContext): ModelResponse {
  const { output, usage, status, object } = wire
  if (status === 'failed' || (wire.error != null && status !== 'completed')) throw decodeErrorBody(wire)
  if (!Array.isArray(output) && object !== 'response') throw notAnAnswer()
  const items = listOf(output)
  const parts = decodeItems(items, context)
  const candidate: Draft<Candidate> = { parts, finish: decodeFinish(wire, parts) }
  const tokens = items.flatMap(tokensOf)
  if (tokens.length > 0) candidate.logprobs = { tokens }
  const response: Draft<ModelResponse> = { ...decodeHead(wire, context), candidates: [candidate] }
  if (isObject(usage)) response.usage = withSearches(decodeUsage(usage), searchesOf(wire)) ?? {}
  const tier = decodeTier(wire.service_tier)
  if (tier !== undefined) response.serviceTier = tier
  return response
}

/** The members of the response itself. What repeats the request is for a client of the same protocol. */
export function decodeHead(
  wire: ResponsesResponse,
  { caller }: DecodeContext,
): Draft<Pick<ModelResponse, 'id' | 'model' | 'created' | 'extras'>> {
  const head: Draft<Pick<ModelResponse, 'id' | 'model' | 'created'>> = {}
  if (typeof wire.id === 'string') head.id = wire.id
  if (typeof wire.model === 'string') head.model = wire.model
  if (typeof wire.created_at === 'number') head.created = wire.created_at
  const repeated = caller === NAME ? keepEcho(wire as JsonObject) : undefined // parsed JSON
  const unread = unreadHead(wire)
  return keep(head, NAME, repeated === undefined ? unread : { ...unread, ...repeated })
}

/** The details of an incomplete response are read if they are only a reason. A response that is not over has no time of its end. */
function unreadHead(wire: ResponsesResponse): JsonObject | undefined {
  const { completed_at, incomplete_details } = wire as JsonObject // parsed JSON
  let rest = unknownOf(wire, RESPONSE)
  if (completed_at != null) rest = { ...rest, completed_at }
  if (incomplete_details != null && !isKnownEnd(wire)) rest = { ...rest, incomplete_details }
  return rest
}

const RESPONSE: Known = new Map([
  ...known(responsesResponse, { apart: ['usage', 'incomplete_details'] }),
  ...ECHO.map((name) => [name, null] as const),
])

const REASON_OF: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

function isKnownEnd({ status, incomplete_details }: ResponsesResponse): boolean {
  const { reason, ...others } = objectOf(incomplete_details)
  return status === 'incomplete' && typeof reason === 'string' && Object.keys(others).length === 0
}

/** Calls of the client's tools end a response that is complete. */
export function decodeFinish({ status, incomplete_details }: ResponsesResponse, parts: readonly Part[]): Finish {
  if (status === 'incomplete') {
    const { reason } = objectOf(incomplete_details)
    const known = REASON_OF.get(reason)
    if (known !== undefined) return { reason: known }
    return typeof reason !== 'string'
      ? { reason: 'other' }
      : { reason: 'other', raw: { protocol: NAME, value: reason } }
  }
  if (parts.some(isCall)) return { reason: 'tool-calls' }
  if (parts.some(({ type }) => type === 'refusal')) return { reason: 'refusal' }
  if (status === 'completed' || status === undefined) return { reason: 'stop' }
  return { reason: 'other', raw: { protocol: NAME, value: status } }
}

/** A call that the client answers. */
function isCall(part: Part): boolean {
  return part.type === 'tool-call' && part.by === 'client'
}

export function encodeResponse(response: ModelResponse, context: EncodeContext): ResponsesResponse {
  const { losses } = context
  const { candidates, blocked, usage } = response
  const [candidate] = candidates
  for (const index of candidates.keys()) {
    if (index > 0) losses.dropped(['candidates', index], 'responses answers once')
  }
  const { parts = [], logprobs } = candidate ?? {}
  const at = losses.at('candidates', 0)
  const shares = createTokenShares(logprobs?.tokens ?? [])
  if (logprobs !== undefined) reportUnsupported(logprobs, TABLES.logprobs, at.at('logprobs'), context)
  const pairs = pairCalls([{ role: 'assistant', parts }])
  const head = encodeHead(response, losses, context)
  const last = parts.some(decidesEnd) ? undefined : missingRefusal(candidate?.finish, context)
  const output = encodeItems({ list: 'candidates', index: 0, parts }, losses, { context, pairs, shares }, last)
  const shown = withCut(withRest(output, logprobs?.tokens ?? [], shares.taken(), at), candidate?.finish)
  const searches = searchesOf({ ...response.extras?.[NAME], output: shown })
  const wire: ResponsesResponse = {
    ...head,
    ...encodeEnd(candidate, blocked, output, losses, context),
    output: shown,
    usage: encodeUsage(usage, losses.at('usage'), context, searches),
    ...(response.serviceTier === undefined ? {} : { service_tier: response.serviceTier }),
  }
  reportForeign(response, NAME, losses)
  return restoreAround(wire, response.extras?.[NAME])
}

/** Id, time and model, generated if the upstream sent none, and what the request asked for. */
export function encodeHead(
  response: Pick<ModelResponse, 'id' | 'model' | 'created' | 'extras'>,
  losses: Losses,
  context: Encoding,
): ResponsesResponse {
  const { id = `resp_${context.id()}`, model = '', created = context.now } = response
  if (response.id === undefined) losses.added(['id'], id, 'responses answers have an id')
  if (response.model === undefined) losses.added(['model'], model, 'responses answers name their model')
  if (response.created === undefined) losses.added(['created'], created, 'responses answers have a time')
  reportUnsupported(response, TABLES.response, losses, context)
  const head = { id, object: 'response', created_at: created, model, error: null, incomplete_details: null }
  return { ...head, ...encodeEcho(response.extras?.[NAME], context.asked?.echo) } // JSON by construction
}

interface WireEnd {
  readonly status: string
  readonly incomplete_details?: { readonly reason: string }
}

/** The end of the response; without one, its prompt was blocked. */
export function encodeEnd(
  candidate: Omit<Candidate, 'parts' | 'logprobs'> | undefined,
  blocked: Blocked | undefined,
  output: readonly Item[],
  losses: Losses,
  context: Encoding,
): WireEnd {
  const filtered = 'responses says content_filter for a blocked prompt'
  if (blocked !== undefined) losses.dropped(['blocked'], filtered)
  if (candidate === undefined) {
    losses.added(['candidates', 0], { parts: [], finish: { reason: 'content-filter' } }, filtered)
    return incomplete('content_filter')
  }
  const { finish } = candidate
  const at = losses.at('candidates', 0)
  reportUnsupported(candidate, TABLES.candidate, at, context)
  reportUnsupported(finish, TABLES.finish, at.at('finish'), context)
  const { reason, raw } = finish
  const own = raw?.protocol === NAME && reason === 'other' ? raw.value : undefined
  if (own !== undefined && own !== 'completed') return OWN_STATUS.has(own) ? { status: own } : incomplete(own)
  if (raw !== undefined) at.at('finish').dropped(['raw'], `a value of ${raw.protocol}`)
  const end =
    reason === 'length'
      ? incomplete('max_output_tokens')
      : reason === 'content-filter'
        ? incomplete('content_filter')
        : COMPLETE
  const understood = decodeFinish(end as ResponsesResponse, partsOf(output)).reason
  if (understood !== reason) at.at('finish').changed(['reason'], understood, `responses has no ${reason} here`)
  return end
}

/** Whether a response ends as incomplete. */
export function isCut({ reason, raw }: Finish): boolean {
  if (reason !== 'other') return reason === 'length' || reason === 'content-filter'
  return raw?.protocol === NAME && raw.value !== 'completed' && !OWN_STATUS.has(raw.value)
}

/** The last item of an incomplete response is incomplete. */
function withCut(output: readonly Item[], finish: Finish | undefined): Item[] {
  const last = output.at(-1)
  return finish === undefined || last === undefined || !isCut(finish)
    ? [...output]
    : [...output.slice(0, -1), cutItem(last)]
}

const COMPLETE: WireEnd = { status: 'completed' }
const OWN_STATUS: ReadonlySet<string> = new Set(['in_progress', 'queued', 'cancelled'])

function incomplete(reason: string): WireEnd {
  return { status: 'incomplete', incomplete_details: { reason } }
}

/** As much of the parts as their reader needs to know how the response ends. */
function partsOf(output: readonly Item[]): Part[] {
  return output.flatMap((item): Part[] => {
    if (item.type === 'function_call' || item.type === 'custom_tool_call' || decodeTypedCall(item) !== undefined)
      return [{ type: 'tool-call', name: '', arguments: '', by: 'client' }]
    return contentOf(item).some(({ type }) => type === 'refusal') ? [{ type: 'refusal', text: '' }] : []
  })
}
