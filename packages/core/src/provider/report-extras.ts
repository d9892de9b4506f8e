import { reportForeignRequest } from '../ir/foreign-image-extras.ts'
import type { ImageRequest } from '../ir/image.ts'
import type { Losses } from '../ir/loss.ts'
import { OWN } from './own-api.ts'

/** Reports what no own API takes: members of protocols, and the numbers of given images. */
export function reportImageExtras(request: ImageRequest, losses: Losses): void {
  reportForeignRequest(request, OWN, losses)
  for (const [index, { id }] of (request.references ?? []).entries())
    if (id !== undefined) losses.dropped(['references', index, 'id'], 'images have no numbers here')
}
