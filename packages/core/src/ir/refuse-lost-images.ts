import type { Losses, Path } from './loss.ts'
import { createRefuse } from './refuse.ts'

/**
 * Refuses an encoded request for images if an image to edit, or its mask, is among the losses: without it, the model would draw
 * something else. `locate` finds the image in the caller's body.
 */
export function refuseLostImages(losses: Losses, locate: (path: Path) => Path = (path) => path): void {
  const lost = losses.entries().find(({ kind, path }) => kind === 'dropped' && isImage(path))
  if (lost !== undefined) createRefuse(locate)(lost.path, 'this model takes no image of this form')
}

/** `references.0`, `mask`, or the source of one of them. */
function isImage(path: Path): boolean {
  const [list, ...rest] = path
  const inside = list === 'references' ? rest.slice(1) : list === 'mask' ? rest : undefined
  return inside !== undefined && (inside.length === 0 || (inside.length === 1 && inside[0] === 'source'))
}
