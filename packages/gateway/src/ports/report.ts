import type { Clock } from '@dragoman/core/provider'
import type { Ledger, Log } from './ports.ts'

/** Code that runs for a call and must not throw: observers, what events and timers run, and the end of the call itself. */
export type Watcher =
  | 'log'
  | 'ledger'
  | 'onAttempt'
  | 'aroundAnswer'
  | 'onSettle'
  | 'timer'
  | 'door'
  | 'transport'
  | 'call'

/** Receives what a watcher has thrown. The call goes on without it. */
export type Report = (watcher: Watcher, thrown: unknown) => void

/** A report that never throws. */
export function createReport(onWatcherError: Report | undefined): Report {
  if (onWatcherError === undefined) return () => {}
  return (watcher, thrown) => {
    try {
      const told: unknown = onWatcherError(watcher, thrown)
      if (told instanceof Promise) told.catch(ignore)
    } catch {
      // This error cannot be reported anywhere.
    }
  }
}

function ignore(): void {}

/** The same function, except that it never throws. What it throws, at once or by a promise, is reported. */
export function guarded<Given extends readonly unknown[]>(
  watcher: Watcher,
  report: Report,
  run: (...given: Given) => unknown,
): (...given: Given) => void {
  const fail = (thrown: unknown): void => report(watcher, thrown)
  return (...given) => {
    try {
      const result = run(...given)
      if (result instanceof Promise) result.catch(fail)
    } catch (thrown) {
      fail(thrown)
    }
  }
}

export function guardLog(log: Log | undefined, report: Report): Log | undefined {
  return log && { write: guarded('log', report, (entry) => log.write(entry)) }
}

export function guardLedger(ledger: Ledger | undefined, report: Report): Ledger | undefined {
  return ledger && { onUsage: guarded('ledger', report, (record) => ledger.onUsage(record)) }
}

/** A clock whose timers never throw: no code could catch it. */
export function guardClock(clock: Clock, report: Report): Clock {
  return { now: () => clock.now(), after: (ms, run) => clock.after(ms, guarded('timer', report, run)) }
}
