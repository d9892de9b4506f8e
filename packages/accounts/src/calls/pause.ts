import type { Clock } from '@dragoman/gateway'

/** The pauses after failures of the store, each longer than the one before. */
export interface Pause {
  /** Returns how long to wait. */
  begin(): number
  /** The store is back. */
  end(): void
  isRunning(): boolean
  /** The store has failed, and is not back yet. */
  hasFailed(): boolean
}

const FIRST_MS = 100
const LONGEST_MS = 2000

export function createPause(clock: Pick<Clock, 'now'>, onEnd: () => void): Pause {
  let ms = 0
  let until = 0
  return {
    begin() {
      ms = Math.min(LONGEST_MS, Math.max(FIRST_MS, ms * 2))
      until = clock.now() + ms
      return ms
    },
    end() {
      if (ms > 0) onEnd()
      ms = 0
      until = 0
    },
    isRunning: () => clock.now() < until,
    hasFailed: () => ms > 0,
  }
}

/** A single timer. */
export interface Timer {
  /** Has no effect if it is running. */
  start(ms: number): void
  /** Starts again, also if it is running. */
  restart(ms: number): void
  stop(): void
}

export function createTimer(clock: Clock, run: () => void): Timer {
  let cancel: (() => void) | undefined
  const start = (ms: number): void => {
    cancel ??= clock.after(ms, () => {
      cancel = undefined
      run()
    })
  }
  const stop = (): void => {
    cancel?.()
    cancel = undefined
  }
  return {
    start,
    restart(ms) {
      stop()
      start(ms)
    },
    stop,
  }
}
