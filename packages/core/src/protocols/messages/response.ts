import { keep, known, restore, unknownOf } from '../../ir/extras.ts'
import { finishWord, readFinish, type Finish, type FinishReason } from '../../ir/finish.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { reportUnsaid } from '../../ir/unsaid.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Blocked, Candidate, ModelResponse } from '../../ir/response.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeContent, encodeParts } from './content.ts'
import { NAME, type MessagesResponse } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

export function decodeResponse(wire: MessagesResponse, context: DecodeContext): ModelResponse {
  const { id, model, content, stop_reason, stop_sequence, usage } = wire
  const candidate: Candidate = {
    parts: decodeContent(content, context),
    finish: decodeFinish(stop_reason, stop_sequence),
  }
  const response: Draft<ModelResponse> = { candidates: [candidate] }
  if (typeof id === 'string') response.id = id
  if (typeof model === 'string') response.model = model
  if (isObject(usage)) response.usage = decodeUsage(usage)
  return keep(response, NAME, unknownOf(wire, RESPONSE))
}

export const RESPONSE = known('id type role model content stop_reason stop_sequence usage')

export function encodeResponse(response: ModelResponse, context: EncodeContext): MessagesResponse {
  const { losses } = context
  const { candidates, blocked, usage } = response
  const [candidate] = candidates
  for (const index of candidates.keys()) {
    if (index > 0) losses.dropped(['candidates', index], 'messages answers once')
  }
  const { parts = [], logprobs } = candidate ?? {}
  losses.enter('candidates', 0)
  const content = encodeParts(parts, context, pairCalls([{ role: 'assistant', parts }]))
  if (logprobs !== undefined) losses.dropped(['logprobs'], NO_LOGPROBS)
  losses.leave()
  const wire: MessagesResponse = {
    ...encodeHead(response, context),
    content,
    ...encodeEnd(candidate, blocked, context),
    usage: encodeUsage(usage, context),
  }
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

export const NO_LOGPROBS = 'messages answers have no logprobs'

/** Id and model, made up where the upstream gave none. */
export function encodeHead(
  response: Pick<ModelResponse, 'id' | 'model' | 'created'>,
  { losses, id: newId }: EncodeContext,
): MessagesResponse {
  const { id = `msg_${newId()}`, model = '' } = response
  if (response.id === undefined) losses.added(['id'], id, 'messages answers have an id')
  if (response.model === undefined) losses.added(['model'], model, 'messages answers name their model')
  reportUnsaid(response, ['created'], 'a messages answer', losses)
  return { id, type: 'message', role: 'assistant', model }
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
  const finish = readFinish(stopReason, REASON_OF, NAME)
  return sequence == null ? finish : { ...finish, sequence }
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

/** How the answer ends; without one, its prompt was blocked. The losses stand at the response. */
export function encodeEnd(
  candidate: Omit<Candidate, 'parts' | 'logprobs'> | undefined,
  blocked: Blocked | undefined,
  context: EncodeContext,
): WireFinish {
  const { losses } = context
  const refused = 'messages says refusal for a blocked prompt'
  if (blocked !== undefined) losses.dropped(['blocked'], refused)
  if (candidate === undefined) {
    losses.added(['candidates', 0], { parts: [], finish: { reason: 'refusal' } }, refused)
    return { stop_reason: 'refusal', stop_sequence: null }
  }
  const { finish, extras } = candidate
  losses.enter('candidates', 0)
  reportUnsaid(candidate, ['safety', 'grounding'], 'a messages answer', losses)
  if (extras?.[NAME] !== undefined) losses.dropped(['extras', NAME], 'messages answers have no candidates')
  if (finish.message !== undefined) losses.dropped(['finish', 'message'], 'messages has no words for why it stopped')
  const read = (word: string) => decodeFinish(word, undefined)
  const stop_reason = finishWord(finish, STOP_REASON_OF[finish.reason], NAME, read, losses)
  const stop_sequence = finish.sequence ?? guessSequence(finish, context)
  losses.leave()
  return { stop_reason, stop_sequence }
}

/** When one sequence was asked for and one matched, it was that one. The losses stand at the candidate. */
function guessSequence(finish: Finish, { asked, losses }: EncodeContext): string | null {
  const [only, other] = asked?.stop ?? []
  if (finish.reason !== 'stop-sequence' || only === undefined || other !== undefined) return null
  losses.added(['finish', 'sequence'], only, 'the one that was asked for')
  return only
}
