/** Something that must be over in time, such as a call. */
export interface Timed {
  /** In milliseconds of `performance.now()`, which no change of the clock moves. It may be moved on. */
  until: number
  /** Its index in the sweep; -1 if it is not there. */
  index: number
  /** Its time is over. It is removed before. */
  readonly onLate: () => void
}

/**
 * Watches the times of many calls with one timer. A timer for each of them would be created and cleared for nothing almost every time. A time
 * can pass by as much as the interval.
 */
export interface Sweep {
  add(timed: Timed): void
  /** Does nothing if it is not there. */
  remove(timed: Timed): void
}

export function createSweep(intervalMs: number): Sweep {
  const all: Timed[] = []
  let timer: NodeJS.Timeout | undefined
  const remove = (timed: Timed): void => {
    if (timed.index < 0) return
    // The last one takes its index.
    const last = all.pop()
    if (last !== undefined && last !== timed) {
      all[timed.index] = last
      last.index = timed.index
    }
    timed.index = -1
  }
  const check = (): void => {
    const now = performance.now()
    for (const timed of all.filter(({ until }) => until <= now)) {
      // Another one that is late may have ended it.
      if (timed.index < 0) continue
      remove(timed)
      timed.onLate()
    }
    if (all.length > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    add(timed) {
      timed.index = all.push(timed) - 1
      timer ??= setInterval(check, intervalMs).unref()
    },
    remove,
  }
}
