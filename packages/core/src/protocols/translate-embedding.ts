import { joinEmbeddings, type EmbeddingAnswer, type EmbeddingFacts, type EmbeddingRequest } from '../ir/embedding.ts'
import { DragomanError } from '../ir/error.ts'
import { fitEmbedding, splitEmbedding } from '../ir/fit-embedding.ts'
import { createLosses, type Loss } from '../ir/loss.ts'
import type { Modality } from '../ir/model.ts'
import type { Usage } from '../ir/usage.ts'
import { defined } from '../lib/members.ts'
import type { JsonObject } from '../lib/json.ts'
import type { EncodeContext, Match } from './context.ts'
import { notAnAnswer, readAnswer, readRequest } from './read-body.ts'
import type { EmbeddingCodec } from './embedding-codec.ts'
import type { MediaCall } from './media.ts'
import type { Protocol } from './protocol.ts'
import { reportLosses, type ReportedLoss } from './reported-loss.ts'
import { commonContext } from './translate-answer.ts'

/** A protocol that has embeddings. */
export type EmbeddingProtocol = Pick<Protocol, 'name' | 'issuer' | 'embedding'>

/** Options of the translation of a request for embeddings. */
export interface EmbeddingTranslateOptions {
  /** The operation of the caller's path; by default `embedding`. */
  readonly operation?: string | undefined
  /** The model in the path of the call, in protocols that have it there. */
  readonly match?: Pick<Match, 'model'> | undefined
  /** The upstream's name for the model; by default the caller's. */
  readonly model?: string | undefined
  /** What the model can embed, from its card; by default everything that its protocol can say. */
  readonly facts?: EmbeddingFacts | undefined
  /** The kinds of content that the model accepts; by default every kind. */
  readonly accepts?: readonly Modality[] | undefined
  /** The upstream's differences from its protocol. */
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  /** Unix seconds. */
  readonly now?: number | undefined
}

/** A request for embeddings in another protocol: usually one call, several if the model takes fewer inputs at once. */
export interface TranslatedEmbedding {
  readonly calls: readonly MediaCall[]
  readonly losses: readonly ReportedLoss[]
  readonly facts: EmbeddingAnswerFacts
}

/** What the translation of the answer needs to know about its request. Plain data. */
export interface EmbeddingAnswerFacts {
  /** The operation of the caller. */
  readonly operation: string
  /** The requested model. */
  readonly model: string
  /** How the caller wants its embeddings. */
  readonly encoding: 'float' | 'base64'
  /** The operation and the number of inputs of each call. */
  readonly calls: readonly { readonly operation: string; readonly inputs: number }[]
}

/** A request that has been read and fitted to its model, and is not written yet. */
export interface FittedEmbedding {
  /** Whether the upstream takes the body of the caller as it is, except for the name of the model. */
  readonly isUnchanged: boolean
  /** The number of upstream calls. */
  readonly calls: number
  readonly facts: Omit<EmbeddingAnswerFacts, 'calls'>
  translate(): TranslatedEmbedding
}

/** Translates a request for embeddings. It need not have been checked: one that cannot be read is refused. */
export function translateEmbeddingRequest(
  caller: EmbeddingProtocol,
  upstream: EmbeddingProtocol,
  body: JsonObject,
  options: EmbeddingTranslateOptions = {},
): TranslatedEmbedding {
  return fitEmbeddingRequest(caller, upstream, body, options).translate()
}

/** The same in two steps: a request that can be relayed need not be written. */
export function fitEmbeddingRequest(
  caller: EmbeddingProtocol,
  upstream: EmbeddingProtocol,
  body: JsonObject,
  options: EmbeddingTranslateOptions = {},
): FittedEmbedding {
  const { operation = 'embedding' } = options
  const codec = codecOf(caller)
  return readRequest(
    body,
    (unread) => codec.check(unread, { operation }),
    () => fitRead(caller, upstream, body, options),
  )
}

function fitRead(
  caller: EmbeddingProtocol,
  upstream: EmbeddingProtocol,
  body: JsonObject,
  options: EmbeddingTranslateOptions,
): FittedEmbedding {
  const { operation = 'embedding', match, facts, dialect } = options
  const from = codecOf(caller)
  const to = codecOf(upstream)
  const asked = from.decode(body, { issuer: caller.issuer, path: match, operation })
  const losses = createLosses()
  const isSame = caller.name === upstream.name
  const handed = handedOn(asked, options.model, isSame)
  const fitted = fitEmbedding(handed, {
    facts,
    accepts: options.accepts ?? EVERY_KIND,
    takes: to.takes(dialect),
    losses,
    locate: (path) => from.locate(path, body, operation).join('.'),
  })
  const parts = splitEmbedding(fitted, facts?.perCall)
  const ofFit = losses.entries()
  const answerFacts = { operation, model: asked.model, encoding: asked.encoding ?? 'float' } as const
  const context = {
    ...commonContext(options),
    issuer: upstream.issuer,
    dialect,
    toward: 'upstream',
    caller: caller.name,
  } as const
  return {
    isUnchanged:
      isSame &&
      parts.length === 1 &&
      ofFit.length === 0 &&
      fitted.encoding === handed.encoding &&
      fitted.dimensions === handed.dimensions &&
      to.relays(operation, dialect),
    calls: parts.length,
    facts: answerFacts,
    translate() {
      const found = [...ofFit]
      const calls = parts.map((part, index) => encodePart(to, part, index * (facts?.perCall ?? 0), found, context))
      const inputsOf = (index: number) => parts[index]?.inputs.length ?? 0
      return {
        calls,
        losses: reportLosses(found, (path) => from.locate(path, body, operation)),
        facts: {
          ...answerFacts,
          calls: calls.map((call, index) => ({ operation: call.operation, inputs: inputsOf(index) })),
        },
      }
    },
  }
}

