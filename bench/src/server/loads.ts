import { SERVER_BARS } from '../bars.ts'
import type { Driver } from './driver.ts'
import { COST_OF, planLoad, WARM_UP_MS, type LoadName } from './plan.ts'
import { printTable, type BarsOf } from './report.ts'
import { takeRounds, warmUp } from './rounds.ts'
import type { Subject } from './subjects.ts'
import type { Measured, MeasuredLoads } from './summary.ts'
import { createTake, WORKLOADS } from './window.ts'

const BARS_OF: { readonly [name in LoadName]: BarsOf } = {
  small: { relay: SERVER_BARS.relayRequest, translate: SERVER_BARS.translateRequest },
  large: { relay: SERVER_BARS.relayLarge, translate: SERVER_BARS.translateLarge },
  tokens: { relay: SERVER_BARS.relayToken, translate: SERVER_BARS.translateToken },
}

export interface LoadsOptions {
  readonly driver: Driver
  readonly subjects: readonly Subject[]
  readonly remainingMs: () => number
  /** Whether one load is measured alone: then no other one has warmed up the servers. */
  readonly isOnly: boolean
}

/** Measures and prints one load after another. Time that a load does not need is left to those after it. */
export async function measureLoads(loads: readonly LoadName[], options: LoadsOptions): Promise<MeasuredLoads> {
  const [name, ...others] = loads
  if (name === undefined) return {}
  const measured = await measureLoad(loads, options)
  printTable(measured, BARS_OF[name])
  return { [name]: measured, ...(await measureLoads(others, options)) }
}

async function measureLoad(loads: readonly LoadName[], options: LoadsOptions): Promise<Measured> {
  const { driver, subjects, remainingMs, isOnly } = options
  const name = loads[0] ?? 'small'
  const workload = WORKLOADS[name]
  const { warmUps, limitMs } = planLoad(loads, subjects.length, remainingMs(), isOnly)
  const end = performance.now() + limitMs
  const unstable = await warmUp(subjects, warmUps, createTake(driver, workload, { leadMs: 0, windowMs: WARM_UP_MS }))
  console.log(`\nwarmed up for ${(warmUps * WARM_UP_MS) / 1000} s each: ${describeUnstable(unstable, subjects.length)}`)
  const { leadMs, windowMs } = COST_OF[name]
  const isYardstick = ({ kind }: Subject): boolean => kind === 'yardstick'
  const isOver = (): boolean => performance.now() >= end
  const take = createTake(driver, workload, { leadMs, windowMs })
  return { workload, found: await takeRounds(subjects, { isYardstick, isOver }, take) }
}

/** On a busy machine none is stable, which needs no list. */
function describeUnstable(unstable: readonly Subject[], all: number): string {
  if (unstable.length === 0) return 'all stable'
  const names = unstable.map(({ name }) => name).join(', ')
  return `${unstable.length} of ${all} not stable${unstable.length > 5 ? '' : `: ${names}`}`
}
