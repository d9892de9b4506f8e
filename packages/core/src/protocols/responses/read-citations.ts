import type { EventOf } from '../../ir/stream.ts'
import type { Part } from '../../ir/part.ts'

/** What the whole part says beyond what its deltas have said: each citation in a change of its own. */
export function lateMembers(shell: Part, whole: Part): readonly Omit<EventOf<'block-patch'>, 'type'>[] {
  const changes: Omit<EventOf<'block-patch'>, 'type'>[] = []
  if (whole.type === 'text') for (const citation of whole.citations ?? []) changes.push({ citation })
  const { seal, extras } = whole
  if (seal !== undefined && shell.seal === undefined) changes.push({ seal })
  if (extras !== undefined) changes.push({ extras })
  return changes
}
