import { DragomanError, type Protocol } from '@dragoman/core'
import {
  fitEmbedding,
  joinEmbeddings,
  splitEmbedding,
  type EmbeddingAnswer,
  type EmbeddingRequest,
} from '@dragoman/core/media'
import { dialectOf } from '@dragoman/core/provider'
import { estimateBody } from '../bodies/estimate-body.ts'
import type { MediaRules } from './rules.ts'

/** What an answer needs to know about its request. */
export interface EmbeddingBrief {
  /** The requested model. */
  readonly model: string
  /** How the caller wants its embeddings. */
  readonly encoding: 'float' | 'base64'
  /** The number of inputs of each call. */
  readonly inputs: readonly number[]
  /** The estimated tokens of the request. */
  readonly tokens: number
}

/** Embeddings of texts, tokens and media. */
export const embeddings: MediaRules<EmbeddingRequest, EmbeddingAnswer, EmbeddingBrief> = {
  name: 'embedding',
  codecOf: ({ embedding }) => embedding,
  has: ({ embedding }) => embedding !== undefined,
  fit(request, { inbound, protocol, card }, losses, locate) {
    return fitEmbedding(handedOn(request, inbound === protocol), {
      facts: card.embedding,
      accepts: card.input,
      takes: protocol.embedding?.takes(dialectOf(card, protocol.name)) ?? [],
      losses,
      locate: (path) => locate(path).join('.'),
    })
  },
  isUnchanged: (asked, fitted) => fitted.encoding === asked.encoding && fitted.dimensions === asked.dimensions,
  brief: ({ model }, { encoding = 'float' }, parts, tokens) => ({
    model,
    encoding,
    inputs: parts.map(({ inputs }) => inputs.length),
    tokens,
  }),
  tokens: (body, { relay }, short) => estimateBody(body, { media: relay.media, whole: (text) => short.restore(text) }),
  bill: ({ usage }) => usage,
  expect: ({ tokens }) => ({ input: tokens }),
  split: (request, { embedding }) => splitEmbedding(request, embedding?.perCall),
  /** Losses of the request as a whole are the same in every call. */
  later([member, position, ...rest], index, { embedding }) {
    if (member !== 'inputs' || typeof position !== 'number') return undefined
    return [member, position + index * (embedding?.perCall ?? 0), ...rest]
  },
  join(answers, { inputs }) {
    // An embedding of another input would be worse than an error.
    if (answers.some((answer, index) => answer.embeddings.length !== inputs[index]))
      throw new DragomanError('upstream', 'The upstream gave another number of embeddings than it was asked for.')
    return joinEmbeddings(answers)
  },
  complete({ model, usage, ...answer }, brief, caller, answerModel) {
    const named = namesModel(caller) ? (answerModel ?? model ?? brief.model) : undefined
    return {
      ...answer,
      ...(named === undefined ? {} : { model: named }),
      usage: usage ?? { input: brief.tokens, estimated: true },
    }
  },
  requested: ({ model, encoding }) => ({ asked: { model, encoding } }),
}

/** The gateway writes embeddings for the caller as it wants them, so an upstream of another protocol need not know. */
function handedOn({ encoding, ...request }: EmbeddingRequest, isSameProtocol: boolean): EmbeddingRequest {
  return { ...request, ...(isSameProtocol && encoding !== undefined ? { encoding } : {}) }
}

/** Whether answers of the protocol name their model. */
function namesModel({ embedding }: Protocol): boolean {
  return embedding?.namesModel === true
}
