import type { JsonOperation, MixedOperation } from '../operations/operation.ts'
import { submit } from '../video/submit.ts'
import { embeddingKind } from './embedding-kind.ts'
import { images } from './images.ts'
import { formOperation, mediaOperation } from './media-operation.ts'

/** The operations of media that have a body, one line each. */
export const mediaOperations: readonly (JsonOperation | MixedOperation)[] = [
  mediaOperation({ name: 'image', codec: 'image', kinds: [images] }),
  formOperation({ name: 'image-edit', codec: 'image', kinds: [images] }),
  mediaOperation({
    name: 'predict',
    codec: 'image',
    kinds: [images, embeddingKind],
    kindOf: (body, { embedding }) => (embedding?.claims(body) === true ? embeddingKind : images),
  }),
  mediaOperation({ name: 'embedding', codec: 'embedding', kinds: [embeddingKind] }),
  mediaOperation({ name: 'embedding-batch', codec: 'embedding', kinds: [embeddingKind] }),
  submit,
]
