import { DragomanError } from '../../ir/error.ts'
import { keep, newlyUnknown, unknownOf, type Known } from '../../ir/extras.ts'
import type { Candidate } from '../../ir/response.ts'
import type { Emit, StreamEvent } from '../../ir/stream.ts'
import { createCounts, defined } from '../../lib/members.ts'
import {
  isEmpty,
  isObject,
  listOf,
  numberOf,
  objectOf,
  stringOf,
  optionalString,
  type Json,
  type JsonObject,
} from '../../lib/json.ts'
import type { DecodeContext } from '../context.ts'
import { decodeTier } from '../openai.ts'
import { tierTerms } from '../tier-words.ts'
import type { StreamDecoder } from '../protocol.ts'
import { createStreamDecoder, type Decoded, type Head, type StreamReader } from '../stream-decoder.ts'
import { createAudioReader, decodeAudio } from './audio.ts'
import { createDecodedBlocks } from './decode-blocks.ts'
import { answerDialect, type AnswerDialect } from './dialect.ts'
import { decodeErrorObject } from '../error-object.ts'
import { isErrorBody } from '../http.ts'
import { decodeLogprob } from './logprobs.ts'
import { decodeImages } from './media.ts'
import { createCallReader } from './read-calls.ts'
import { createCitationReader, createSourceReader, type SourceReader } from './citations.ts'
import { createContentReader, createReasoningReader } from './read-content.ts'
import { decodeFinish } from './response.ts'
import type { WireChunk, WireChunkChoice, WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { decodeUsage } from './usage.ts'

/** Wire chunks to IR events. Interleaved calls are put one after another. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  return createStreamDecoder<WireChunk>(given, (decoded) => createReader(decoded, context))
}

function createReader(decoded: Decoded, context: DecodeContext): StreamReader<WireChunk> {
  const dialect = answerDialect(context)
  const readHead = createHeadReader(decoded, dialect.known.chunk)
  const sources = dialect.sources ? createSourceReader(decoded.emit) : undefined
  const choice = createChoiceReader(decoded, sources, dialect, context)
  const counts = createCounts(context.counted)
  let serviceTier: string | undefined
  let answered = false

  const usage = () => {
    const counted: WireUsage | undefined = counts.object()
    return counted === undefined ? undefined : decodeUsage(counted, dialect.usage)
  }
  const finish = () => {
    const candidate = choice.end()
    decoded.end(defined({ candidate, usage: usage(), serviceTier }))
  }
  const readChunk = (chunk: WireChunk) => {
    readHead(chunk)
    sources?.read(chunk)
    const first = chunk.choices?.[0]
    answered ||= chunk.choices !== undefined
    if (first !== undefined && (first.index ?? 0) === 0) choice.read(first)
    const counted = chunk.usage ?? (dialect.usage.inChoice ? first?.usage : undefined)
    if (isObject(counted)) counts.add(counted)
    serviceTier = decodeTier(chunk.service_tier) ?? serviceTier
  }
  return {
    read(chunk) {
      if (isErrorBody(chunk)) throw decodeErrorObject(chunk)
      readChunk(chunk)
    },
    done() {
      if (!answered) throw new DragomanError('upstream', 'The upstream ended its stream without an answer.')
      finish()
    },
    added: addedText,
    grow: choice.grow,
    passesText: choice.passesText,
    complete() {
      if (choice.isFinished()) finish()
      return choice.isFinished()
    },
    close: choice.close,
    usage,
    terms: () => tierTerms(serviceTier),
  }
}

/** The one choice of a streamed answer, read chunk by chunk. */
interface ChoiceReader extends Pick<StreamReader<WireChunk>, 'grow' | 'close'> {
  readonly read: (choice: WireChunkChoice) => void
  readonly passesText: () => boolean
  /** The upstream has sent a finish reason. */
  readonly isFinished: () => boolean
  /** Ends the blocks, and returns what is known only at the end. */
  readonly end: () => Omit<Candidate, 'parts' | 'logprobs'>
}

function createChoiceReader(
  { emit }: Decoded,
  sources: SourceReader | undefined,
  dialect: AnswerDialect,
  context: DecodeContext,
): ChoiceReader {
  const citations = createCitationReader((pendingBlock, change) => blocks.patch(pendingBlock, change))
  const blocks = createDecodedBlocks(emit, citations, sources)
  const reasoning = createReasoningReader(blocks, context)
  const content = createContentReader(emit, blocks, reasoning, dialect.tags)
  const calls = createCallReader(blocks, context, content.flush)
  const audio = createAudioReader()
  let finishReason: string | null | undefined
  const close = () => {
    calls.flush()
    content.flush()
    const spoken = decodeAudio(audio.audio())
    if (spoken !== undefined) blocks.start('other', spoken)
    blocks.pendingBlocks.finish()
  }
  return {
    read(choice) {
      const delta = objectOf(choice.delta)
      const details = listOf(delta.reasoning_details ?? delta.provider_specific_fields?.reasoning_details)
      if (delta.content || delta.refusal || delta.reasoning || delta.reasoning_content || details.length > 0)
        calls.flush()
      if (details.length > 0) details.forEach(reasoning.readDetail)
      else if (delta.reasoning_content || delta.reasoning)
        reasoning.appendText(delta.reasoning_content || delta.reasoning || '')
      else if (isDivision(delta)) reasoning.divide()
      if (delta.content) content.read(delta.content)
      if (delta.refusal) content.refuse(delta.refusal)
      if (delta.images != null)
        for (const image of decodeImages(listOf(delta.images)) ?? []) blocks.start('other', image)
      if (delta.audio != null) audio.add(objectOf(delta.audio))
      if (delta.annotations != null) citations.cite(listOf(delta.annotations))
      if (delta.tool_calls != null) listOf(delta.tool_calls).forEach(calls.read)
      const tokens = choice.logprobs?.content ?? []
      if (tokens.length > 0) emit({ type: 'logprobs', tokens: tokens.map(decodeLogprob) })
      if (choice.finish_reason) finishReason = choice.finish_reason
      const unknown = unknownOf(choice, dialect.known.choice)
      if (unknown !== undefined) emitUnknown(unknown, emit)
    },
    grow(text) {
      const { active } = blocks.pendingBlocks
      if (active === undefined || text === '') return false
      blocks.grow(active, text)
      return true
    },
    passesText: content.passesText,
    isFinished: () => finishReason != null,
    close,
    end() {
      close()
      const uncited = sources?.rest()
      if (uncited !== undefined) emit({ type: 'extras', of: 'response', extras: { [NAME]: uncited } })
      const heard = audio.audio()
      const silent = decodeAudio(heard) === undefined ? heard : undefined
      const message = defined({ annotations: citations.rest(), audio: silent }) as JsonObject // parsed JSON
      if (!isEmpty(message)) emit({ type: 'extras', of: 'candidate', extras: { [NAME]: { message } } })
      return { finish: decodeFinish(finishReason, calls.called(), dialect) }
    },
  }
}

/** Reads the members of chunks about the whole response: first its head, later only new members. */
function createHeadReader(decoded: Decoded, known: Known): (chunk: WireChunk) => void {
  const seen = new Map<string, unknown>()
  let head: Head['response'] = {}
  return (chunk) => {
    const rest = newlyUnknown(chunk, known, seen)
    if (!decoded.isStarted()) {
      head = joinHeads(head, chunk, rest)
      if (head.id && head.model) decoded.start({ response: head })
      else decoded.prepare({ response: head })
    } else if (rest !== undefined) decoded.emit({ type: 'extras', of: 'response', extras: { [NAME]: rest } })
  }
}

/** The first value that says something: the first chunk of Azure has an empty id, an empty model and the time 0. */
function joinHeads(
  head: Head['response'],
  { id, model, created }: WireChunk,
  rest: JsonObject | undefined,
): Head['response'] {
  const before = head.extras?.[NAME]
  return keep(
    defined({
      id: head.id || (optionalString(id) ?? head.id),
      model: head.model || (optionalString(model) ?? head.model),
      created: head.created || (numberOf(created) ?? head.created),
    }),
    NAME,
    before === undefined || rest === undefined ? (before ?? rest) : { ...before, ...rest },
  )
}

/** Empty reasoning under both names, and nothing else, begins another reasoning block: its entry comes at the end. */
function isDivision(delta: NonNullable<WireChunkChoice['delta']>): boolean {
  return delta.reasoning === '' && delta.reasoning_content === '' && Object.keys(delta).length === 2
}

/** Extras of a choice: those of its delta belong to the message. */
function emitUnknown(unknown: { readonly [member: string]: Json }, emit: Emit<StreamEvent>): void {
  const { delta: message, ...others } = unknown
  const extras = { [NAME]: message === undefined ? others : { ...others, message } }
  emit({ type: 'extras', of: 'candidate', extras })
}

/** The text that a chunk adds to a block, if it does nothing else. */
function addedText(chunk: WireChunk): string | undefined {
  const delta = chunk.choices?.[0]?.delta
  return (
    delta?.tool_calls?.[0]?.function?.arguments ||
    stringOf(delta?.content) ||
    delta?.reasoning_content ||
    delta?.reasoning ||
    undefined
  )
}
