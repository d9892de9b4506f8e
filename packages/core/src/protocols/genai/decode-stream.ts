import { DragomanError } from '../../ir/error.ts'
import { keepExtras } from '../../ir/extras.ts'
import type { Blocked, Candidate } from '../../ir/response.ts'
import type { Emit, EventOf, StreamEvent } from '../../ir/stream.ts'
import { withSearches } from '../../ir/usage.ts'
import { defined } from '../../lib/defined.ts'
import { createCounts, createMemberBuffer } from '../../lib/member-buffer.ts'
import { createRepeat } from '../../lib/repeat.ts'
import { isEmpty, isObject, listOf, objectOf, parseJson, type JsonObject } from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext } from '../context.ts'
import type { StreamDecoder } from '../protocol.ts'
import { plainText } from './content.ts'
import { createBlocks } from './decode-blocks.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprobs } from './logprobs.ts'
import { createCitationReader, groundedCitations } from './read-citations.ts'
import { createContentReader } from './read-content.ts'
import { decodeFeedback, decodeFinish, decodeHead, decodeRatings, leftOfCandidate } from './response.ts'
import type { GenaiResponse, WireCandidate, WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { decodeTerms } from './tier.ts'
import { countSearches, decodeUsage } from './usage.ts'

/** Wire chunks to IR events. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  /** Before the first event, the response is started with what is known about it. */
  const emit = (event: StreamEvent) => {
    if (!started && event.type !== 'error') start()
    last = event
    given(event)
  }
  const repeat = createRepeat<GenaiResponse>()
  let last: StreamEvent | undefined
  const candidate = createCandidate(emit, context)
  const seen = new Map<string, string>()
  const counts = createCounts(context.counted)
  let blocked: Blocked | undefined
  let head: Head = {}
  let started = false
  let done = false

  const start = () => {
    started = true
    given({ type: 'start', response: head })
  }
  const readHead = (chunk: GenaiResponse) => {
    const feedback = decodeFeedback(chunk.promptFeedback)
    const { extras, ...members } = decodeHead(chunk, feedback.rest)
    const fresh = freshOf(extras?.[NAME] ?? {}, seen)
    blocked ??= feedback.blocked
    if (!started) {
      head = { ...members, ...said(head), ...keepExtras(NAME, { ...head.extras?.[NAME], ...fresh }) }
      if (head.id && head.model) start()
    } else if (!isEmpty(fresh)) emit({ type: 'extras', of: 'response', extras: { [NAME]: fresh } })
  }
  const usage = () => {
    const counted: WireUsage | undefined = counts.object()
    return withSearches(counted && decodeUsage(counted), countSearches([candidate.grounding()]))
  }
  const read = (data: string) => {
    const again = repeat.text(data)
    if (again !== undefined) return candidate.grow(again)
    repeat.forget()
    const chunk = readChunk(data)
    const { usageMetadata } = chunk
    if (!started || hasNews(chunk)) readHead(chunk)
    const first = firstOf(chunk)
    if (first !== undefined) candidate.read(first)
    // Counts usually differ from chunk to chunk, and each report of them counts.
    if (isObject(usageMetadata)) counts.add(usageMetadata)
    else if (last?.type === 'block-delta' && last.text === addedText(chunk)) repeat.learn(data, last.text, addedText)
  }
  const finish = () => {
    if (!candidate.finished() && blocked === undefined)
      throw new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.')
    const ending = candidate.end()
    done = true
    const counted = counts.object() === undefined ? undefined : usage()
    emit({
      type: 'end',
      candidate: blocked === undefined ? ending : { ...ending, finish: { reason: 'content-filter' } },
      ...(counted === undefined ? {} : { usage: counted }),
      ...(blocked === undefined ? {} : { blocked }),
    })
  }
  const attempt = <T>(step: (input: T) => void, input: T) => {
    if (done) return
    try {
      step(input)
    } catch (error) {
      candidate.close()
      done = true
      emit({ type: 'error', error: asUpstreamError(error) })
    }
  }
  return {
    push: (data) => attempt(read, data),
    end: () => attempt(finish, undefined),
    usage,
    terms: () => decodeTerms(counts.object() ?? {}),
  }
}

type Head = EventOf<'start'>['response']

/** The members that say something: a later chunk may have the others. */
function said({ id, model, created }: Head): Head {
  return defined({ id: id || undefined, model: model || undefined, created })
}

/** Throws if the chunk is an error. */
function readChunk(data: string): GenaiResponse {
  const chunk = parseJson(data)
  if (!isObject(chunk)) throw new DragomanError('upstream', 'The upstream sent a stream chunk that is no JSON object.')
  if (isObject(chunk['error'])) throw decodeErrorBody(chunk)
  return chunk // read leniently
}

