import type { EmbeddingAbility, EmbeddingAnswer, EmbeddingRequest } from '../ir/embedding.ts'
import type { JsonObject } from '../lib/json.ts'
import type { MediaCodec } from './media.ts'

/** Embeddings: requests and answers. */
export interface EmbeddingCodec extends Located<MediaCodec<EmbeddingRequest, EmbeddingAnswer>> {
  /** For paths that other kinds of calls share: whether a body is a request for embeddings. */
  claims(body: JsonObject): boolean
  /** Whether answers name the model. */
  readonly namesModel: boolean
  /** What the protocol can express beyond texts: `dimensions` are those of each input. */
  takes(dialect: JsonObject | undefined): readonly EmbeddingAbility[]
}

/** A codec that says itself where values are, and what can be relayed. */
type Located<Codec extends MediaCodec<EmbeddingRequest, EmbeddingAnswer>> = Omit<Codec, 'locate' | 'relays'> &
  Required<Pick<Codec, 'locate' | 'relays'>>
