import { DragomanError } from '../../ir/error.ts'
import { leftover, nest, unknownOf } from '../../ir/extras.ts'
import type { Part } from '../../ir/part.ts'
import type { Blocked, Candidate } from '../../ir/response.ts'
import type { Emit, Machine, StreamEvent } from '../../ir/stream.ts'
import { isObject, listOf, objectOf, overwritten, parseJson, type JsonObject } from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext } from '../protocol.ts'
import { createCallReader } from './calls.ts'
import { createCitationReader } from './citations.ts'
import { continues, decodePart, isGrowing, isNothing, plainText } from './content.ts'
import { decodeErrorBody } from './error.ts'
import { decodeLogprobs } from './logprobs.ts'
import { decodeFeedback, decodeFinish, decodeHead } from './response.ts'
import { NAME, type GenaiResponse, type WireCandidate, type WirePart, type WireUsage } from './schema.ts'
import { decodeUsage } from './usage.ts'

/** Wire chunks to IR events. Blocks have no boundaries on this wire: a text goes on until something else comes or it is sealed. */
export function decodeStream(emit: Emit<StreamEvent>, context: DecodeContext): Machine<string> {
  const citations = createCitationReader((citation) => emit({ type: 'block-patch', citation }))
  const calls = createCallReader()
  const seen = new Map<string, string>()
  let open: Part | undefined
  let counted: WireUsage | undefined
  let blocked: Blocked | undefined
  let finish: { readonly reason: string; readonly message: unknown } | undefined
  let ending: Pick<Candidate, 'safety' | 'grounding'> = {}
  let left: JsonObject = {}
  let called = false
  let started = false
  let done = false

  const close = () => {
    if (open === undefined) return
    if (open.type === 'text') citations.closeText()
    open = undefined
    emit({ type: 'block-end' })
  }
  const begin = (part: Part) => {
    close()
    open = part
    const { shell, text } = shellOf(part)
    if (part.type === 'text') citations.openText()
    emit({ type: 'block-start', part: shell })
    if (text !== '') grow(text)
  }
  const grow = (text: string) => {
    if (open?.type === 'text') citations.grow(text)
    emit({ type: 'block-delta', text })
  }
  const goOn = (part: Part, before: Part) => {
    if ('text' in part && part.text !== '') grow(part.text)
    if (part.seal === undefined) return
    open = { ...before, seal: part.seal }
    emit({ type: 'block-patch', seal: part.seal })
  }
  const say = (wire: WirePart) => {
    const text = plainText(wire)
    if (
      text !== undefined &&
      open?.type === (wire.thought === true ? 'reasoning' : 'text') &&
      open.seal === undefined
    ) {
      if (text !== '') grow(text)
    } else if (isObject(wire.functionCall)) for (const call of calls.read(wire)) sayWhole(call)
    else sayWhole(wire)
  }
  const sayWhole = (wire: WirePart) => {
    const part = decodePart(wire, context)
    if (isNothing(part)) return
    if (part.type === 'tool-call') called = true
    if (open !== undefined && continues(open, part)) return goOn(part, open)
    begin(part)
    if (!isGrowing(part)) close()
  }
  const choose = (candidate: WireCandidate) => {
    const { content, finishReason, citationMetadata, logprobsResult, safetyRatings, groundingMetadata } = candidate
    const { role, parts } = objectOf(content)
    for (const part of listOf(parts)) if (isObject(part)) say(part)
    keep('content', content, role === 'model' ? KNOWN_CONTENT : KNOWN_PARTS)
    for (const citation of listOf(objectOf(citationMetadata).citations)) citations.read(citation)
    keep('citationMetadata', citationMetadata, KNOWN_CITATIONS)
    const tokens = isObject(logprobsResult) ? decodeLogprobs(logprobsResult) : []
    if (tokens.length > 0) emit({ type: 'logprobs', tokens })
    if (typeof finishReason === 'string' && finishReason !== '')
      finish = { reason: finishReason, message: candidate.finishMessage }
    if (Array.isArray(safetyRatings) && safetyRatings.length > 0)
      ending = { ...ending, safety: safetyRatings as readonly JsonObject[] } // as the upstream gave them
    if (isObject(groundingMetadata)) ending = { ...ending, grounding: { ...ending.grounding, ...groundingMetadata } }
    const unknown = unknownOf(candidate, KNOWN_CANDIDATE)
    if (unknown !== undefined) left = { ...left, ...unknown }
  }
  const keep = (member: string, wire: object | undefined, known: ReadonlySet<string>) => {
    const rest = isObject(wire) ? unknownOf(wire, known) : undefined
    if (rest !== undefined) left = { ...left, [member]: rest }
  }
  const head = (chunk: GenaiResponse) => {
    const { candidates, usageMetadata, promptFeedback, ...members } = chunk
    const decoded = decodeHead(members)
    const feedback = decodeFeedback(promptFeedback)
    blocked ??= feedback.blocked
    const unknown = fresh(nest(decoded.rest, 'promptFeedback', feedback.rest), seen)
    const { extras } = leftover(NAME, unknown)
    if (!started) emit({ type: 'start', response: { ...decoded.head, ...(extras === undefined ? {} : { extras }) } })
    else if (extras !== undefined) emit({ type: 'extras', of: 'response', extras })
    started = true
  }
  const fail = (error: DragomanError) => {
    close()
    done = true
    emit({ type: 'error', error })
  }
  const end = () => {
    for (const call of calls.flush()) sayWhole(call)
    close()
    done = true
    const { rest } = citations
    const extras =
      rest.length === 0
        ? left
        : { ...left, citationMetadata: { ...objectOf(left['citationMetadata'] as JsonObject), citations: rest } } // an object, or replaced
    const reason =
      blocked === undefined
        ? decodeFinish(finish?.reason, finish?.message, called)
        : ({ reason: 'content-filter' } as const)
    emit({
      type: 'end',
      candidate: { finish: reason, ...ending, ...leftover(NAME, extras) },
      ...(counted === undefined ? {} : { usage: decodeUsage(counted) }),
      ...(blocked === undefined ? {} : { blocked }),
    })
  }
  const read = (data: string) => {
    const chunk = parseJson(data)
    if (!isObject(chunk))
      return fail(new DragomanError('upstream', 'The upstream sent a stream chunk that is not a JSON object.'))
    if (isObject(chunk['error'])) return fail(decodeErrorBody(chunk))
    const { candidates, usageMetadata } = chunk as GenaiResponse // read leniently
    if (!started || unknownOf(chunk, KNOWN_HEAD) !== undefined) head(chunk)
    const first = listOf(candidates).find((candidate) => isObject(candidate) && (candidate.index ?? 0) === 0)
    if (first !== undefined) choose(first)
    if (isObject(usageMetadata))
      counted = covers(usageMetadata, counted) ? usageMetadata : overwritten(counted, usageMetadata)
  }

  return {
    push(data) {
      if (done) return
      try {
        read(data)
      } catch (error) {
        fail(asUpstreamError(error))
      }
    },
    end() {
      if (done) return
      if (finish !== undefined || blocked !== undefined) {
        try {
          end()
        } catch (error) {
          fail(asUpstreamError(error))
        }
      } else fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
    },
  }
}

