import type { Loss, Path, RequestLoss } from '@dragoman/core'

/** Where the caller's body has the value of a path. */
type Locate = (path: Path, kind: Loss['kind']) => Path

/** The losses of a request, with the members of the caller's body. */
export function reportMedia(losses: readonly Loss[], locate: Locate | undefined): readonly RequestLoss[] {
  return losses.map((loss) => {
    const wirePath = locate?.(loss.path, loss.kind).join('.') ?? ''
    return wirePath === '' ? loss : { ...loss, wirePath }
  })
}
