import { about, count, flag, listCheck, listOrRange, objectCheck, text, type Checks } from '../lib/check-value.ts'
import { defined } from '../lib/members.ts'
import { joinEmbeddings, type EmbeddingAnswer, type EmbeddingFacts, type EmbeddingRequest } from './embedding.ts'
import { DragomanError } from './error.ts'
import { fitEmbedding, splitEmbedding } from './fit-embedding.ts'
import type { MediaKind } from './media-kind.ts'

/** What an answer needs to know about its request. */
export interface EmbeddingBrief {
  /** The requested model. */
  readonly model: string
  /** How the caller wants its embeddings. */
  readonly encoding: 'float' | 'base64'
  /** The number of inputs of each call. */
  readonly inputs: readonly number[]
  /** The estimated tokens of the request; 0 if they were not counted. */
  readonly tokens: number
}

const FACTS: Checks<EmbeddingFacts> = {
  dimensions: about('The length of its embeddings, if the request does not say.', count),
  sizes: about('The lengths that can be asked for: a list, or a range.', listOrRange(count)),
  most: about('The most inputs of a request.', count),
  perCall: about('The most inputs of one upstream call: further ones go in other calls.', count),
  maxTokens: about('The most tokens of one input.', count),
  tasks: about('Its task types.', listCheck(text)),
  title: about('It takes the titles of documents.', flag),
  tokens: about('It takes tokens as input.', flag),
  truncate: about('It can be told whether to cut long inputs.', flag),
  base64: about('false: it writes embeddings only as numbers.', flag),
  user: about('false: it refuses the identifier of an end user.', flag),
}

/** Embeddings of texts, tokens and media. */
export const embeddings: MediaKind<EmbeddingRequest, EmbeddingAnswer, EmbeddingFacts, EmbeddingBrief> = {
  name: 'embedding',
  plural: 'embeddings',
  operations: { embedding: 'json', 'embedding-batch': 'json', predict: 'json' },
  facts: about('It computes embeddings, and has no conversations.', objectCheck(FACTS)),
  modalities: () => ({ input: ['text'], output: [] }),
  fit: (request, fit) => fitEmbedding(handedOn(request, fit.isSameProtocol), fit),
  isUnchanged: (asked, fitted) => fitted.encoding === asked.encoding && fitted.dimensions === asked.dimensions,
  split: (request, { perCall }) => splitEmbedding(request, perCall),
  /** Losses of the request as a whole are the same in every call. */
  later([member, position, ...rest], index, { perCall = 0 }) {
    if (member !== 'inputs' || typeof position !== 'number') return undefined
    return [member, position + index * perCall, ...rest]
  },
  brief: (_fitted, { model, encoding = 'float' }, parts, tokens) => ({
    model,
    encoding,
    inputs: parts.map(({ inputs }) => inputs.length),
    tokens,
  }),
  join(answers, { inputs }) {
    // An embedding of another input would be worse than an error.
    if (answers.some((answer, index) => answer.embeddings.length !== inputs[index]))
      throw new DragomanError('upstream', 'The upstream gave another number of embeddings than it was asked for.')
    return joinEmbeddings(answers)
  },
  complete({ model, usage, ...answer }, brief, named) {
    const estimate = brief.tokens === 0 ? undefined : { input: brief.tokens, estimated: true as const }
    return {
      ...answer,
      ...defined({ model: named && (named.model ?? model ?? brief.model), usage: usage ?? estimate }),
    }
  },
  requested: ({ model, encoding }) => ({ asked: { model, encoding } }),
  bill: ({ usage }) => usage,
  expect: ({ tokens }) => ({ input: tokens }),
  isCounted: true,
}

/** Embeddings are written for the caller as it wants them, so an upstream of another protocol need not know. */
function handedOn({ encoding, ...request }: EmbeddingRequest, isSameProtocol: boolean): EmbeddingRequest {
  return { ...request, ...(isSameProtocol && encoding !== undefined ? { encoding } : {}) }
}
