import { framesOf } from './frames.ts'
import { acceptPart } from './genai-parts.ts'
import {
  filled,
  isFuture,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  whole,
  type Wire,
} from './refuse.ts'
import { ANY_SEAL } from './seal-rules.ts'

const FINISH_REASONS =
  'FINISH_REASON_UNSPECIFIED STOP MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL ' +
  'IMAGE_SAFETY UNEXPECTED_TOOL_CALL IMAGE_PROHIBITED_CONTENT NO_IMAGE IMAGE_RECITATION IMAGE_OTHER TOO_MANY_TOOL_CALLS'
const HEAD = 'candidates promptFeedback usageMetadata modelVersion createTime responseId'
const CANDIDATE =
  'content finishReason finishMessage safetyRatings citationMetadata groundingMetadata urlContextMetadata avgLogprobs logprobsResult index tokenCount'
const COUNTS = 'promptTokenCount candidatesTokenCount toolUsePromptTokenCount thoughtsTokenCount'

/** Throws if the official client could not read this response as its types promise, or could not send it back. */
export function acceptGenaiResponse(body: unknown): void {
  const response = object(body, 'body')
  acceptChunk(response, 'body', 'whole')
  if (response['promptFeedback'] !== undefined && response['candidates'] === undefined) return
  for (const [index, value] of list(response['candidates'], 'candidates').entries()) {
    const candidate = object(value, `candidates.${index}`)
    if (candidate['index'] !== index) refuse(`candidates.${index}.index`, `must be ${index}`)
  }
}

/** Throws if the official client would drop a chunk, misread it or fail. */
export function acceptGenaiStream(text: string): void {
  const frames = framesOf(text)
  let ended = false
  for (const [index, frame] of frames.entries()) {
    const path = `chunk ${index}`
    if (frame.event !== undefined) refuse(path, 'a frame with an event line is dropped')
    if (frame.data.includes('\n')) refuse(path, 'JSON over several lines fails')
    const chunk = object(JSON.parse(frame.data), path)
    if (ended) refuse(path, 'something after the last chunk')
    acceptChunk(chunk, path, 'chunk')
    acceptHistory(chunk, path)
    if (chunk['promptFeedback'] !== undefined && index > 0) refuse(path, 'feedback must be in the first chunk')
    ended =
      chunk['promptFeedback'] !== undefined ||
      list(chunk['candidates'] ?? [], path).some((one) => object(one, path)['finishReason'] !== undefined)
  }
  if (!ended) refuse('stream', 'no chunk has a finish reason')
}

/** The official client forgets the whole response if one chunk has no parts. */
function acceptHistory(chunk: Wire, path: string): void {
  if (chunk['promptFeedback'] !== undefined) return
  const [candidate] = filled(chunk['candidates'], `${path}.candidates`)
  filled(object(object(candidate, path)['content'], `${path}.content`)['parts'], `${path}.content.parts`)
}

/** Only a chunk may have an empty text. */
type Extent = 'whole' | 'chunk'

function acceptChunk(chunk: Wire, path: string, extent: Extent): void {
  only(chunk, HEAD, path)
  optional(chunk['modelVersion'], (model) => string(model, `${path}.modelVersion`))
  optional(chunk['responseId'], (id) => string(id, `${path}.responseId`))
  optional(chunk['createTime'], (time) =>
    matching(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, `${path}.createTime`),
  )
  optional(chunk['promptFeedback'], (value) => {
    const feedback = object(value, `${path}.promptFeedback`)
    only(feedback, 'blockReason blockReasonMessage safetyRatings', `${path}.promptFeedback`)
    nonEmpty(feedback['blockReason'], `${path}.promptFeedback.blockReason`)
  })
  optional(chunk['usageMetadata'], (usage) =>
    acceptUsage(object(usage, `${path}.usageMetadata`), `${path}.usageMetadata`),
  )
  optional(chunk['candidates'], (candidates) => {
    for (const [index, candidate] of list(candidates, path).entries())
      acceptCandidate(object(candidate, path), `${path}.candidates.${index}`, extent)
  })
}

function acceptCandidate(candidate: Wire, path: string, extent: Extent): void {
  only(candidate, CANDIDATE, path)
  optional(candidate['content'], (value) => {
    const content = object(value, `${path}.content`)
    only(content, 'role parts', `${path}.content`)
    oneOf(content['role'], ['model'], `${path}.content.role`)
    optional(content['parts'], (parts) => {
      for (const [index, part] of filled(parts, `${path}.content.parts`).entries())
        if (extent === 'whole' || JSON.stringify(part) !== '{"text":""}')
          acceptPart(part, `${path}.content.parts.${index}`, 'client', ANY_SEAL)
    })
  })
  optional(
    candidate['finishReason'],
    (reason) => isFuture(reason) || oneOf(reason, FINISH_REASONS.split(' '), `${path}.finishReason`),
  )
  optional(candidate['finishMessage'], (message) => string(message, `${path}.finishMessage`))
  optional(candidate['safetyRatings'], (ratings) =>
    list(ratings, path).map((rating) => object(rating, `${path}.safetyRatings`)),
  )
  optional(candidate['groundingMetadata'], (grounding) => object(grounding, `${path}.groundingMetadata`))
  optional(candidate['citationMetadata'], (value) => acceptCitations(object(value, path), `${path}.citationMetadata`))
  optional(candidate['logprobsResult'], (value) => acceptLogprobs(object(value, path), `${path}.logprobsResult`))
}

function acceptCitations(metadata: Wire, path: string): void {
  only(metadata, 'citations', path)
  for (const [index, value] of list(metadata['citations'], path).entries()) {
    const at = `${path}.citations.${index}`
    const citation = object(value, at)
    only(citation, 'startIndex endIndex uri title license publicationDate', at)
    const start = whole(citation['startIndex'] ?? 0, 0, Infinity, `${at}.startIndex`)
    optional(citation['endIndex'], (end) => whole(end, start, Infinity, `${at}.endIndex`))
  }
}

function acceptLogprobs(result: Wire, path: string): void {
  only(result, 'chosenCandidates topCandidates', path)
  const chosen = list(result['chosenCandidates'], path)
  for (const token of chosen) nonEmpty(object(token, path)['token'], `${path}.token`)
  optional(
    result['topCandidates'],
    (top) => list(top, path).length === chosen.length || refuse(path, 'must be as many as chosen'),
  )
}

function acceptUsage(usage: Wire, path: string): void {
  only(
    usage,
    `${COUNTS} totalTokenCount cachedContentTokenCount promptTokensDetails candidatesTokensDetails cacheTokensDetails toolUsePromptTokensDetails trafficType`,
    path,
  )
  const sum = COUNTS.split(' ').reduce(
    (total, member) => total + whole(usage[member] ?? 0, 0, Infinity, `${path}.${member}`),
    0,
  )
  if (usage['totalTokenCount'] !== sum) refuse(`${path}.totalTokenCount`, `must be ${sum}`)
}
