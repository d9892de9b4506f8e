import { DragomanError } from '../../ir/error.ts'
import { keep, newlyUnknown, unknownOf, type Known } from '../../ir/extras.ts'
import type { Emit, EventOf, StreamEvent } from '../../ir/stream.ts'
import type { PriceTerms } from '../../ir/price-terms.ts'
import type { Usage } from '../../ir/usage.ts'
import { createCounts } from '../../lib/member-buffer.ts'
import { createRepeat } from '../../lib/repeat.ts'
import { defined } from '../../lib/defined.ts'
import {
  isEmpty,
  isObject,
  listOf,
  numberOf,
  objectOf,
  parseJson,
  stringOf,
  optionalString,
  type Json,
  type JsonObject,
} from '../../lib/json.ts'
import { asUpstreamError } from '../lenient.ts'
import type { DecodeContext } from '../context.ts'
import { decodeTier } from '../openai-members.ts'
import { tierTerms } from '../tier-words.ts'
import type { StreamDecoder } from '../protocol.ts'
import { createAudioReader, decodeAudio } from './audio.ts'
import { createBlocks, type StreamBlock, type Blocks } from './decode-blocks.ts'
import { answerDialect } from './dialect.ts'
import { decodeErrorObject } from '../error-object.ts'
import { isErrorBody } from '../statuses.ts'
import { decodeLogprob } from './logprobs.ts'
import { decodeImages } from './media.ts'
import { createCallReader } from './read-calls.ts'
import { createCitationReader, createSourceReader } from './read-citations.ts'
import { createContentReader } from './read-content.ts'
import { createReasoningReader } from './read-reasoning.ts'
import { decodeFinish } from './response.ts'
import type { WireChunk, WireChunkChoice, WireUsage } from './answer-schema.ts'
import { NAME } from './schema.ts'
import { decodeUsage } from './usage.ts'

/** Wire chunks to IR events. Interleaved calls are put one after another. */
export function decodeStream(given: Emit<StreamEvent>, context: DecodeContext): StreamDecoder {
  const repeat = createRepeat<WireChunk>()
  let growing: StreamBlock | undefined // the block that a repeated chunk adds to
  let emitted = 0
  let last: StreamEvent | undefined
  let done = false
  const answer = createAnswer((event) => {
    emitted++
    last = event
    given(event)
  }, context)
  const { blocks } = answer

  const fail = (error: DragomanError) => {
    if (done) return
    done = true
    answer.close()
    given({ type: 'error', error })
  }
  const finish = () => {
    done = true
    answer.finish()
  }
  const read = (data: string) => {
    const again = growing !== undefined && growing === blocks.pendingBlocks.active ? repeat.text(data) : undefined
    if (again !== undefined && again !== '' && growing !== undefined) return void blocks.grow(growing, again)
    repeat.forget()
    emitted = 0
    if (data === '[DONE]') {
      if (!answer.answered()) throw new DragomanError('upstream', 'The upstream ended its stream without an answer.')
      return finish()
    }
    const chunk = readChunk(data)
    answer.read(chunk)
    if (!answer.passesText()) return // text that may contain a tag is read piece by piece
    if (emitted === 1 && last?.type === 'block-delta' && last.text === addedText(chunk)) {
      growing = blocks.pendingBlocks.active
      repeat.learn(data, last.text, addedText)
    }
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
      if (answer.finished()) finish()
      else fail(new DragomanError('interrupted', 'The upstream ended its stream before the answer was complete.'))
    },
    usage: answer.usage,
    terms: answer.terms,
  }
}

/** Throws if the chunk is an error. */
function readChunk(data: string): WireChunk {
  const chunk = parseJson(data)
  if (!isObject(chunk))
    throw new DragomanError('upstream', 'The upstream sent a stream event that is not a JSON object.')
  if (isErrorBody(chunk)) throw decodeErrorObject(chunk)
  return chunk // read leniently
}

/** One response, read chunk by chunk. */
interface Answer {
  readonly blocks: Blocks
  readonly read: (chunk: WireChunk) => void
  /** A chunk of this protocol has arrived. */
  readonly answered: () => boolean
  /** The upstream has sent a finish reason. */
  readonly finished: () => boolean
  readonly passesText: () => boolean
  /** Ends the open blocks. */
  readonly close: () => void
  /** Ends the response. */
  readonly finish: () => void
  readonly usage: () => Usage | undefined
  readonly terms: () => PriceTerms | undefined
}

