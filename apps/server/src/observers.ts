import type { Environment } from '@dragoman/core/provider'
import type { BreakerState, Report, Stage } from '@dragoman/gateway'
import type { ServerLog } from './log.ts'
import type { Observer } from './observer.ts'
import type { ServerSettings } from './settings.ts'
import { noteWatcherErrors } from './watcher-errors.ts'

/** A log that shows its entries to observers, too. */
export interface ObservedLog extends ServerLog {
  /** The hooks of the observers. */
  readonly stages: readonly Stage[]
  /** Notes what watchers of calls throw. */
  readonly onWatcherError: Report
  /** Waits until the observers have sent what is left, but not longer than `ms`, then writes the buffered lines. */
  close(ms: number): Promise<void>
}

/** What observers are created from. */
export interface ObserverOptions {
  readonly settings: ServerSettings
  readonly environment: Environment
  readonly breakers: () => readonly BreakerState[]
}

export async function observeLog(log: ServerLog, options: ObserverOptions): Promise<ObservedLog> {
  const observers = await createObservers(options, log)
  const onWatcherError = noteWatcherErrors(log)
  const write: ServerLog['write'] = (entry) => {
    log.write(entry)
    for (const observer of observers) {
      try {
        observer.observe(entry)
      } catch (thrown) {
        onWatcherError('an observer', thrown)
      }
    }
  }
  return {
    ...log,
    ...(observers.length === 0 ? {} : { write }),
    stages: observers.map(({ stage }) => stage),
    onWatcherError,
    async close(ms) {
      const closed = Promise.allSettled(observers.map((observer) => observer.close()))
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, ms))])
      await log.flush()
    },
  }
}

/** Creates the observers that are configured. The modules of others are not loaded. */
async function createObservers(options: ObserverOptions, log: ServerLog): Promise<readonly Observer[]> {
  const { settings, breakers } = options
  const observers: Observer[] = []
  if (settings.metrics !== undefined) {
    const [{ createMetrics }, { serveMetrics }] = await Promise.all([
      import('./metrics/metrics.ts'),
      import('./metrics/serve-metrics.ts'),
    ])
    const metrics = createMetrics(breakers)
    log.note('info', `metrics at ${await serveMetrics(metrics, settings.metrics)}`)
    observers.push(metrics)
  }
  return [...observers, ...(await createTelemetry(options, log))]
}

async function createTelemetry(options: ObserverOptions, log: ServerLog): Promise<readonly Observer[]> {
  const { environment, breakers } = options
  if (!Object.keys(environment).some((name) => name.startsWith('OTEL_'))) return []
  const { readTelemetry } = await import('./telemetry/settings.ts')
  const settings = readTelemetry(environment)
  if (settings === undefined) return []
  const { startTelemetry } = await import('./telemetry/telemetry.ts')
  return startTelemetry(settings, log, breakers)
}
