import { reportForeignExtras } from './foreign-extras.ts'
import type { Losses } from './loss.ts'
import type { VideoRequest } from './video.ts'

/** Reports the extras of other protocols as lost, for a request for videos and all images in it. Without a protocol, all are lost. */
export function reportVideoExtras(
  { extras, image, lastFrame, references = [] }: VideoRequest,
  protocol: string | undefined,
  losses: Losses,
): void {
  reportForeignExtras(extras, protocol, losses)
  reportForeignExtras(image?.extras, protocol, losses, ['image'])
  reportForeignExtras(lastFrame?.extras, protocol, losses, ['lastFrame'])
  for (const [index, reference] of references.entries())
    reportForeignExtras(reference.extras, protocol, losses, ['references', index])
}
