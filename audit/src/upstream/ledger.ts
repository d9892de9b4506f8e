import type { Billed, Plan, Point } from './plan.ts'

/** How far the upstream has come with a call. */
export type Progress = 'received' | Point | 'refused' | 'broken' | 'ended'

/** One call that the upstream has received: its own books, independent of those of the server. */
export interface LedgerEntry {
  /** The number of the call at this upstream. */
  readonly number: number
  /** The model that it was asked for. The audit gives each call a model of its own, which names the call in the books of both sides. */
  readonly model: string
  readonly path: string
  readonly body: string
  readonly plan: Plan
  progress: Progress
  /** It has written usage to a connection that was open. */
  hasReported: boolean
  /** What it has counted in what it has written so far, if its protocol counts in the middle of an answer. */
  reportedSoFar?: Billed
  /** Its caller has closed the connection before the answer was complete. */
  isLeft: boolean
}

/** Everything that the upstream has received, in order. */
export interface UpstreamLedger {
  readonly entries: readonly LedgerEntry[]
  /** The calls of a model. */
  of(model: string): readonly LedgerEntry[]
}
