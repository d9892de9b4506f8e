import { asDragomanError, DragomanError } from '../ir/error.ts'
import type { Part, Reasoning } from '../ir/part.ts'
import type { ModelResponse } from '../ir/response.ts'
import type { Emit, EventOf, Machine, StreamEvent } from '../ir/stream.ts'
import type { PriceTerms, Usage } from '../ir/usage.ts'
import type { Draft } from '../lib/members.ts'
import { createSseReader } from '../lib/sse.ts'
import type { Losses } from '../ir/loss.ts'
import type { DecodeContext, EncodeContext } from './context.ts'
import { createCustomCalls } from './custom-calls.ts'
import type { Codec } from './protocol.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'

/** Translates an upstream's stream for the caller: bytes in, text out, synchronously. */
export interface AnswerStream {
  push(chunk: Uint8Array): void
  /** Writes the start of the response if the upstream has not begun: a silence of any length can then be kept alive by events. */
  begin(): void
  /** The upstream ended. Without a terminal event before, that is an error for the caller. */
  end(): void
  /** Ends the caller's stream with an error; ignored if it has ended. */
  fail(error: DragomanError): void
  /** The caller has disconnected: nothing more is written. */
  stop(): void
  /** A terminal event has been written, or the stream was stopped. */
  readonly done: boolean
  /** The upstream's counts: those of its start while it runs, all of them when it is done. */
  readonly usage: Usage | undefined
  /** What the upstream has reported about the price, when it is done. */
  readonly terms: PriceTerms | undefined
  /** The characters of output since the upstream's last report of usage. */
  readonly written: number
  /** Complete when it is done. */
  readonly losses: readonly ReportedLoss[]
  readonly failed: DragomanError | undefined
}

/** The response as the caller may see it: the gateway's name for the model, reasoning hidden if requested. Seals are still sent. */
export function shown(response: ModelResponse, showing: Showing): ModelResponse {
  const named = withModel(response, showing)
  if (!showing.hide) return named
  const candidates = named.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.flatMap((part) => (isReadable(part) ? sealAlone(part) : part)),
  }))
  return { ...named, candidates }
}

/** A response that names no model has the requested one. */
function withModel<Head extends Pick<ModelResponse, 'model'>>(head: Head, { model, requested }: Showing): Head {
  const name = model ?? (head.model || requested)
  return !name || name === head.model ? head : { ...head, model: name }
}

function isReadable(part: Part): part is Reasoning {
  return part.type === 'reasoning' && !part.hidden
}

/** Reasoning without its text; nothing if it has no seal. */
function sealAlone(part: Reasoning): Part[] {
  return part.seal === undefined ? [] : [{ ...part, text: '' }]
}

/** How the caller sees the response. */
export interface Showing {
  readonly hide: boolean
  /** The name of the model; by default the upstream's. */
  readonly model: string | undefined
  /** The name of the model in the request. */
  readonly requested: string | undefined
  /** Errors of the upstream inside a stream; by default as they are. */
  readonly error?: ((error: DragomanError) => DragomanError) | undefined
}

/** Most requests have no custom tools. */
export const NO_NAMES: ReadonlySet<string> = new Set()

