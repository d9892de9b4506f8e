import { DragomanError } from '../../ir/error.ts'
import { leftover } from '../../ir/extras.ts'
import { grow, grownText } from '../../ir/fold.ts'
import type { Part } from '../../ir/part.ts'
import type { Blocked, Candidate } from '../../ir/response.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { defined } from '../../lib/defined.ts'
import { createCounts, createGathered } from '../../lib/gathered.ts'
import { isEmpty, isObject, listOf, objectOf, parseJson, type JsonObject } from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext, StreamDecoder } from '../protocol.ts'
import { createCallReader } from './calls.ts'
import { createCitationReader } from './citations.ts'
import { continues, decodePart, isGrowing, isNothing, plainText } from './content.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprobs } from './logprobs.ts'
import { decodeFeedback, decodeFinish, decodeHead, decodeRatings, leftOfCandidate } from './response.ts'
import { NAME, type GenaiResponse, type WireCandidate, type WirePart, type WireUsage } from './schema.ts'
import { decodeUsage } from './usage.ts'

/** Wire chunks to IR events. Blocks have no boundaries on this wire: a text goes on until something else comes or it is sealed. */
export function decodeStream(emit: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  const citations = createCitationReader((citation) => emit({ type: 'block-patch', citation }))
  const calls = createCallReader()
  const cited = new Set<string>()
  const seen = new Map<string, string>()
  let open: Part | undefined
  const counts = createCounts()
  let blocked: Blocked | undefined
  let finish: WireCandidate | undefined
  let safety: Candidate['safety']
  const grounding = createGathered()
  const left = createGathered()
  let called = false
  let started = false
  let done = false

  const close = () => {
    if (open === undefined) return
    if (open.type === 'text') citations.closeText()
    open = undefined
    emit({ type: 'block-end' })
  }
  /** A streamed block starts empty; its text is its first delta. */
  const begin = (part: Part) => {
    close()
    open = part
    const text = grownText(part)
    if (part.type === 'text') citations.openText()
    emit({ type: 'block-start', part: text === '' ? part : grow(part, '') })
    say(text)
    if (!isGrowing(part)) close()
  }
  const say = (text: string) => {
    if (text === '') return
    if (open?.type === 'text') citations.grow(text)
    emit({ type: 'block-delta', text })
  }
  const readPart = (wire: WirePart) => {
    const text = plainText(wire)
    const kind = wire.thought === true ? 'reasoning' : 'text'
    if (text !== undefined && open?.type === kind && open.seal === undefined) say(text)
    else if (isObject(wire.functionCall)) calls.read(wire).forEach(readWhole)
    else readWhole(wire)
  }
  const readWhole = (wire: WirePart) => {
    const part = decodePart(wire, context)
    if (isNothing(part)) return
    if (part.type === 'tool-call') called = true
    if (open === undefined || !continues(open, part)) return begin(part)
    say(grownText(part))
    const { seal } = part
    if (seal === undefined) return
    open = { ...open, seal }
    emit({ type: 'block-patch', seal })
  }
  const readCandidate = (candidate: WireCandidate) => {
    const { content, finishReason, citationMetadata, logprobsResult, avgLogprobs } = candidate
    for (const part of listOf(objectOf(content).parts)) if (isObject(part) && !isEmpty(part)) readPart(part)
    for (const citation of listOf(objectOf(citationMetadata).citations)) {
      const text = JSON.stringify(citation)
      if (!cited.has(text)) citations.read(citation) // some upstreams repeat what they said
      cited.add(text)
    }
    const tokens = isObject(logprobsResult) ? decodeLogprobs(logprobsResult) : []
    if (typeof avgLogprobs === 'number') emit({ type: 'logprobs', tokens, average: avgLogprobs })
    else if (tokens.length > 0) emit({ type: 'logprobs', tokens })
    if (typeof finishReason === 'string' && finishReason !== '') finish = candidate
    const ratings = decodeRatings(candidate)
    if (ratings.safety !== undefined && ratings.safety.length > 0) safety = ratings.safety
    if (ratings.grounding !== undefined) grounding.add(ratings.grounding)
    const unknown = leftOfCandidate(candidate)
    if (unknown !== undefined) left.add(unknown)
  }
  const readHead = (chunk: GenaiResponse) => {
    const feedback = decodeFeedback(chunk.promptFeedback)
    const { extras, ...head } = decodeHead(chunk, feedback.rest)
    const fresh = leftover(NAME, freshOf(extras?.[NAME] ?? {}, seen))
    blocked ??= feedback.blocked
    if (!started) emit({ type: 'start', response: { ...head, ...fresh } })
    else if (fresh.extras !== undefined) emit({ type: 'extras', of: 'response', extras: fresh.extras })
    started = true
  }
  const fail = (error: DragomanError) => {
    close()
    done = true
    emit({ type: 'error', error })
  }
  const usage = () => {
    const counted: WireUsage | undefined = counts.object()
    return counted === undefined ? undefined : decodeUsage(counted)
  }
  const end = () => {
    calls.flush().forEach(readWhole)
    close()
    done = true
    const rest = citations.rest()
    if (rest.length > 0)
      left.add({ citationMetadata: { ...objectOf(left.object()?.['citationMetadata'] as object), citations: rest } }) // or replaced
    const ratings = defined({ safety, grounding: grounding.object() })
    const counted = usage()
    const reason = decodeFinish(finish?.finishReason, finish?.finishMessage, called)
    emit({
      type: 'end',
      candidate: {
        finish: blocked === undefined ? reason : { reason: 'content-filter' },
        ...ratings,
        ...leftover(NAME, left.object() ?? {}),
      },
      ...(counted === undefined ? {} : { usage: counted }),
      ...(blocked === undefined ? {} : { blocked }),
    })
  }
  const read = (data: string) => {
    const chunk = parseJson(data)
    if (!isObject(chunk))
      throw new DragomanError('upstream', 'The upstream sent a stream chunk that is no JSON object.')
    if (isObject(chunk['error'])) throw decodeErrorBody(chunk)
    const { candidates, usageMetadata } = chunk as GenaiResponse // read leniently
    if (!started || hasNews(chunk)) readHead(chunk)
    const first = listOf(candidates).find((candidate) => isObject(candidate) && (candidate.index ?? 0) === 0)
    if (first !== undefined) readCandidate(first)
    if (isObject(usageMetadata)) counts.add(usageMetadata)
  }
  const finished = () => {
    if (finish === undefined && blocked === undefined)
      throw new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.')
    end()
  }
  const attempt = <T>(step: (input: T) => void, input: T) => {
    if (done) return
    try {
      step(input)
    } catch (error) {
      fail(asUpstreamError(error))
    }
  }

  return {
    push: (data) => attempt(read, data),
    end: () => attempt(finished, undefined),
    usage,
  }
}

const USUAL: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'createTime', 'responseId'])

/** What most chunks say again is read once. */
function hasNews(chunk: JsonObject): boolean {
  for (const member in chunk) if (!USUAL.has(member)) return true
  return false
}

/** The members that say something new: chunks repeat what was said. */
function freshOf(members: JsonObject, seen: Map<string, string>): JsonObject {
  const fresh = Object.entries(members).filter(([key, value]) => {
    const text = JSON.stringify(value)
    const known = seen.get(key) === text
    seen.set(key, text)
    return !known
  })
  return Object.fromEntries(fresh)
}
