import { DragomanError } from './error.ts'
import type { Path } from './loss.ts'

/** Refuses a request because of the value at a path of it. */
export type Refuse = (path: Path, reason: string) => never

/** The error names the member in the caller's body, which `locate` finds. */
export function createRefuse(locate: (path: Path) => Path): Refuse {
  return (path, reason) => {
    const param = locate(path).join('.')
    throw new DragomanError('invalid-request', `${param}: ${reason}.`, { param })
  }
}