function createAnswer(given: Emit<StreamEvent>, context: DecodeContext): Answer {
  const dialect = answerDialect(context)
  const { emit, readHead } = createHeadReader(given, dialect.known.chunk)
  const citations = createCitationReader((pendingBlock, change) => blocks.patch(pendingBlock, change))
  const sources = dialect.sources ? createSourceReader(emit) : undefined
  const blocks = createBlocks(emit, citations, sources)
  const reasoning = createReasoningReader(blocks, context)
  const content = createContentReader(emit, blocks, reasoning, dialect.tags)
  const calls = createCallReader(blocks, context, content.flush)
  const audio = createAudioReader()
  const counts = createCounts(context.counted)
  let finishReason: string | null | undefined
  let serviceTier: string | undefined
  let answered = false

  const readChoice = (choice: WireChunkChoice) => {
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
    if (delta.images != null) for (const image of decodeImages(listOf(delta.images)) ?? []) blocks.start('other', image)
    if (delta.audio != null) audio.add(objectOf(delta.audio))
    if (delta.annotations != null) citations.cite(listOf(delta.annotations))
    if (delta.tool_calls != null) listOf(delta.tool_calls).forEach(calls.read)
    const tokens = choice.logprobs?.content ?? []
    if (tokens.length > 0) emit({ type: 'logprobs', tokens: tokens.map(decodeLogprob) })
    if (choice.finish_reason) finishReason = choice.finish_reason
    const unknown = unknownOf(choice, dialect.known.choice)
    if (unknown !== undefined) emitUnknown(unknown, emit)
  }
  const usage = () => {
    const counted: WireUsage | undefined = counts.object()
    return counted === undefined ? undefined : decodeUsage(counted, dialect.usage)
  }
  const close = () => {
    calls.flush()
    content.flush()
    const spoken = decodeAudio(audio.audio())
    if (spoken !== undefined) blocks.start('other', spoken)
    blocks.pendingBlocks.finish()
  }
  return {
    blocks,
    read(chunk) {
      readHead(chunk)
      sources?.read(chunk)
      const choice = chunk.choices?.[0]
      answered ||= chunk.choices !== undefined
      if (choice !== undefined && (choice.index ?? 0) === 0) readChoice(choice)
      const counted = chunk.usage ?? (dialect.usage.inChoice ? choice?.usage : undefined)
      if (isObject(counted)) counts.add(counted)
      serviceTier = decodeTier(chunk.service_tier) ?? serviceTier
    },
    answered: () => answered,
    finished: () => finishReason != null,
    passesText: content.passesText,
    close,
    finish() {
      close()
      const uncited = sources?.rest()
      if (uncited !== undefined) emit({ type: 'extras', of: 'response', extras: { [NAME]: uncited } })
      const heard = audio.audio()
      const silent = decodeAudio(heard) === undefined ? heard : undefined
      const message = defined({ annotations: citations.rest(), audio: silent }) as JsonObject // parsed JSON
      if (!isEmpty(message)) emit({ type: 'extras', of: 'candidate', extras: { [NAME]: { message } } })
      const candidate = { finish: decodeFinish(finishReason, calls.called(), dialect) }
      emit(defined({ type: 'end', candidate, usage: usage(), serviceTier }))
    },
    usage,
    terms: () => tierTerms(serviceTier),
  }
}

/** The members of chunks about the whole response. */
interface HeadReader {
  /** Before the first event, the response is started with what is known about it. */
  readonly emit: Emit<StreamEvent>
  /** First the head of the response, later only new members. */
  readonly readHead: (chunk: WireChunk) => void
}

function createHeadReader(given: Emit<StreamEvent>, known: Known): HeadReader {
  const seen = new Map<string, unknown>()
  let head: Head = {}
  let started = false
  const start = () => {
    started = true
    given({ type: 'start', response: head })
  }
  return {
    emit(event) {
      if (!started) start()
      given(event)
    },
    readHead(chunk) {
      const rest = newlyUnknown(chunk, known, seen)
      if (!started) {
        head = joinHeads(head, chunk, rest)
        if (head.id && head.model) start()
      } else if (rest !== undefined) given({ type: 'extras', of: 'response', extras: { [NAME]: rest } })
    },
  }
}

type Head = EventOf<'start'>['response']

/** The first value that says something: the first chunk of Azure has an empty id, an empty model and the time 0. */
function joinHeads(head: Head, { id, model, created }: WireChunk, rest: JsonObject | undefined): Head {
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
