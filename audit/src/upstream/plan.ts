/** The points of an answer at which something can happen, in their order. */
export const POINTS = ['before-head', 'before-body', 'in-the-middle', 'before-usage'] as const

export type Point = (typeof POINTS)[number]

/** The tokens that the upstream bills. */
export interface Billed {
  readonly input: number
  readonly output: number
}

/** What the upstream does with a call. */
export interface Plan {
  readonly bills: Billed
  /** Refuses the call with this status, without usage. */
  readonly status?: number
  /** Breaks the connection at this point. */
  readonly breakAt?: Point
  /** Waits at this point until it is released. It goes on, and bills, if its caller has gone. */
  readonly holdAt?: Point
  /** How long it works before it answers. */
  readonly delayMs?: number
  /** Members of the usage, on the wire, instead of the counts of `bills`. */
  readonly rawUsage?: object
  /** Members of the answer, on the wire. */
  readonly more?: object
  /** The text of the answer. */
  readonly text?: string
}

export const DEFAULT_PLAN: Plan = { bills: { input: 100, output: 50 } }
