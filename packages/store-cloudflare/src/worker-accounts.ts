import { createAccounts, type Accounts, type AccountsOptions } from '@dragoman/accounts'
import { systemClock, type Clock, type Stage } from '@dragoman/gateway'
import { createAttendance } from './attendance.ts'
import type { WaitUntil } from './platform.ts'

export interface WorkerAccountsOptions extends Omit<AccountsOptions, 'clock' | 'schedule' | 'patienceMs'> {
  /** `waitUntil` of the module `cloudflare:workers`. */
  readonly waitUntil: WaitUntil
}

/** The interval of heartbeats, of closing lost instances and of deleting old data: as often as elsewhere. */
const TEND_MS = 10_000
/** A store answers within ten seconds, or fails. */
const PATIENCE_MS = 12_000
/** Longer timers do not belong to a call. */
const LONGEST_TIMER_MS = 9000

/**
 * `createAccounts` for Cloudflare Workers, where a request must not depend on timers and connections of another one, and where an isolate does
 * nothing between requests. Every call stays until it is committed, after its answer and if its caller leaves.
 */
export function createWorkerAccounts({ waitUntil, ...options }: WorkerAccountsOptions): Accounts {
  const { onFailed = ignore } = options
  const attendance = createAttendance({
    waitUntil,
    now: () => Date.now(),
    onTick: () => void tend().catch(onFailed),
    async onOver() {
      await tend().catch(onFailed)
      await flush()
    },
  })
  const clock = createWorkerClock(waitUntil)
  const accounts = createAccounts({ ...options, clock, schedule: attendance.schedule, patienceMs: PATIENCE_MS })
  let tendedAt = Date.now()
  const tend = async (): Promise<void> => {
    if (Date.now() - tendedAt < TEND_MS) return
    tendedAt = Date.now()
    await accounts.tend()
  }
  /** Groups try again by themselves if the store fails. */
  const flush = async (): Promise<void> => {
    while (accounts.waiting > 0) {
      const isFlushed = await accounts.flush().then(
        () => true,
        () => false,
      )
      if (!isFlushed) await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  const stage: Stage = {
    beforeCall: ({ requestId }) => attendance.enter(requestId),
    onSettle: ({ requestId }) => attendance.leave(requestId),
  }
  return {
    keys: accounts.keys,
    // It enters before its opening is scheduled.
    stages: [stage, ...accounts.stages],
    get waiting() {
      return accounts.waiting
    },
    release: (key) => accounts.release(key),
    flush: () => accounts.flush(),
    tend: () => accounts.tend(),
    close: () => accounts.close(),
  }
}

/** Short timers run to their end. Long timers, which repeat, are those of `tend`. */
function createWorkerClock(waitUntil: WaitUntil): Clock {
  return {
    now: () => Date.now(),
    after(ms, run) {
      if (ms > LONGEST_TIMER_MS) return ignore
      let isCancelled = false
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = systemClock.after(ms, () => {
        if (!isCancelled) run()
        resolve()
      })
      waitUntil(promise)
      return () => {
        // The timer may be one of another request, which cannot be stopped here.
        isCancelled = true
        stop()
        resolve()
      }
    },
  }
}

function ignore(): void {}
