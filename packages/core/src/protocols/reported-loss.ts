import type { Feature, FindFeatures } from '../ir/feature.ts'
import { lossCode, type LossCode } from '../ir/loss-code.ts'
import type { Loss } from '../ir/loss.ts'
import { formatPath, type Locate } from './locate.ts'

/** A loss as it is reported to callers. */
export type ReportedLoss = Loss & {
  /** What happened to what, for programs: `dropped-setting`. */
  readonly code: LossCode
  /** Where the value stands in the caller's own body: `messages[2].content[0]`. Absent where it stands in none. */
  readonly wirePath?: string
  /** The features of the request that do not arrive because of it. Absent if there are none, or if nobody asked for them. */
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
