import type { Clock } from '@dragoman/gateway'
import type { Store } from './store/store.ts'

/** How long things are kept, in days. */
export interface RetentionDays {
  /** Records of calls: 90 days if absent. */
  readonly records?: number | undefined
  /** Sums per hour: 800 days if absent. */
  readonly hours?: number | undefined
  /** The audit log: 800 days if absent. */
  readonly audit?: number | undefined
}

export interface Housekeeping {
  /** Closes the calls of lost instances, and deletes what is old, in small steps. */
  tend(): Promise<void>
  stop(): void
}

export interface HousekeepingOptions {
  readonly store: Pick<Store, 'buryLost' | 'prune'>
  readonly clock: Clock
  readonly retention: RetentionDays
  /** How long the store waits for a heartbeat. */
  readonly ttlMs: number
  /** Runs at the same times. */
  readonly beat: () => void
  readonly onFailed: (thrown: unknown) => void
}

const LONGEST_BEAT_MS = 10_000
/** Two heartbeats may be late or fail. */
const BEATS_PER_TTL = 3
/** The steps are small: no call waits long for one of them. */
const STEP = 200
const STEP_MS = 50
/** The most steps of one run. */
const MOST_STEPS = 25
const PRUNE_MS = 600_000
const DAY_MS = 86_400_000

export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { store, clock, retention, ttlMs, beat, onFailed } = options
  const beatMs = Math.min(LONGEST_BEAT_MS, ttlMs / BEATS_PER_TTL)
  let isStopped = false
  let prunedAt = Number.NEGATIVE_INFINITY
  let stopTimer: (() => void) | undefined
  const prune = (): number | Promise<number> => {
    const before = (days: number): number => clock.now() - days * DAY_MS
    const { records = 90, hours = 800, audit = 800 } = retention
    return store.prune({ records: before(records), hours: before(hours), audit: before(audit) }, STEP)
  }
  /** Returns when to go on. */
  const step = async (): Promise<number> => {
    if (clock.now() - prunedAt < PRUNE_MS) return beatMs
    if ((await prune()) === STEP) return STEP_MS
    prunedAt = clock.now()
    return beatMs
  }
  let beatAt = clock.now()
  const run = async (): Promise<void> => {
    let nextMs = beatMs
    try {
      if (clock.now() >= beatAt) {
        beatAt = clock.now() + beatMs
        beat()
        await store.buryLost()
      }
      nextMs = await step()
    } catch (thrown) {
      onFailed(thrown)
    }
    if (!isStopped) stopTimer = clock.after(Math.min(nextMs, Math.max(1, beatAt - clock.now())), () => void run())
  }
  stopTimer = clock.after(beatMs, () => void run())
  return {
    async tend() {
      beat()
      await store.buryLost()
      for (let steps = 0; steps < MOST_STEPS && (await prune()) === STEP;) steps++
    },
    stop() {
      isStopped = true
      stopTimer?.()
    },
  }
}
