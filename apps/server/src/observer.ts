import type { LogEntry, Stage } from '@dragoman/gateway'

/** Watches all calls, for metrics or traces. */
export interface Observer {
  /** Its hooks run in every gateway of this server. */
  readonly stage: Stage
  /** Receives every entry of the log. */
  observe(entry: LogEntry): void
  /** Sends what is left. Called once, before the process exits. */
  close(): Promise<void>
}
