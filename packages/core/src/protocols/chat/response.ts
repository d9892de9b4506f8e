import { keep, known, nest, restore, unknownOf } from '../../ir/extras.ts'
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
import type { Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { notAnAnswer } from '../read-body.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeTier } from '../openai.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { decodeAssistant, encodeAssistant, takeCitations } from './assistant.ts'
import { decodeSources } from './citations.ts'
import { answerDialect, type AnswerDialect } from './dialect.ts'
import { decodeErrorObject } from '../error-object.ts'
import { isErrorBody } from '../http.ts'
import { decodeLogprob, encodeLogprob } from './logprobs.ts'
import { TABLES } from './members.ts'
import { decodeThoughts } from './reasoning.ts'
import {
  chatResponse,
  choice as wireChoice,
  sources,
  type ChatResponse,
  type FinishWord,
  type WireChoice,
} from './answer-schema.ts'
import { NAME } from './schema.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

/** Throws if the body is an error, or a response of another protocol. */
export function decodeResponse(wire: ChatResponse, context: DecodeContext): ModelResponse {
  const { id, created, model, choices, usage: counted } = wire
  if (listOf(choices).length === 0 && isErrorBody(wire)) throw decodeErrorObject(wire)
  if (!isAnswer(wire)) throw notAnAnswer()
  const dialect = answerDialect(context)
  const candidates = listOf(choices).map((choice) => decodeChoice(choice, context, dialect))
  const usage = counted ?? (dialect.usage.inChoice ? objectOf(choices?.[0]).usage : undefined)
  const response: Draft<ModelResponse> = { candidates }
  if (typeof id === 'string') response.id = id
  if (typeof model === 'string') response.model = model
  if (typeof created === 'number') response.created = created
  if (isObject(usage)) response.usage = decodeUsage(usage, dialect.usage)
  const tier = decodeTier(wire.service_tier)
  if (tier !== undefined) response.serviceTier = tier
  const rest = unknownOf(wire, RESPONSE)
  return keep(response, NAME, rest !== undefined && dialect.sources ? takeSources(candidates, rest) : rest)
}

function isAnswer({ choices, object }: ChatResponse): boolean {
  return Array.isArray(choices) || object === 'chat.completion'
}

const RESPONSE = known(chatResponse, { apart: ['usage'], unread: ['citations', 'search_results'] })

/** Sources beside the choices belong to the text of the first choice; without a text they stay where they are. */
function takeSources([first]: readonly Draft<Candidate>[], rest: JsonObject): JsonObject | undefined {
  if (first === undefined) return rest
  const parts = [...first.parts]
  if (!takeCitations(decodeSources(rest), parts)) return rest
  first.parts = parts
  return unknownOf(rest, SOURCES)
}

const SOURCES = known(sources)

function decodeChoice(wire: WireChoice, context: DecodeContext, dialect: AnswerDialect): Draft<Candidate> {
  const { message, finish_reason, logprobs } = objectOf(wire)
  const { parts: decoded, extras } = decodeAssistant(objectOf(message), context)
  const parts = decodeThoughts(decoded, dialect)
  const called = parts.some((part) => part.type === 'tool-call')
  const candidate: Draft<Candidate> = { parts, finish: decodeFinish(finish_reason, called, dialect) }
  let rest = unknownOf(objectOf(wire), dialect.usage.inChoice ? COUNTED_CHOICE : CHOICE)
  if (extras !== undefined) rest = { ...rest, message: extras[NAME] ?? {} }
  const { content, refusal } = objectOf(logprobs)
  const tokens = listOf(content).map(decodeLogprob)
  if (tokens.length > 0) candidate.logprobs = { tokens }
  if (refusal != null)
    rest = nest(rest ?? {}, 'logprobs', {
      ...objectOf(rest?.['logprobs'] as JsonObject | undefined),
      refusal,
    }) as JsonObject // parsed JSON
  return keep(candidate, NAME, rest)
}

const CHOICE = known(wireChoice, { apart: ['message'], unread: ['usage'] })
const COUNTED_CHOICE = known(wireChoice, { apart: ['message', 'usage'] })

export function encodeResponse(response: ModelResponse, context: EncodeContext): ChatResponse {
  const { losses } = context
  const { candidates, usage, blocked } = response
  const newId = response.id ?? context.id() // before the ids of its parts, as in a stream
  const choices = candidates.map((candidate, index) => encodeChoice(candidate, index, losses, context))
  if (choices.length === 0) choices.push(choiceOf(0, {}, encodeBlocked(blocked, losses)))
  const wire: Draft<ChatResponse> = {
    ...encodeHead(response, 'chat.completion', losses, { ...context, id: () => newId }),
    choices,
  }
  if (usage !== undefined) wire.usage = encodeUsage(usage, losses.at('usage'), context)
  if (response.serviceTier !== undefined) wire.service_tier = response.serviceTier
  reportForeign(response, NAME, losses)
  return restore(NAME, response, wire)
}

/** The losses are those of the response. */
export function encodeBlocked(blocked: Blocked | undefined, losses: Losses): string {
  const reason = 'chat has content_filter for a blocked prompt'
  if (blocked !== undefined) losses.dropped(['blocked'], reason)
  losses.added(['candidates', 0], { parts: [], finish: { reason: 'content-filter' } }, reason)
  return 'content_filter'
}

/** Id, time and model, generated if the upstream sent none. */
export function encodeHead(
  response: Pick<ModelResponse, 'id' | 'created' | 'model'>,
  object: string,
  losses: Losses,
  { id: newId, now }: Encoding,
): { id: string; object: string; created: number; model: string } {
  const { id = `chatcmpl-${newId()}`, created = now, model = '' } = response
  if (response.id === undefined) losses.added(['id'], id, 'chat answers have an id')
  if (response.created === undefined) losses.added(['created'], created, 'chat answers have a time')
  if (response.model === undefined) losses.added(['model'], model, 'chat answers name their model')
  return { id, object, created, model }
}

function encodeChoice(candidate: Candidate, index: number, losses: Losses, context: Encoding): WireChoice {
  const { parts, logprobs } = candidate
  const pairs = pairCalls([{ role: 'assistant', parts }])
  const message = encodeAssistant({ list: 'candidates', index, parts }, 'one', losses, context, pairs) ?? {}
  const at = losses.at('candidates', index)
  const finish_reason = encodeFinish(candidate, message.tool_calls != null, at, context)
  if (logprobs !== undefined) reportUnsupported(logprobs, TABLES.logprobs, at.at('logprobs'), context)
  const choice = choiceOf(index, message, finish_reason)
  if (logprobs !== undefined) choice.logprobs = { content: logprobs.tokens.map(encodeLogprob), refusal: null }
  return restore(NAME, candidate, choice)
}

function choiceOf(index: number, sent: NonNullable<WireChoice['message']>, finish_reason: string): Draft<WireChoice> {
  const { content, refusal = null } = sent
  const message = { ...sent, role: 'assistant' as const, content: content || null, refusal }
  return { index, message, logprobs: null, finish_reason }
}

const REASON_OF: { readonly [Word in FinishWord]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
}

/** A turn that calls a tool finishes with tool calls, even if the upstream sends stop, or no reason. */
export function decodeFinish(
  finishReason: string | null | undefined,
  called: boolean,
  dialect?: Pick<AnswerDialect, 'finish'>,
): Finish {
  const finish = readFinish(finishReason, dialect === undefined ? REASON_OF : { ...REASON_OF, ...dialect.finish }, NAME)
  const isOpen = finish.reason === 'stop' || finishReason == null || finishReason === ''
  return isOpen && called ? { reason: 'tool-calls' } : finish
}

const FINISH_REASON_OF: { readonly [Reason in FinishReason]: string } = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  error: 'stop',
  other: 'stop',
}

/** A response with calls does not finish with stop. */
export function encodeFinish(
  candidate: Omit<Candidate, 'parts' | 'logprobs'>,
  called: boolean,
  losses: Losses,
  context: Encoding,
): string {
  const { finish } = candidate
  reportUnsupported(candidate, TABLES.candidate, losses, context)
  reportUnsupported(finish, TABLES.finish, losses.at('finish'), context)
  const nearest = FINISH_REASON_OF[finish.reason]
  const wanted = nearest === 'stop' && called ? 'tool_calls' : nearest
  return encodeFinishReason(finish, wanted, NAME, (each) => decodeFinish(each, called), losses.at('finish'))
}
