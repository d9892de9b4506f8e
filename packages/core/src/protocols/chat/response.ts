import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import type { Finish, FinishReason } from '../../ir/finish.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { pairCalls } from '../../ir/pairs.ts'
import type { Blocked, Candidate, Response } from '../../ir/response.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, isObject, listOf, objectOf } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeAssistant, encodeAssistant, takeCitations } from './assistant.ts'
import { decodeSources } from './citations.ts'
import { answerDialect, type AnswerDialect } from './dialect.ts'
import { decodeErrorBody, isFlatError } from './error.ts'
import { decodeLogprob, encodeLogprob } from './logprobs.ts'
import { decodeThoughts } from './reasoning.ts'
import { NAME, type ChatResponse, type WireChoice, type WireSources } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

/** Throws where an error stands in the place of an answer. */
export function decodeResponse(wire: ChatResponse, context: DecodeContext): Response {
  const { id, created, model, choices, usage: counted } = wire
  if (listOf(choices).length === 0 && (wire.error != null || isFlatError(wire))) throw decodeErrorBody(wire)
  const dialect = answerDialect(context)
  const candidates = listOf(choices).map((choice) => decodeChoice(choice, context, dialect))
  const usage = counted ?? (dialect.usage.inChoice ? objectOf(choices?.[0]).usage : undefined)
  const response: Draft<Response> = { candidates }
  if (typeof id === 'string') response.id = id
  if (typeof model === 'string') response.model = model
  if (typeof created === 'number') response.created = created
  if (isObject(usage)) response.usage = decodeUsage(usage, dialect.usage)
  const rest = unknownOf(wire, RESPONSE)
  if (rest === undefined) return response
  return { ...response, ...(dialect.sources ? decodeCited(candidates, rest) : leftover(NAME, rest)) }
}

const RESPONSE = new Set(['id', 'object', 'created', 'model', 'choices', 'usage'])

/** Sources beside the choices belong to the text of the first one; without a text they stay where they are. */
function decodeCited(candidates: readonly Candidate[], rest: WireSources): Pick<Response, 'candidates' | 'extras'> {
  const [first, ...others] = candidates
  const parts = [...(first?.parts ?? [])]
  if (first === undefined || !takeCitations(decodeSources(rest), parts)) return { candidates, ...leftover(NAME, rest) }
  const { citations, search_results, ...unknown } = rest
  return { candidates: [{ ...first, parts }, ...others], ...leftover(NAME, unknown) }
}

function decodeChoice(wire: WireChoice, context: DecodeContext, dialect: AnswerDialect): Candidate {
  const { message, finish_reason, logprobs } = objectOf(wire)
  const { parts: said, extras } = decodeAssistant(objectOf(message), context)
  const parts = decodeThoughts(said, dialect)
  const called = parts.some((part) => part.type === 'tool-call')
  const candidate: Draft<Candidate> = { parts, finish: decodeFinish(finish_reason, called, dialect) }
  let left: object = nest(
    unknownOf(objectOf(wire), dialect.usage.inChoice ? COUNTED_CHOICE : CHOICE) ?? {},
    'message',
    extras?.[NAME],
  )
  if (logprobs != null) {
    const { content, refusal, ...rest } = objectOf(logprobs)
    const tokens = listOf(content).map(decodeLogprob)
    if (tokens.length > 0) candidate.logprobs = { tokens }
    left = nest(left, 'logprobs', nest(rest, 'refusal', refusal ?? undefined))
  }
  return isEmpty(left) ? candidate : { ...candidate, ...leftover(NAME, left) }
}

const CHOICE = new Set(['index', 'message', 'finish_reason', 'logprobs'])
const COUNTED_CHOICE = new Set([...CHOICE, 'usage'])

