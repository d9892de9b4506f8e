import type { Node } from './extras.ts'
import type { Part } from './part.ts'
import { type Usage, addUsage } from './usage.ts'
import { defined } from '../lib/members.ts'

/** A request for embeddings, one for each input. */
export interface EmbeddingRequest extends EmbeddingOptions, Node {
  readonly model: string
  readonly inputs: readonly EmbeddingInput[]
  /** How the embeddings are written; by default as numbers. */
  readonly encoding?: 'float' | 'base64'
  /** Whether an input that is too long is cut. By default the upstream decides. */
  readonly truncate?: boolean
  /** The end user, as an opaque identifier: upstreams use it to detect abuse. */
  readonly user?: string
}

/**
 * Options of all inputs, or of one. An input has an option of its own only if the inputs differ in it; then the request does not have
 * it.
 */
export interface EmbeddingOptions {
  /** The length of the embeddings. */
  readonly dimensions?: number
  /** What the embeddings are for: RETRIEVAL_QUERY, RETRIEVAL_DOCUMENT, SEMANTIC_SIMILARITY, … */
  readonly taskType?: string
  /** The title of a document that can be found. */
  readonly title?: string
}

/** What one embedding is computed from. */
export type EmbeddingInput = (EmbeddingText | EmbeddingTokens | EmbeddingParts) & EmbeddingOptions & Node

/** A text. Most inputs are one. */
export interface EmbeddingText {
  readonly type: 'text'
  readonly text: string
}

/** The tokens of a text, by the tokenizer of the model. */
export interface EmbeddingTokens {
  readonly type: 'tokens'
  readonly tokens: readonly number[]
}

/** Several texts, or media, that have one embedding together. */
export interface EmbeddingParts {
  readonly type: 'parts'
  readonly parts: readonly Part[]
}

/** The embeddings of a request, in the order of its inputs. */
export interface EmbeddingAnswer extends Node {
  readonly model?: string
  readonly embeddings: readonly Embedding[]
  readonly usage?: Usage
  /** The tokens of each input, if there are several and they were counted one by one. Usage has their sum. */
  readonly tokens?: readonly number[]
  /** The positions of the inputs that were cut. */
  readonly truncated?: readonly number[]
}

/** One embedding of an answer. */
export interface Embedding extends Node {
  /** Float32 numbers, or the base64 of their little-endian bytes. */
  readonly values: readonly number[] | string
}

/** What a model can embed, as its card says. A card with these facts serves embeddings. */
export interface EmbeddingFacts {
  /** The length of its embeddings, if the request does not say. */
  readonly dimensions?: number
  /** The lengths that can be asked for. Absent: only `dimensions`, if that is known. */
  readonly sizes?: readonly number[] | { readonly min: number; readonly max: number }
  /** The most inputs of a request; by default any number. */
  readonly most?: number
  /** The most inputs of one upstream call, if fewer: the gateway makes several calls. */
  readonly perCall?: number
  /** The most tokens of one input. */
  readonly maxTokens?: number
  /** The task types that can be asked for. Absent: it has none, and they are left out and reported. */
  readonly tasks?: readonly string[]
  /** Whether it takes the title of a document. */
  readonly title?: boolean
  /** Whether it takes tokens as input. */
  readonly tokens?: boolean
  /** Whether it can be told to cut long inputs, or not to. */
  readonly truncate?: boolean
  /** False if its upstream writes embeddings only as numbers. */
  readonly base64?: boolean
  /** False if its upstream refuses the identifier of an end user. */
  readonly user?: boolean
}

/** The answers of several calls as the answer of the request that they were split from. */
export function joinEmbeddings(answers: readonly EmbeddingAnswer[]): EmbeddingAnswer {
  const [first, ...others] = answers
  if (first === undefined || others.length === 0) return first ?? { embeddings: [] }
  let offset = 0
  const truncated: number[] = []
  for (const answer of answers) {
    for (const index of answer.truncated ?? []) truncated.push(offset + index)
    offset += answer.embeddings.length
  }
  return {
    ...first,
    ...defined({
      usage: answers.map(({ usage }) => usage).reduce(addUsage),
      tokens: joinTokens(answers),
      truncated: truncated.length === 0 ? undefined : truncated,
    }),
    embeddings: answers.flatMap(({ embeddings }) => embeddings),
  }
}

/** Undefined if one of the calls did not count the tokens of each input. */
function joinTokens(answers: readonly EmbeddingAnswer[]): readonly number[] | undefined {
  const counts = answers.map(({ tokens, embeddings, usage }) => {
    if (tokens !== undefined) return tokens
    return embeddings.length === 1 && usage?.input !== undefined ? [usage.input] : undefined
  })
  const isCounted = answers.some(({ tokens }) => tokens !== undefined)
  return isCounted && counts.every((each) => each !== undefined) ? counts.flat() : undefined
}
