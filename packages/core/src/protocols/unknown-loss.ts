import type { Loss } from '../ir/loss.ts'
import type { Words } from '../lib/grammar/members.ts'

/**
 * Losses with the reason "unknown" for members and roles that the caller's protocol does not have either, such as misspelled ones. What only
 * that protocol has keeps its reason.
 */
export function nameUnknown(losses: readonly Loss[], words: () => Words): readonly Loss[] {
  return losses.map((loss) => (isUnknown(loss, words) ? { ...loss, reason: 'unknown' } : loss))
}

/** The role of a turn is kept only if it is unknown. Inside a member that has no members in the grammar, everything belongs to its vendor. */
function isUnknown({ kind, path }: Loss, words: () => Words): boolean {
  const extras = path.indexOf('extras')
  if (kind !== 'dropped' || extras < 0) return false
  const isTurn = path[0] === 'messages' && extras === 2
  for (const key of path.slice(extras + 2)) {
    if (typeof key === 'number') continue
    if ((key === 'role' && isTurn) || !words().has(key)) return true
    if (words().get(key) === false) return false
  }
  return false
}
