import { DragomanError } from './error.ts'
import type { Path, Losses } from './loss.ts'

/** Refuses a request because of the value at a path of it. */
export type Refuse = (path: Path, reason: string) => never

/** The error names the member in the caller's body, which `locate` finds. */
export function createRefuse(locate: (path: Path) => Path): Refuse {
  return (path, reason) => {
    const param = locate(path).join('.')
    throw new DragomanError('invalid-request', `${param}: ${reason}.`, { param })
  }
}

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