/** `custom`: the names of custom tools, see `createCustomCalls`. */
export function createAnswerStream(
  caller: Codec,
  upstream: Codec,
  write: Emit<string>,
  reading: DecodeContext,
  writing: EncodeContext,
  showing: Showing,
  custom: ReadonlySet<string> = NO_NAMES,
): AnswerStream {
  const encoder = createEarlyStart(caller.stream.encode(write, writing), writing.losses)
  const show = createFilter(encoder, showing)
  /** An error while writing is not the upstream's fault: it is caught before it reaches the decoder. */
  const pass = (event: StreamEvent) => {
    if (answer.done) return
    try {
      forward(event)
    } catch (thrown) {
      fail(asDragomanError(thrown))
    }
  }
  const forward = (event: StreamEvent) => {
    if (event.type === 'error') return fail(showing.error?.(event.error) ?? event.error)
    if (event.type === 'block-delta') answer.written += event.text.length
    else if (event.type === 'start') answer.usage = event.usage
    show(event)
    if (event.type === 'end') finish(event.usage)
  }
  const finish = (usage = decoder.usage()) => {
    answer.done = true
    answer.usage = usage
    answer.terms = decoder.terms?.()
    answer.losses = reportLosses(writing.losses.entries())
  }
  const fail = (error: DragomanError) => {
    if (answer.done) return
    answer.failed = error
    answer.done = true // also if it cannot be written: nothing else can be done
    encoder.push({ type: 'error', error })
    finish()
  }
  const read = custom.size === 0 ? pass : createCustomCalls(pass, custom)
  const decoder = upstream.stream.decode(read, { ...reading, counted: () => (answer.written = 0) })
  const reader = createSseReader((data) => decoder.push(data))
  // Plain members and no getters: an accessor in an object that is created per request outlives young generations.
  const answer: Draft<AnswerStream> = {
    done: false,
    usage: undefined,
    terms: undefined,
    written: 0,
    failed: undefined,
    losses: [],
    push(chunk) {
      if (answer.done) return
      try {
        reader.push(chunk)
      } catch (thrown) {
        fail(readingError(thrown))
      }
    },
    end() {
      if (answer.done) return
      try {
        reader.end()
        decoder.end()
      } catch (thrown) {
        fail(readingError(thrown))
      }
    },
    begin() {
      if (!answer.done && !encoder.hasStarted()) show({ type: 'start', response: {} })
    },
    fail,
    stop() {
      if (!answer.done) finish()
    },
  }
  return answer
}

/** An error while bytes were read: a RangeError means that an event was too long. */
function readingError(thrown: unknown): DragomanError {
  if (!(thrown instanceof RangeError)) return asDragomanError(thrown)
  return new DragomanError('upstream', 'The upstream sent an event without end.', { cause: thrown })
}

/** Passes the events of a response to an encoder, as the caller may see them. */
function createFilter(encoder: Machine<StreamEvent>, showing: Showing): Emit<StreamEvent> {
  let hidden = false // the text of the open block
  let held: EventOf<'block-start'> | undefined // the start of such a block, until it has a seal
  const shown: (number | undefined)[] = [] // for each block, its index among those that are shown
  let count = 0
  return (event) => {
    switch (event.type) {
      case 'start':
        encoder.push({ ...event, response: withModel(event.response, showing) })
        return
      case 'block-start':
        hidden = showing.hide && isReadable(event.part)
        held = hidden && event.part.seal === undefined ? event : undefined
        if (showing.hide) shown.push(held === undefined ? count++ : undefined)
        if (held === undefined) encoder.push(event)
        return
      case 'block-patch': {
        if (held !== undefined && event.block === undefined && event.seal !== undefined) {
          encoder.push(held)
          held = undefined
          shown[shown.length - 1] = count++
        }
        const block = event.block === undefined || !showing.hide ? event.block : shown[event.block]
        if (block !== undefined) encoder.push({ ...event, block })
        else if (event.block === undefined && held === undefined) encoder.push(event)
        return
      }
      case 'block-end':
        if (held === undefined) encoder.push(event)
        hidden = false
        held = undefined
        return
      default:
        if (!hidden) encoder.push(event)
    }
  }
}

/** An encoder that may get a start before that of the upstream. */
interface EarlyStart extends Machine<StreamEvent> {
  hasStarted(): boolean
}

/** Of a second start, the encoder gets what can be written later: usage and extras. An id and a time stay as they were written. */
function createEarlyStart(encoder: Machine<StreamEvent>, losses: Losses): EarlyStart {
  let hasStarted = false
  let usage: Usage | undefined
  const catchUp = ({ response, usage: counted }: EventOf<'start'>): void => {
    usage = counted
    const { id, created, extras } = response
    if (id !== undefined) losses.dropped(['id'], BEGUN)
    if (created !== undefined) losses.dropped(['created'], BEGUN)
    if (extras !== undefined) encoder.push({ type: 'extras', of: 'response', extras })
  }
  return {
    hasStarted: () => hasStarted,
    push(event) {
      if (event.type === 'start' && hasStarted) return catchUp(event)
      if (event.type === 'start') hasStarted = true
      const isLate = event.type === 'end' && usage !== undefined
      encoder.push(isLate ? { ...event, usage: { ...usage, ...event.usage } } : event)
    },
    end: () => encoder.end(),
  }
}

const BEGUN = 'the stream had begun before the upstream'
