import { embeddings } from './embedding-kind.ts'
import { images } from './image-kind.ts'
import type { MediaKind } from './media-kind.ts'
import { reranking } from './rerank.ts'
import { videos } from './video-kind.ts'

/** The kinds of calls that are not conversations, one line each. */
export const mediaKinds = { image: images, video: videos, embedding: embeddings, rerank: reranking } as const

/** The kinds by their names. */
export type MediaKinds = typeof mediaKinds

/** The facts of cards about such calls. A card with one of them serves calls of this kind. */
export type CardFacts = { readonly [Name in keyof MediaKinds]?: Parameters<MediaKinds[Name]['modalities']>[0] }

/** All kinds, for code that treats them alike. */
export const KINDS: readonly MediaKind[] = Object.values(mediaKinds)

/** The facts of a card about calls of one kind. */
export function factsOf({ name }: Pick<MediaKind, 'name'>, facts: CardFacts): object | undefined {
  const byName: { readonly [kind: string]: object | undefined } = facts
  return byName[name]
}

/** The kind of calls that a model is for; undefined if it has conversations. */
export function ownKind(facts: CardFacts): MediaKind | undefined {
  return KINDS.find((kind) => {
    const own = factsOf(kind, facts)
    return own !== undefined && kind.conversation?.has(own) !== true
  })
}

/** The requests of a kind. */
export type RequestOf<Name extends keyof MediaKinds> = Parameters<MediaKinds[Name]['fit']>[0]
/** The answers of a kind. */
export type AnswerOf<Name extends keyof MediaKinds> = Parameters<MediaKinds[Name]['bill']>[0]
