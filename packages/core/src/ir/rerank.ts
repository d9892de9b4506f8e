import { about, count, flag, objectCheck, type Checks } from '../lib/check-value.ts'
import type { JsonObject } from '../lib/json.ts'
import { defined } from '../lib/members.ts'
import { DragomanError } from './error.ts'
import type { Node } from './extras.ts'
import type { MediaFit, MediaKind } from './media-kind.ts'
import { createRefuse } from './refuse.ts'
import { addUsage, countsExpected, type Usage } from './usage.ts'

/** A request to order documents by how well they answer a query. */
export interface RerankRequest extends Node {
  readonly model: string
  readonly query: RerankDocument
  readonly documents: readonly RerankDocument[]
  /** The most results; by default one for each document. */
  readonly topN?: number
  /** Whether results have their documents. By default the upstream decides. */
  readonly returnDocuments?: boolean
  /** The members of documents that count, in this order, for documents that are objects. */
  readonly rankFields?: readonly string[]
  /** A longer document is cut. */
  readonly maxTokensPerDocument?: number
}

/** A text, or an object with a text and whatever its owner has put beside it. */
export type RerankDocument = string | JsonObject

/** The results of a request, in the order of the upstream: the best first. */
export interface RerankAnswer extends Node {
  readonly id?: string
  readonly model?: string
  readonly results: readonly RerankResult[]
  readonly usage?: Usage
}

/** One document of the request. */
export interface RerankResult extends Node {
  /** Its position in the request. */
  readonly index: number
  readonly score: number
  readonly document?: RerankDocument
}

/** How a model ranks, as its card says. A card with these facts serves reranking. */
export interface RerankFacts {
  /** The most documents of a request; by default any number. */
  readonly most?: number
  /** The most documents of one upstream call, if fewer: the gateway makes several calls. */
  readonly perCall?: number
  /** Whether its upstream takes only texts. */
  readonly texts?: boolean
  /** False if its upstream does not return documents: they are added to its results. */
  readonly returns?: boolean
  /** The most documents of one search, if it is billed by searches. By default it is billed by tokens. */
  readonly searchDocuments?: number
}

/** What an answer needs to know about its request. */
export interface RerankBrief {
  /** The requested model. */
  readonly model: string
  /** The number of documents of each call. */
  readonly documents: readonly number[]
  readonly topN?: number
  /** Documents that the caller wants back, and that the upstream does not return. */
  readonly returned?: readonly RerankDocument[]
  /** What the request is expected to be billed for. */
  readonly expected: Usage
}

const FACTS: Checks<RerankFacts> = {
  most: about('The most documents of a request.', count),
  perCall: about('The most documents of one upstream call: further ones go in other calls.', count),
  texts: about('It takes only texts: the text of an object is sent.', flag),
  returns: about('false: its upstream does not return documents, so the gateway adds them.', flag),
  searchDocuments: about(
    'The most documents of one search, if it is billed by searches; by tokens when absent.',
    count,
  ),
}

/** Reranking: documents in the order of their relevance. */
export const reranking: MediaKind<RerankRequest, RerankAnswer, RerankFacts, RerankBrief> = {
  name: 'rerank',
  plural: 'reranking',
  operations: { rerank: 'json' },
  facts: about('It ranks documents, and has no conversations.', objectCheck(FACTS)),
  modalities: () => ({ input: ['text'], output: [] }),
  fit: fitRerank,
  split(request, { perCall }) {
    const { documents } = request
    if (perCall === undefined || documents.length <= perCall) return [request]
    return Array.from({ length: Math.ceil(documents.length / perCall) }, (_, call) => ({
      ...request,
      documents: documents.slice(call * perCall, (call + 1) * perCall),
    }))
  },
  /** Losses of the request as a whole are the same in every call. */
  later([member, position, ...rest], index, { perCall = 0 }) {
    if (member !== 'documents' || typeof position !== 'number') return undefined
    return [member, position + index * perCall, ...rest]
  },
  brief(fitted, asked, parts, tokens, facts) {
    const isAdded = asked.returnDocuments === true && facts?.returns === false
    return defined({
      model: asked.model,
      documents: parts.map(({ documents }) => documents.length),
      topN: asked.topN,
      returned: isAdded ? asked.documents : undefined,
      expected: expected(fitted, tokens, facts?.searchDocuments),
    })
  },
  join: joinRankings,
  complete({ model, usage, ...answer }, brief, named) {
    const { returned, expected: estimate } = brief
    const results =
      returned && answer.results.map((result) => ({ document: asObject(returned[result.index]), ...result }))
    return {
      ...answer,
      ...defined({ results, model: named && (named.model ?? model ?? brief.model) }),
      usage:
        usage !== undefined && countsExpected(usage, estimate) ? usage : { ...usage, ...estimate, estimated: true },
    }
  },
  requested: ({ model }) => ({ asked: { model } }),
  bill: ({ usage }) => usage,
  expect: ({ expected: usage }) => usage,
  isCounted: true,
}

