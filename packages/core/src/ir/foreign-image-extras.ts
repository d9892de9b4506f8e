import { reportForeignExtras } from './foreign-extras.ts'
import type { ImageAnswer, ImageRequest } from './image.ts'
import type { Losses } from './loss.ts'

/** Reports the extras of other protocols as lost, for a request for images and all images in it. */
export function reportForeignRequest(
  { extras, references = [], mask }: ImageRequest,
  protocol: string,
  losses: Losses,
): void {
  reportForeignExtras(extras, protocol, losses)
  for (const [index, reference] of references.entries())
    reportForeignExtras(reference.extras, protocol, losses, ['references', index])
  reportForeignExtras(mask?.extras, protocol, losses, ['mask'])
}

/** The same for an answer. */
export function reportForeignAnswer({ extras, images, usage }: ImageAnswer, protocol: string, losses: Losses): void {
  reportForeignExtras(extras, protocol, losses)
  for (const [index, image] of images.entries()) reportForeignExtras(image.extras, protocol, losses, ['images', index])
  reportForeignExtras(usage?.extras, protocol, losses, ['usage'])
}
