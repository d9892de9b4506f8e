import { restore, unknownOf } from '../../ir/extras.ts'
import type { Finish, FinishReason } from '../../ir/finish.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Blocked, Candidate, Response } from '../../ir/response.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeContent, encodeParts } from './content.ts'
import { NAME, type MessagesResponse } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

export function decodeResponse(wire: MessagesResponse, context: DecodeContext): Response {
  const { id, model, content, stop_reason, stop_sequence, usage } = wire
  const candidate: Candidate = {
    parts: decodeContent(content, context),
    finish: decodeFinish(stop_reason, stop_sequence),
  }
  const response: Draft<Response> = { candidates: [candidate] }
  if (typeof id === 'string') response.id = id
  if (typeof model === 'string') response.model = model
  if (isObject(usage)) response.usage = decodeUsage(usage)
  const rest = unknownOf(wire, RESPONSE)
  if (rest !== undefined) response.extras = { [NAME]: rest }
  return response
}

const RESPONSE = new Set(['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage'])

export function encodeResponse(response: Response, context: EncodeContext): MessagesResponse {
  const { losses } = context
  const [candidate] = response.candidates
  for (const index of response.candidates.keys()) {
    if (index > 0) losses.dropped(['candidates', index], 'messages answers once')
  }
  if (response.created !== undefined) losses.dropped(['created'], 'messages answers have no time')
  losses.enter('candidates', 0)
  const content =
    candidate === undefined
      ? []
      : encodeParts(candidate.parts, context, pairCalls([{ role: 'assistant', parts: candidate.parts }]))
  if (candidate?.logprobs !== undefined) losses.dropped(['logprobs'], 'messages answers have no logprobs')
  const finish = candidate === undefined ? undefined : encodeFinish(candidate, context)
  losses.leave()
  const wire: MessagesResponse = {
    id: encodeId(response, context),
    type: 'message',
    role: 'assistant',
    model: encodeModel(response, context),
    content,
    ...(finish ?? encodeBlocked(response.blocked, context)),
    usage: encodeUsage(response.usage, context),
  }
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

export function encodeId(response: Pick<Response, 'id'>, { losses, id }: EncodeContext): string {
  if (response.id !== undefined) return response.id
  const made = `msg_${id()}`
  losses.added(['id'], made, 'messages answers have an id')
  return made
}

export function encodeModel(response: Pick<Response, 'model'>, { losses }: EncodeContext): string {
  if (response.model !== undefined) return response.model
  losses.added(['model'], '', 'messages answers name their model')
  return ''
}

const REASON_OF: { readonly [stopReason: string]: FinishReason } = {
  end_turn: 'stop',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tool-calls',
  pause_turn: 'pause',
  refusal: 'refusal',
}

export function decodeFinish(stopReason: string | null | undefined, sequence: string | null | undefined): Finish {
  const matched = sequence == null ? {} : { sequence }
  if (stopReason == null) return { reason: 'other', ...matched }
  const reason = Object.hasOwn(REASON_OF, stopReason) ? REASON_OF[stopReason] : undefined
  if (reason === undefined) return { reason: 'other', raw: { protocol: NAME, value: stopReason }, ...matched }
  return { reason, ...matched }
}

/** What the protocol can say, and what of it a reader understands. */
const STOP_REASON_OF: { readonly [Reason in FinishReason]: readonly [stopReason: string, readAs: FinishReason] } = {
  stop: ['end_turn', 'stop'],
  length: ['max_tokens', 'length'],
  'stop-sequence': ['stop_sequence', 'stop-sequence'],
  'tool-calls': ['tool_use', 'tool-calls'],
  pause: ['pause_turn', 'pause'],
  refusal: ['refusal', 'refusal'],
  'content-filter': ['refusal', 'refusal'],
  error: ['end_turn', 'stop'],
  other: ['end_turn', 'stop'],
}

export interface WireFinish {
  readonly stop_reason: string
  readonly stop_sequence: string | null
}

/** The losses stand at the candidate. */
export function encodeFinish(candidate: Omit<Candidate, 'parts' | 'logprobs'>, context: EncodeContext): WireFinish {
  const { losses } = context
  const { finish } = candidate
  for (const member of ['safety', 'grounding'] as const) {
    if (candidate[member] !== undefined) losses.dropped([member], `messages answers have no ${member}`)
  }
  if (candidate.extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], 'messages answers have no candidates')
  if (finish.message !== undefined) losses.dropped(['finish', 'message'], 'messages has no words for why it stopped')
  const [stopReason, readAs] = STOP_REASON_OF[finish.reason]
  const own = finish.raw?.protocol === NAME && finish.reason === 'other' ? finish.raw.value : undefined
  if (own === undefined) {
    if (finish.raw !== undefined) losses.dropped(['finish', 'raw'], `a word of ${finish.raw.protocol}`)
    if (readAs !== finish.reason) losses.changed(['finish', 'reason'], readAs, `messages has no ${finish.reason} here`)
  }
  return { stop_reason: own ?? stopReason, stop_sequence: finish.sequence ?? guessSequence(finish, context) }
}

/** When one sequence was asked for and one matched, it was that one. The losses stand at the candidate. */
function guessSequence(finish: Finish, { asked, losses }: EncodeContext): string | null {
  const [only, other] = asked?.stop ?? []
  if (finish.reason !== 'stop-sequence' || only === undefined || other !== undefined) return null
  losses.added(['finish', 'sequence'], only, 'the one that was asked for')
  return only
}

/** The losses stand at the response. */
export function encodeBlocked(blocked: Blocked | undefined, { losses }: EncodeContext): WireFinish {
  if (blocked !== undefined) losses.dropped(['blocked'], 'messages says refusal for a blocked prompt')
  losses.added(
    ['candidates', 0],
    { parts: [], finish: { reason: 'refusal' } },
    'messages says refusal for a blocked prompt',
  )
  return { stop_reason: 'refusal', stop_sequence: null }
}