export function encodeResponse(response: Response, context: EncodeContext): ChatResponse {
  const { losses } = context
  const choices = response.candidates.map((candidate, index) => encodeChoice(candidate, index, context))
  if (choices.length === 0) {
    const finish_reason = encodeBlocked(response.blocked, context)
    choices.push({
      index: 0,
      message: { role: 'assistant', content: null, refusal: null },
      logprobs: null,
      finish_reason,
    })
  }
  const wire: ChatResponse = {
    ...encodeHead(response, context),
    choices,
    ...(response.usage === undefined ? {} : { usage: encodeUsage(response.usage, context) }),
  }
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

/** The losses stand at the response. */
export function encodeBlocked(blocked: Blocked | undefined, { losses }: EncodeContext): string {
  if (blocked !== undefined) losses.dropped(['blocked'], 'chat says content_filter for a blocked prompt')
  losses.added(
    ['candidates', 0],
    { parts: [], finish: { reason: 'content-filter' } },
    'chat says content_filter for a blocked prompt',
  )
  return 'content_filter'
}

/** Id, time and model, made up where the upstream gave none. */
export function encodeHead(
  response: Pick<Response, 'id' | 'created' | 'model'>,
  context: EncodeContext,
): { id: string; object: 'chat.completion'; created: number; model: string } {
  const { losses } = context
  const id = response.id ?? `chatcmpl-${context.id()}`
  if (response.id === undefined) losses.added(['id'], id, 'chat answers have an id')
  if (response.created === undefined) losses.added(['created'], context.now, 'chat answers have a time')
  if (response.model === undefined) losses.added(['model'], '', 'chat answers name their model')
  return { id, object: 'chat.completion', created: response.created ?? context.now, model: response.model ?? '' }
}

function encodeChoice(candidate: Candidate, index: number, context: EncodeContext): WireChoice {
  const { losses } = context
  const pairs = pairCalls([{ role: 'assistant', parts: candidate.parts }])
  const message = encodeAssistant(candidate.parts, { list: 'candidates', index }, 'one', context, pairs)
  losses.enter('candidates', index)
  const finish_reason = encodeFinish(candidate, message?.tool_calls != null, context)
  if (candidate.logprobs?.average !== undefined) losses.dropped(['logprobs', 'average'], 'chat has no average of them')
  losses.leave()
  const logprobs =
    candidate.logprobs === undefined ? null : { content: candidate.logprobs.tokens.map(encodeLogprob), refusal: null }
  const said = {
    ...message,
    role: 'assistant' as const,
    content: message?.content || null,
    refusal: message?.refusal ?? null,
  }
  return restore(NAME, candidate, { index, message: said, logprobs, finish_reason })
}

const REASON_OF: { readonly [finishReason: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

/** A turn that calls a tool ends as such, even when the upstream just says stop. */
export function decodeFinish(
  finishReason: string | null | undefined,
  called: boolean,
  { finish: words }: AnswerDialect,
): Finish {
  if (typeof finishReason !== 'string') return { reason: 'other' }
  const own = Object.hasOwn(words, finishReason) ? words[finishReason] : undefined
  const reason = own ?? (Object.hasOwn(REASON_OF, finishReason) ? REASON_OF[finishReason] : undefined)
  if (reason === 'stop' && called) return { reason: 'tool-calls' }
  return reason === undefined ? { reason: 'other', raw: { protocol: NAME, value: finishReason } } : { reason }
}

/** What the protocol can say, and what of it a reader understands. */
const FINISH_REASON_OF: { readonly [Reason in FinishReason]: readonly [finishReason: string, readAs: FinishReason] } = {
  stop: ['stop', 'stop'],
  'stop-sequence': ['stop', 'stop'],
  length: ['length', 'length'],
  'tool-calls': ['tool_calls', 'tool-calls'],
  'content-filter': ['content_filter', 'content-filter'],
  refusal: ['content_filter', 'content-filter'],
  pause: ['stop', 'stop'],
  error: ['stop', 'stop'],
  other: ['stop', 'stop'],
}

/** An answer that calls a tool does not just stop. The losses stand at the candidate. */
export function encodeFinish(
  candidate: Omit<Candidate, 'parts' | 'logprobs'>,
  called: boolean,
  context: EncodeContext,
): string {
  const { losses } = context
  const { finish } = candidate
  for (const member of ['safety', 'grounding'] as const) {
    if (candidate[member] !== undefined) losses.dropped([member], `chat answers have no ${member}`)
  }
  if (finish.sequence !== undefined)
    losses.dropped(['finish', 'sequence'], 'chat does not say which stop sequence matched')
  if (finish.message !== undefined) losses.dropped(['finish', 'message'], 'chat has no words for why it stopped')
  if (finish.reason === 'other' && finish.raw?.protocol === NAME) return finish.raw.value
  if (finish.raw !== undefined) losses.dropped(['finish', 'raw'], `a word of ${finish.raw.protocol}`)
  const [said] = FINISH_REASON_OF[finish.reason]
  const [finishReason, readAs] = FINISH_REASON_OF[said === 'stop' && called ? 'tool-calls' : finish.reason]
  if (readAs !== finish.reason) losses.changed(['finish', 'reason'], readAs, `chat has no ${finish.reason} here`)
  return finishReason
}
