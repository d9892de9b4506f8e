import type { DragomanError } from '../ir/error.ts'
import { createLosses } from '../ir/loss.ts'
import type { PriceTerms, Usage } from '../ir/usage.ts'
import type { ModelResponse } from '../ir/response.ts'
import type { Emit } from '../ir/stream.ts'
import type { Accepted } from '../lib/literal.ts'
import type { JsonObject } from '../lib/json.ts'
import { nameMapOf, type NameChange } from '../lib/names.ts'
import { createAnswerStream, NO_NAMES, shown, type AnswerStream, type Showing } from './answer-stream.ts'
import { withCustomCalls } from './custom-calls.ts'
import { LazyReport, reportLosses, type ReportedLoss } from './reported-loss.ts'
import { readAnswer } from './read-body.ts'
import type { Asked, DecodeContext, EncodeContext, Encoding } from './context.ts'
import type { Codec } from './protocol.ts'

/** What the translation of a response needs to know about its request. Plain data: it outlives the request and crosses threads. */
export interface AnswerFacts {
  /** Tool names that differ at the upstream. */
  readonly names: readonly NameChange[]
  /** The caller's names of its custom tools. Absent if it has none. */
  readonly custom?: readonly string[] | undefined
  readonly asked: Asked
  /** Reasoning is left out of the response; its seals are still sent. */
  readonly hideReasoning: boolean
}

/** Options for reading and writing a response. */
export interface AnswerTranslatorOptions {
  /** The name of the model in the response; by default the upstream's. */
  readonly answerModel?: string | undefined
  /** How the caller sees an error of the upstream inside a stream; by default as it is. */
  readonly showError?: ((error: DragomanError) => DragomanError) | undefined
  /** The seal domain of the model; by default the native one of its protocol. */
  readonly issuer?: string | undefined
  /** The upstream's differences from its protocol. */
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
}

/** Brings the answer of one translated request back to its caller: from `Received` to `Answered`. */
export interface AnswerTranslator<Received extends object = object, Answered extends object = object> {
  response(body: Accepted<Received>): TranslatedAnswer<Answered>
  /** Bytes of the upstream's stream in, text of the caller's stream out. */
  answerStream(write: Emit<string>): AnswerStream
  /** The same as a web stream: `upstream.body.pipeThrough(translation.transformStream())`. `settled` is called once, at its end. */
  transformStream(settled?: (answer: AnswerStream) => void): TransformStream<Uint8Array, Uint8Array>
  error(status: number, body: string): DragomanError
}

/** A whole response in the caller's protocol. */
export interface TranslatedAnswer<Answered extends object = object> {
  readonly body: Body<Answered>
  readonly losses: readonly ReportedLoss[]
  readonly usage?: Usage | undefined
  /** What the upstream reports about the price. */
  readonly terms?: PriceTerms | undefined
}

/** A body of a protocol; any JSON object where the protocol does not say what its bodies are. */
export type Body<Typed extends object> = keyof Typed extends never ? JsonObject : Typed

/** Translates the response to a request that `translate` has sent from `caller` to `upstream`. */
export function translateAnswer<Answered extends object, Received extends object>(
  caller: Codec<object, Answered>,
  upstream: Codec<object, Received>,
  { names, custom, asked, hideReasoning }: AnswerFacts,
  options: AnswerTranslatorOptions = {},
): AnswerTranslator<Received, Answered> {
  const { issuer = upstream.issuer, dialect } = options
  const reading: DecodeContext = { issuer, names: nameMapOf(names), dialect, caller: caller.name }
  const texts = custom === undefined ? NO_NAMES : new Set(custom)
  const showing = { hide: hideReasoning, model: options.answerModel, requested: asked.model, error: options.showError }
  const writing = (): EncodeContext => ({
    ...commonContext(options),
    issuer: caller.issuer,
    losses: createLosses(),
    toward: 'client',
    asked,
  })
  const answerStream = (write: Emit<string>) =>
    createAnswerStream(caller, upstream, write, reading, writing(), showing, texts)
  return {
    response(answer) {
      const body = jsonOf(answer)
      const read = upstream.response.decode(body, reading)
      const response = texts.size === 0 ? read : withCustomCalls(read, texts)
      return encodeAnswer(caller, response, upstream.response.terms?.(body), showing, writing())
    },
    answerStream,
    transformStream: (settled) => transformStream(answerStream, settled),
    error: (status, text) => upstream.error.decode(status, text),
  }
}

/** Writes a whole response for its caller. */
export function encodeAnswer<Answered extends object>(
  caller: Codec<object, Answered>,
  response: ModelResponse,
  terms: PriceTerms | undefined,
  showing: Showing,
  context: EncodeContext,
): TranslatedAnswer<Answered> {
  const body = readAnswer(() => caller.response.encode(shown(response, showing), context))
  const { usage } = response
  return Object.assign(new LazyReport(() => reportLosses(context.losses.entries())), { body, usage, terms })
}

/** Bodies can have any type, also those of the vendors' SDKs: all of them are JSON. */
export function jsonOf(body: unknown): JsonObject {
  return body as JsonObject // the types of SDKs have no index signature
}

/** Ids and the time, from the runtime if the caller does not give them. */
export function commonContext(options: Pick<AnswerTranslatorOptions, 'id' | 'now'>): Pick<Encoding, 'id' | 'now'> {
  return { id: options.id ?? randomId, now: options.now ?? Math.floor(Date.now() / 1000) }
}

function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '')
}

/**
 * A web stream around an answer's machine, for code that does not own its I/O. `settled` is called once: when the answer has ended, or when
 * its reader has left.
 */
export function transformStream(
  create: (write: Emit<string>) => AnswerStream,
  settled?: (answer: AnswerStream) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder()
  let text = ''
  const machine = create((piece) => {
    text += piece
  })
  const flush = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (text !== '') controller.enqueue(encoder.encode(text))
    text = ''
  }
  // The types of the DOM do not have `cancel` yet.
  const transformer: Transformer<Uint8Array, Uint8Array> & { cancel(): void } = {
    transform(chunk, controller) {
      machine.push(chunk)
      flush(controller)
    },
    flush(controller) {
      machine.end()
      flush(controller)
      settled?.(machine)
    },
    cancel() {
      machine.stop()
      settled?.(machine)
    },
  }
  return new TransformStream(transformer)
}
