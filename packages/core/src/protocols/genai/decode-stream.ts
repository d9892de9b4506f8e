import { keepExtras } from '../../ir/extras.ts'
import type { Blocked, Candidate } from '../../ir/response.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { withSearches } from '../../ir/usage.ts'
import { defined, createCounts, createMemberBuffer } from '../../lib/members.ts'
import { isEmpty, isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import type { StreamDecoder } from '../protocol.ts'
import { createStreamDecoder, type Decoded, type Head, type StreamReader } from '../stream-decoder.ts'
import { plainText } from './content.ts'
import { createDecodedBlocks } from './decode-blocks.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprobs } from './logprobs.ts'
import { createCitationReader, groundedCitations } from './read-citations.ts'
import { createContentReader } from './read-content.ts'
import { decodeFeedback, decodeFinish, decodeHead, decodeRatings, leftOfCandidate } from './response.ts'
import type { GenaiResponse, WireCandidate, WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { decodeTerms, countSearches, decodeUsage } from './usage.ts'

/** Wire chunks to IR events. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  return createStreamDecoder<GenaiResponse>(given, (decoded) => createReader(decoded, context))
}

function createReader(decoded: Decoded, context: DecodeContext): StreamReader<GenaiResponse> {
  const candidate = createCandidate(decoded.emit, context)
  const seen = new Map<string, string>()
  const counts = createCounts(context.counted)
  let blocked: Blocked | undefined
  let head: Head['response'] = {}

  const readHead = (chunk: GenaiResponse) => {
    const feedback = decodeFeedback(chunk.promptFeedback)
    const { extras, ...members } = decodeHead(chunk, feedback.rest)
    const fresh = freshOf(extras?.[NAME] ?? {}, seen)
    blocked ??= feedback.blocked
    if (!decoded.isStarted()) {
      head = { ...members, ...knownHead(head), ...keepExtras(NAME, { ...head.extras?.[NAME], ...fresh }) }
      if (head.id && head.model) decoded.start({ response: head })
      else decoded.prepare({ response: head })
    } else if (!isEmpty(fresh)) decoded.emit({ type: 'extras', of: 'response', extras: { [NAME]: fresh } })
  }
  const usage = () => {
    const counted: WireUsage | undefined = counts.object()
    return withSearches(counted && decodeUsage(counted), countSearches([candidate.grounding()]))
  }
  return {
    read(chunk) {
      if (isObject(chunk['error'])) throw decodeErrorBody(chunk as JsonObject) // parsed
      if (!decoded.isStarted() || hasNews(chunk)) readHead(chunk)
      const first = firstOf(chunk)
      if (first !== undefined) candidate.read(first)
      if (isObject(chunk.usageMetadata)) counts.add(chunk.usageMetadata)
    },
    added: addedText,
    grow(text) {
      candidate.grow(text)
      return true
    },
    complete() {
      if (!candidate.finished() && blocked === undefined) return false
      const ending = candidate.end()
      const counted = counts.object() === undefined ? undefined : usage()
      const finished = blocked === undefined ? ending : { ...ending, finish: { reason: 'content-filter' as const } }
      decoded.end(defined({ candidate: finished, usage: counted, blocked }))
      return true
    },
    close: candidate.close,
    usage,
    terms: () => decodeTerms(counts.object() ?? {}),
  }
}

/** The members that say something: a later chunk may have the others. */
function knownHead({ id, model, created }: Head['response']): Head['response'] {
  return defined({ id: id || undefined, model: model || undefined, created })
}

function firstOf({ candidates }: GenaiResponse): WireCandidate | undefined {
  return listOf(candidates).find((each) => isObject(each) && (each.index ?? 0) === 0)
}

/** The text that a chunk adds to a block, if it has no other part. Counts differ from chunk to chunk, and each report of them counts. */
function addedText(chunk: GenaiResponse): string | undefined {
  if (isObject(chunk.usageMetadata)) return undefined
  const [part, other] = listOf(objectOf(firstOf(chunk)?.content).parts)
  return other === undefined && isObject(part) ? plainText(part) : undefined
}

/** The one candidate of a streamed answer, read chunk by chunk. */
interface CandidateReader {
  read(wire: WireCandidate): void
  /** More text for the open block. */
  grow(text: string): void
  grounding(): JsonObject | undefined
  /** The upstream has sent a finish reason. */
  finished(): boolean
  /** Ends the open block. */
  readonly close: () => void
  /** Ends the blocks, and returns what is known only at the end. */
  end(): Omit<Candidate, 'parts' | 'logprobs'>
}

function createCandidate(emit: Emit<StreamEvent>, context: DecodeContext): CandidateReader {
  const citations = createCitationReader((citation) => emit({ type: 'block-patch', citation }))
  const blocks = createDecodedBlocks(emit, citations)
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