/** Vendors return a text in an object. */
function asObject(document: RerankDocument = ''): JsonObject {
  return typeof document === 'string' ? { text: document } : document
}

function fitRerank(request: RerankRequest, { facts = {}, losses, locate }: MediaFit<RerankFacts>): RerankRequest {
  const { most, texts, returns } = facts
  const refuse = createRefuse(locate)
  const { documents, query, returnDocuments, ...others } = request
  if (most !== undefined && documents.length > most)
    refuse(['documents'], `has ${documents.length} documents, and this model takes at most ${most}`)
  const textOf = (document: RerankDocument, at: readonly (string | number)[]): string => {
    if (typeof document === 'string') return document
    const { text } = document
    if (typeof text !== 'string') return refuse(at, 'this model takes only texts')
    losses.changed(at, text, 'this model takes only texts')
    return text
  }
  const needsTexts = texts === true && [query, ...documents].some((each) => typeof each !== 'string')
  const hidesDocuments = returns === false && returnDocuments !== undefined
  if (!needsTexts && !hidesDocuments) return request
  return defined({
    ...others,
    query: needsTexts ? textOf(query, ['query']) : query,
    documents: needsTexts ? documents.map((each, index) => textOf(each, ['documents', index])) : documents,
    returnDocuments: hidesDocuments ? undefined : returnDocuments,
  })
}

/** Searches if the model is billed by them, otherwise tokens: models read the query again with each document. */
function expected(request: RerankRequest, tokens: number, searchDocuments: number | undefined): Usage {
  const { documents } = request
  if (searchDocuments !== undefined) return { searches: Math.ceil(documents.length / searchDocuments) }
  const query = lengthOf(request.query)
  const all = documents.reduce<number>((sum, document) => sum + lengthOf(document), 0)
  return { input: Math.ceil((tokens * (all + query * documents.length)) / Math.max(1, all + query)) }
}

function lengthOf(document: RerankDocument): number {
  const text = typeof document === 'string' ? document : document['text']
  return typeof text === 'string' ? text.length : JSON.stringify(document).length
}

/** Scores are about one document each, so the results of several calls are one list. */
function joinRankings(answers: readonly RerankAnswer[], { documents, topN }: RerankBrief): RerankAnswer {
  const seen = new Set<number>()
  let offset = 0
  const results = answers.flatMap((answer, call) => {
    const count = documents[call] ?? 0
    const start = offset
    offset += count
    return answer.results.map((result) => {
      const index = start + result.index
      // A score of another document would be worse than an error.
      if (result.index < 0 || result.index >= count || seen.has(index))
        throw new DragomanError('upstream', 'The upstream ranked a document that it was not given, or one twice.')
      seen.add(index)
      return { ...result, index }
    })
  })
  const [first] = answers
  if (first === undefined || answers.length === 1) return { ...first, results }
  // What the wire has beside the results of one call, such as its counts, is not about all of them.
  const { extras: _, ...shared } = first
  const usage = answers.map((answer) => answer.usage).reduce(addUsage)
  const best = results.toSorted((one, other) => other.score - one.score).slice(0, topN)
  return { ...shared, results: best, ...(usage === undefined ? {} : { usage }) }
}
