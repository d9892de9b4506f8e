import type { Feature, FindFeatures } from '../ir/feature.ts'
import { lossCode, type LossCode } from '../ir/loss-code.ts'
import type { Loss } from '../ir/loss.ts'
import type { Words } from '../lib/grammar/members.ts'
import { formatPath, type Locate } from './locate.ts'

/** A loss as it is reported to callers. */
export type ReportedLoss = Loss & {
  /** What happened to what, for programs: `dropped-setting`. */
  readonly code: LossCode
  /** Where the value stands in the caller's own body: `messages[2].content[0]`. Absent if it is not in that body. */
  readonly wirePath?: string
  /** The features of the request that do not arrive because of it. Absent if there are none, or if they were not requested. */
  readonly features?: readonly Feature[]
}

/** The report of an encoding. Without `locate`, nothing of it stands in a body of the caller's. */
export function reportLosses(
  losses: readonly Loss[],
  locate?: Locate,
  features?: ReturnType<FindFeatures>,
): readonly ReportedLoss[] {
  return losses.map((loss, index) => {
    const code = lossCode(loss)
    const wirePath = locate === undefined ? '' : formatPath(locate(loss.path, loss.kind))
    const located = wirePath === '' ? { ...loss, code } : { ...loss, code, wirePath }
    const lost = features?.[index] ?? []
    return lost.length === 0 ? located : { ...located, features: lost }
  })
}

/** Has a report that is made when it is first read. A class, because an accessor of a literal would be made for every translation. */
export class LazyReport {
  #report: (() => readonly ReportedLoss[]) | undefined
  #losses: readonly ReportedLoss[] = []

  constructor(report: () => readonly ReportedLoss[]) {
    this.#report = report
  }

  get losses(): readonly ReportedLoss[] {
    if (this.#report !== undefined) this.#losses = this.#report()
    this.#report = undefined // it holds what was translated
    return this.#losses
  }
}

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
