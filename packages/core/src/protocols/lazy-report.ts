import type { ReportedLoss } from './reported-loss.ts'

/** Has a report that is made when somebody looks at it. A class, because an accessor of a literal would be made for every translation. */
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