const EVERY_KIND: readonly Modality[] = ['text', 'image', 'video', 'audio', 'file']

/** The gateway writes embeddings for the caller as it wants them, so an upstream of another protocol need not know. */
function handedOn(
  { encoding, ...request }: EmbeddingRequest,
  model = request.model,
  isSameProtocol: boolean,
): EmbeddingRequest {
  return { ...request, model, ...(isSameProtocol && encoding !== undefined ? { encoding } : {}) }
}

/** Losses of the request as a whole are the same in every call: those of the first are kept. */
function encodePart(
  codec: EmbeddingCodec,
  part: EmbeddingRequest,
  offset: number,
  found: Loss[],
  context: Omit<EncodeContext, 'losses'>,
): MediaCall {
  const losses = createLosses()
  const call = codec.encode(part, { ...context, losses })
  for (const loss of losses.entries()) {
    const [member, index, ...rest] = loss.path
    if (offset === 0) found.push(loss)
    else if (member === 'inputs' && typeof index === 'number')
      found.push({ ...loss, path: [member, index + offset, ...rest] })
  }
  return call
}

/** Options of the translation of an answer. */
export interface EmbeddingAnswerOptions {
  /** The name of the model in the answer; by default the upstream's. */
  readonly answerModel?: string | undefined
  /** The usage of an answer that has none. */
  readonly usage?: Usage | undefined
  readonly dialect?: JsonObject | undefined
  readonly id?: (() => string) | undefined
  readonly now?: number | undefined
}

/** Embeddings in the caller's protocol. */
export interface TranslatedEmbeddings {
  readonly body: JsonObject
  readonly losses: readonly ReportedLoss[]
  readonly usage: Usage | undefined
}

/** Translates the answers to the calls of a request, in their order. */
export function translateEmbeddingAnswer(
  caller: EmbeddingProtocol,
  upstream: EmbeddingProtocol,
  bodies: readonly JsonObject[],
  facts: EmbeddingAnswerFacts,
  options: EmbeddingAnswerOptions = {},
): TranslatedEmbeddings {
  const { dialect } = options
  const from = codecOf(upstream)
  const answers = facts.calls.map(({ operation, inputs }, index) =>
    readEmbeddings(from, bodies[index] ?? {}, { issuer: upstream.issuer, operation, dialect }, inputs),
  )
  const joined = joinEmbeddings(answers)
  const losses = createLosses()
  const answer = shown(joined, codecOf(caller), facts, options)
  const context = {
    ...commonContext(options),
    issuer: caller.issuer,
    losses,
    toward: 'client',
    operation: facts.operation,
    asked: { model: facts.model, encoding: facts.encoding },
  } as const
  const body = readAnswer(() => codecOf(caller).answer.encode(answer, context))
  return { body, losses: reportLosses(losses.entries()), usage: answer.usage }
}

function readEmbeddings(
  codec: EmbeddingCodec,
  body: JsonObject,
  context: Parameters<EmbeddingCodec['answer']['decode']>[1],
  inputs: number,
): EmbeddingAnswer {
  const answer = readAnswer(() => codec.answer.decode(body, context))
  // An embedding that belongs to another input would be worse than an error.
  if (answer.embeddings.length !== inputs) throw notAnAnswer()
  return answer
}

/** The answer names the requested model, if answers of the caller's protocol name one. */
function shown(
  { model, usage, ...answer }: EmbeddingAnswer,
  { namesModel }: EmbeddingCodec,
  { model: requested }: EmbeddingAnswerFacts,
  options: EmbeddingAnswerOptions,
): EmbeddingAnswer {
  const named = namesModel ? (options.answerModel ?? model ?? requested) : undefined
  return { ...answer, ...defined({ model: named, usage: usage ?? options.usage }) }
}

function codecOf({ name, embedding }: EmbeddingProtocol): EmbeddingCodec {
  if (embedding === undefined) throw new DragomanError('unsupported', `The protocol ${name} has no embeddings.`)
  return embedding
}
