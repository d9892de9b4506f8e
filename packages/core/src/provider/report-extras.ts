import { reportForeignExtras } from '../ir/foreign-extras.ts'
import { reportForeignRequest } from '../ir/foreign-image-extras.ts'
import type { ImageRequest } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'
import type { VideoRequest } from '../ir/video.ts'
import { OWN } from './own-api.ts'

/** Reports what no own API takes: members of protocols, and the numbers of given pictures. */
export function reportImageExtras(request: ImageRequest, losses: Losses): void {
  reportForeignRequest(request, OWN, losses)
  for (const [index, { id }] of (request.references ?? []).entries())
    if (id !== undefined) losses.dropped(['references', index, 'id'], 'pictures have no numbers here')
}

/** The same for videos. */
export function reportVideoExtras({ extras, image, lastFrame, references = [] }: VideoRequest, losses: Losses): void {
  reportForeignExtras(extras, OWN, losses)
  reportForeignExtras(image?.extras, OWN, losses, ['image'])
  reportForeignExtras(lastFrame?.extras, OWN, losses, ['lastFrame'])
  for (const [index, reference] of references.entries())
    reportForeignExtras(reference.extras, OWN, losses, ['references', index])
}
