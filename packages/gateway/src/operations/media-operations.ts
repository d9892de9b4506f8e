import type { RoutedOperation } from '../pipeline/operation.ts'
import { submit } from '../video/submit.ts'
import { embeddings } from '../media/embeddings.ts'
import { images } from '../media/images.ts'
import { mediaOperation, sharedOperation } from '../media/media-operation.ts'

const image = mediaOperation(images, { name: 'image', codec: 'image' })
const embedding = mediaOperation(embeddings, { name: 'embedding', codec: 'embedding' })

/** The operations of media that have a body, one line each. */
export const mediaOperations: readonly RoutedOperation[] = [
  image,
  mediaOperation(images, { name: 'image-edit', codec: 'image', body: 'json or multipart' }),
  sharedOperation({ name: 'predict', codec: 'image' }, [image, embedding], (body, protocol) =>
    protocol.embedding?.claims(body) === true ? embedding : image,
  ),
  embedding,
  mediaOperation(embeddings, { name: 'embedding-batch', codec: 'embedding' }),
  submit,
]
