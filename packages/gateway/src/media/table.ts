import type { JsonOperation } from '../operations/operation.ts'
import { embeddingKind } from './embedding-kind.ts'
import { mediaOperation } from './media-operation.ts'

/** The operations of media that have a JSON body, one line each. */
export const mediaOperations: readonly JsonOperation[] = [
  mediaOperation({ name: 'embedding', codec: 'embedding', kinds: [embeddingKind] }),
  mediaOperation({ name: 'embedding-batch', codec: 'embedding', kinds: [embeddingKind] }),
  mediaOperation({ name: 'predict', codec: 'embedding', kinds: [embeddingKind] }),
]