function firstOf({ candidates }: GenaiResponse): WireCandidate | undefined {
  return listOf(candidates).find((each) => isObject(each) && (each.index ?? 0) === 0)
}

/** The text that a chunk adds to a block, if it has no other part. */
function addedText(chunk: GenaiResponse): string | undefined {
  const [part, other] = listOf(objectOf(firstOf(chunk)?.content).parts)
  return other === undefined && isObject(part) ? plainText(part) : undefined
}

/** The one candidate of a streamed response, read chunk by chunk. */
interface CandidateReader {
  read(wire: WireCandidate): void
  /** More text for the open block. */
  grow(text: string): void
  grounding(): JsonObject | undefined
  /** The upstream has sent a finish reason. */
  finished(): boolean
  /** Ends the open block. */
  close(): void
  /** Ends the blocks, and returns what is known only at the end. */
  end(): Omit<Candidate, 'parts' | 'logprobs'>
}

function createCandidate(emit: Emit<StreamEvent>, context: DecodeContext): CandidateReader {
  const citations = createCitationReader((citation) => emit({ type: 'block-patch', citation }))
  const blocks = createBlocks(emit, citations)
  const content = createContentReader(blocks, context)
  const cited = new Set<string>()
  const grounding = createMemberBuffer()
  const left = createMemberBuffer()
  let last: WireCandidate | undefined // the one with the finish reason
  let safety: Candidate['safety']

  const readCitations = ({ citationMetadata }: WireCandidate) => {
    for (const citation of listOf(objectOf(citationMetadata).citations)) {
      const text = JSON.stringify(citation)
      if (!cited.has(text)) citations.read(citation) // some upstreams repeat members
      cited.add(text)
    }
  }
  /** The grounding comes at the end, when its text is usually still open. */
  const ground = () => {
    const sources = grounding.object()
    if (sources === undefined) return
    for (const { block, citation } of groundedCitations(sources, citations.texts())) {
      if (blocks.open !== undefined && block === blocks.count - 1) emit({ type: 'block-patch', citation })
      else emit({ type: 'block-patch', block, citation })
    }
  }
  const readLogprobs = ({ logprobsResult, avgLogprobs }: WireCandidate) => {
    const tokens = isObject(logprobsResult) ? decodeLogprobs(logprobsResult) : []
    if (typeof avgLogprobs === 'number') emit({ type: 'logprobs', tokens, average: avgLogprobs })
    else if (tokens.length > 0) emit({ type: 'logprobs', tokens })
  }
  return {
    read(wire) {
      const { finishReason } = wire
      const parts = listOf(objectOf(wire.content).parts)
      content.read(parts.every(isPart) ? parts : parts.filter(isPart))
      readCitations(wire)
      readLogprobs(wire)
      if (typeof finishReason === 'string' && finishReason !== '') last = wire
      const ratings = decodeRatings(wire)
      if (ratings.safety !== undefined && ratings.safety.length > 0) safety = ratings.safety
      if (ratings.grounding !== undefined) grounding.add(ratings.grounding)
      const unknown = leftOfCandidate(wire)
      if (unknown !== undefined) left.add(unknown)
    },
    grow: blocks.grow,
    grounding: () => grounding.object(),
    finished: () => last !== undefined,
    close: blocks.close,
    end() {
      content.flush()
      ground()
      blocks.close()
      const rest = citations.rest()
      if (rest.length > 0)
        left.add({ citationMetadata: { ...objectOf(left.object()?.['citationMetadata'] as object), citations: rest } }) // or replaced
      const ratings = defined({ safety, grounding: grounding.object() })
      return {
        finish: decodeFinish(last?.finishReason, last?.finishMessage, content.called()),
        ...ratings,
        ...keepExtras(NAME, left.object() ?? {}),
      }
    },
  }
}

function isPart(part: unknown): boolean {
  return isObject(part) && !isEmpty(part)
}

const USUAL: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'createTime', 'responseId'])

/** Members that most chunks repeat are read once. */
function hasNews(chunk: object): boolean {
  for (const member in chunk) if (!USUAL.has(member)) return true
  return false
}

/** The members with new values: chunks repeat the others. */
function freshOf(members: JsonObject, seen: Map<string, string>): JsonObject {
  const fresh = Object.entries(members).filter(([key, value]) => {
    const text = JSON.stringify(value)
    const known = seen.get(key) === text
    seen.set(key, text)
    return !known
  })
  return Object.fromEntries(fresh)
}
