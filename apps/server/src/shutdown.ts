import type { Server } from 'node:http'
import { isatty } from 'node:tty'
import type { Service } from './service.ts'

export interface ShutdownOptions {
  readonly server: Server
  readonly service: Service
  /** Called with the time that is left to send telemetry, in milliseconds. */
  readonly onClosed: (ms: number) => void
  /** Called when the user presses Ctrl-C again. */
  readonly onForced: () => void
}

/** A terminal and the parent process both deliver the same Ctrl-C. A later one is a new one. */
const SAME_DELIVERY_MS = 1000
/** Finished responses are flushed, and keep-alive connections are closed when they become idle. */
const SWEEP_MS = 25
const FLUSH_MS = 5000
/** The least time to send telemetry, even if the grace period is over. */
const LEAST_MS = 500

/**
 * Exits on SIGTERM and SIGINT, and when its terminal closes: it accepts no new calls, running responses finish within the grace period,
 * then the process exits.
 */
export function shutDownOnSignals({ server, service, onClosed, onForced }: ShutdownOptions): void {
  let begun: number | undefined
  const onSignal = (): void => {
    if (begun !== undefined) {
      if (Date.now() - begun > SAME_DELIVERY_MS) onForced()
      return
    }
    const until = Date.now() + service.setup.settings.graceMs
    begun = Date.now()
    void close(server, service).then(() => onClosed(Math.max(LEAST_MS, until - Date.now())))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (isInTerminal()) process.on('SIGHUP', onSignal)
}

/** With a terminal, SIGHUP means that it was closed. */
export function isInTerminal(): boolean {
  return isatty(0)
}

async function close(server: Server, service: Service): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  await service.gateway.close(service.setup.settings.graceMs)
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), FLUSH_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