const KNOWN_HEAD: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'createTime',
  'responseId',
])
const KNOWN_CANDIDATE: ReadonlySet<string> = new Set(
  'content finishReason finishMessage citationMetadata logprobsResult index safetyRatings groundingMetadata'.split(' '),
)
const KNOWN_CONTENT: ReadonlySet<string> = new Set(['role', 'parts'])
const KNOWN_PARTS: ReadonlySet<string> = new Set(['parts'])
const KNOWN_CITATIONS: ReadonlySet<string> = new Set(['citations'])

/** Counts that say everything the ones before said. */
function covers(now: WireUsage, before: WireUsage | undefined): boolean {
  for (const key in before) if (!Object.hasOwn(now, key)) return false
  for (const key in now) if ((now as { readonly [key: string]: unknown })[key] === null) return false // read by keys that it has
  return true
}

/** A streamed block starts empty; its text is its first delta. */
function shellOf(part: Part): { readonly shell: Part; readonly text: string } {
  if (part.type !== 'tool-call' && 'text' in part) return { shell: { ...part, text: '' }, text: part.text }
  return { shell: part, text: '' }
}

/** The members that say something new: chunks repeat what was said. */
function fresh(members: object, seen: Map<string, string>): object {
  return Object.fromEntries(
    Object.entries(members).filter(([key, value]) => {
      const text = JSON.stringify(value)
      const known = seen.get(key) === text
      seen.set(key, text)
      return !known
    }),
  )
}
