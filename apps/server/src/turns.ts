/** Changes of the configuration, which are applied one after the other. */
export interface Turns {
  /** Applies a change after those before it, unless the turns have ended. A failure is reported. */
  take(change: () => Promise<void>): Promise<void>
  /** The same, but a failure is the caller's. */
  attempt(change: () => Promise<void>): Promise<void>
  /** No further change is begun. Resolves when the last one is applied. */
  end(): Promise<void>
  readonly areOver: boolean
}

export function createTurns(onFailed: (error: unknown) => void): Turns {
  let last: Promise<void> = Promise.resolve()
  let areOver = false
  const attempt = (change: () => Promise<void>): Promise<void> => {
    const changed = last.then(() => (areOver ? undefined : change()))
    last = changed.catch(() => undefined)
    return changed
  }
  return {
    take: (change) => attempt(change).catch(onFailed),
    attempt,
    end() {
      areOver = true
      return last
    },
    get areOver() {
      return areOver
    },
  }
}
