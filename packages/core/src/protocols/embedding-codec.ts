import type { EmbeddingAbility, EmbeddingAnswer, EmbeddingRequest } from '../ir/embedding.ts'
import type { Path } from '../ir/loss.ts'
import type { JsonObject } from '../lib/json.ts'
import type { MediaCodec } from './media.ts'

/** Vectors: requests and answers. */
export interface EmbeddingCodec extends MediaCodec<EmbeddingRequest, EmbeddingAnswer> {
  /** For paths that other kinds of calls share: whether a body is a request for vectors. */
  claims(body: JsonObject): boolean
  /** Whether answers name the model. */
  readonly namesModel: boolean
  /** What upstreams of the protocol can be told beyond texts: `dimensions` are those of each input. */
  takes(dialect: JsonObject | undefined): readonly EmbeddingAbility[]
  /** Whether upstreams with this dialect take the bodies of an operation as they are. */
  relays(operation: string, dialect: JsonObject | undefined): boolean
  /** Where the body of a caller has the value at a path of its decoded request; the nearest value where there is none. */
  locate(path: Path, body: JsonObject, operation: string): Path
}
