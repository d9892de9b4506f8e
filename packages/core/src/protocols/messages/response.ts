import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import {
  encodeFinishReason,
  readFinish,
  type Finish,
  type FinishReason,
  type Blocked,
  type Candidate,
  type ModelResponse,
} from '../../ir/response.ts'
import type { Losses } from '../../ir/loss.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import type { Draft } from '../../lib/members.ts'
import { isObject } from '../../lib/json.ts'
import { notAnAnswer } from '../read-body.ts'
import { reportUnsupported } from '../member-tables.ts'
import { encodeTier } from '../tier-words.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { decodeContent, encodeParts } from './content.ts'
import { decodeErrorBody } from './error.ts'
import { TABLES } from './members.ts'
import { stateBeforeText } from './reasoning.ts'
import { messagesResponse, type MessagesResponse, type StopWord } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { ANSWER_TIERS, decodeUsage, encodeUsage } from './usage.ts'

/** Throws if the body is an error, or a response of another protocol. */
export function decodeResponse(wire: MessagesResponse, context: DecodeContext): ModelResponse {
  const { id, type, model, content, stop_reason, stop_sequence, usage } = wire
  if (type === 'error') throw decodeErrorBody(wire)
  if (!Array.isArray(content) && type !== 'message') throw notAnAnswer()
  const parts = decodeContent(content, context)
  const candidate: Candidate = { parts, finish: decodeFinish(stop_reason, stop_sequence, parts.some(isCall)) }
  const response: Draft<ModelResponse> = { candidates: [candidate] }
  if (typeof id === 'string') response.id = id
  if (typeof model === 'string') response.model = model
  if (isObject(usage)) response.usage = decodeUsage(usage)
  const tier = ANSWER_TIERS.get(isObject(usage) ? usage.service_tier : undefined)
  if (tier !== undefined) response.serviceTier = tier
  return keep(response, NAME, unknownOf(wire, RESPONSE))
}

export const RESPONSE = known(messagesResponse, { apart: ['usage'] })

export function encodeResponse(response: ModelResponse, context: EncodeContext): MessagesResponse {
  const { losses } = context
  const { candidates, blocked, usage } = response
  const [candidate] = candidates
  for (const index of candidates.keys()) {
    if (index > 0) losses.dropped(['candidates', index], 'messages answers once')
  }
  const { parts = [] } = candidate ?? {}
  const at = losses.at('candidates', 0)
  const content = stateBeforeText(encodeParts(parts, at, context, pairCalls([{ role: 'assistant', parts }])))
  const wire: MessagesResponse = {
    ...encodeHead(response, losses, context),
    content,
    ...encodeEnd(candidate, blocked, losses, context),
    usage: encodeUsage(
      usage,
      encodeTier(response.serviceTier, ANSWER_TIERS, NAME, losses),
      losses.at('usage'),
      context,
    ),
  }
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

/** Id and model, generated if the upstream sent none. */
export function encodeHead(
  response: Pick<ModelResponse, 'id' | 'model' | 'created'>,
  losses: Losses,
  context: Encoding,
): MessagesResponse {
  const { id = `msg_${context.id()}`, model = '' } = response
  if (response.id === undefined) losses.added(['id'], id, 'messages answers have an id')
  if (response.model === undefined) losses.added(['model'], model, 'messages answers name their model')
  reportUnsupported(response, TABLES.response, losses, context)
  return { id, type: 'message', role: 'assistant', model }
}

const REASON_OF: { readonly [Word in Exclude<StopWord, keyof typeof COARSE>]: FinishReason } = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  refusal: 'refusal',
}

/** Limits and pauses of another kind: only messages can tell them apart. */
const COARSE = { model_context_window_exceeded: 'length', compaction: 'pause' } as const

/** Calls without a stop reason end with tool calls. */
export function decodeFinish(
  stopReason: string | null | undefined,
  sequence: string | null | undefined,
  called: boolean,
): Finish {
  if (stopReason != null && Object.hasOwn(COARSE, stopReason))
    return { reason: COARSE[stopReason as keyof typeof COARSE], raw: { protocol: NAME, value: stopReason } } // its own member
  const finish = readFinish(stopReason ?? (called ? STOP_REASON_OF['tool-calls'] : stopReason), REASON_OF, NAME)
  return sequence == null ? finish : { ...finish, sequence }
}

/** A call that the client answers: those of the upstream do not end a turn. */
export function isCall(part: Part): boolean {
  return part.type === 'tool-call' && part.by === 'client'
}

const STOP_REASON_OF: { readonly [Reason in FinishReason]: string } = {
  stop: 'end_turn',
  length: 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tool-calls': 'tool_use',
  pause: 'pause_turn',
  refusal: 'refusal',
  'content-filter': 'refusal',
  error: 'end_turn',
  other: 'end_turn',
}

interface WireFinish {
  readonly stop_reason: string
  readonly stop_sequence: string | null
}

/** The end of the response; without one, its prompt was blocked. The losses are those of the response. */
export function encodeEnd(
  candidate: Omit<Candidate, 'parts' | 'logprobs'> | undefined,
  blocked: Blocked | undefined,
  losses: Losses,
  context: Encoding,
): WireFinish {
  const refused = 'messages says refusal for a blocked prompt'
  if (blocked !== undefined) losses.dropped(['blocked'], refused)
  if (candidate === undefined) {
    losses.added(['candidates', 0], { parts: [], finish: { reason: 'refusal' } }, refused)
    return { stop_reason: 'refusal', stop_sequence: null }
  }
  const { finish } = candidate
  const at = losses.at('candidates', 0)
  const ending = at.at('finish')
  reportUnsupported(candidate, TABLES.candidate, at, context)
  reportUnsupported(finish, TABLES.finish, ending, context)
  const read = (value: string) => decodeFinish(value, undefined, false)
  const stop_reason = encodeFinishReason(finish, STOP_REASON_OF[finish.reason], NAME, read, ending)
  const stop_sequence = finish.sequence ?? guessSequence(finish, ending, context)
  return { stop_reason, stop_sequence }
}

/** If one sequence was requested and one matched, it was that one. */
function guessSequence(finish: Finish, losses: Losses, { asked }: Encoding): string | null {
  const [only, other] = asked?.stop ?? []
  if (finish.reason !== 'stop-sequence' || only === undefined || other !== undefined) return null
  losses.added(['sequence'], only, 'the one that was asked for')
  return only
}
