import type { Server } from 'node:http'
import { isatty } from 'node:tty'
import type { Service } from './service.ts'

export interface ShutdownOptions {
  readonly server: Server
  readonly service: Service
  readonly onClosed: () => void
  /** A person insists. */
  readonly onForced: () => void
}

/** A terminal and the process in front of this one both deliver the same Ctrl-C; one that comes later is a new one. */
const SAME_DELIVERY_MS = 1000
/** Finished answers are flushed, and connections that are kept alive are let go, as they fall idle. */
const SWEEP_MS = 25
const FLUSH_MS = 5000

/**
 * Ends on SIGTERM and SIGINT, and when its terminal closes: no new work, running answers finish within the grace, then the
 * process may end.
 */
export function shutDownOnSignals({ server, service, onClosed, onForced }: ShutdownOptions): void {
  let begun: number | undefined
  const onSignal = (): void => {
    if (begun !== undefined) {
      if (Date.now() - begun > SAME_DELIVERY_MS) onForced()
      return
    }
    begun = Date.now()
    void close(server, service).then(onClosed)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (isInTerminal()) process.on('SIGHUP', onSignal)
}

/** SIGHUP then says that the terminal has closed. */
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
