import type { Server } from 'node:http'
import { isatty } from 'node:tty'
import type { Service } from './service.ts'

export interface ShutdownOptions {
  readonly server: Server
  readonly service: Pick<Service, 'gateway' | 'setup' | 'log'>
  /** Called with the time that is left to send telemetry, in milliseconds. */
  readonly onClosed: (ms: number) => void
  /** Called when the user presses Ctrl-C again. */
  readonly onForced: () => void
}

export interface Shutdown {
  /** Calls are still served, but new ones should go elsewhere. */
  readonly isDraining: boolean
}

/** A terminal and the parent process both deliver the same Ctrl-C. A later one is a new one. */
const SAME_DELIVERY_MS = 1000
/** Finished answers are flushed, and keep-alive connections are closed when they become idle. */
const SWEEP_MS = 25
const FLUSH_MS = 5000
/** The least time to send telemetry, even if the grace period is over. */
const LEAST_MS = 500

/**
 * Exits on SIGTERM and SIGINT, and when its terminal closes. First it drains: `/readyz` fails, and calls are still served, because
 * balancers send them until they have noticed. Then the port is closed, running calls finish within the grace period, and the process
 * exits. A second signal ends the drain, and a third one ends the process.
 */
export function shutDownOnSignals({ server, service, onClosed, onForced }: ShutdownOptions): Shutdown {
  let last: number | undefined
  let endDrain: (() => void) | undefined
  const begin = async (): Promise<void> => {
    const { drainMs, graceMs } = service.setup.settings
    // A person who presses Ctrl-C does not wait for a balancer.
    const ms = isInTerminal() ? 0 : drainMs
    const until = Date.now() + Math.max(graceMs, ms)
    if (ms > 0) {
      const drained = new Promise<void>((resolve) => (endDrain = resolve))
      const timer = setTimeout(() => endDrain?.(), ms)
      const running = callsText(service.gateway.calls())
      service.log.note('info', `draining for ${secondsText(ms)}: /readyz fails, calls are still served; ${running}`)
      await drained
      clearTimeout(timer)
      endDrain = undefined
    }
    await close(server, service, until - Date.now())
    onClosed(Math.max(LEAST_MS, until - Date.now()))
  }
  const onSignal = (): void => {
    const isRepeated = last !== undefined && Date.now() - last <= SAME_DELIVERY_MS
    if (isRepeated) return
    const isFirst = last === undefined
    last = Date.now()
    if (isFirst) void begin()
    else if (endDrain === undefined) onForced()
    else endDrain()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (isInTerminal()) process.on('SIGHUP', onSignal)
  return {
    get isDraining() {
      return endDrain !== undefined
    },
  }
}

/** With a terminal, SIGHUP means that it was closed. */
export function isInTerminal(): boolean {
  return isatty(0)
}

async function close(server: Server, { gateway, log }: ShutdownOptions['service'], graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const running = gateway.calls()
  if (running > 0)
    log.note('info', `the port is closed; waiting for ${callsText(running)}, at most ${secondsText(graceMs)}`)
  const cutOff = await gateway.close(Math.max(0, graceMs))
  if (cutOff > 0) log.note('warn', `the grace period is over: ${callsText(cutOff)} cut off`)
  else if (running > 0) log.note('info', 'all calls have finished')
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cut = setTimeout(() => server.closeAllConnections(), FLUSH_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

function callsText(count: number): string {
  return `${count} running ${count === 1 ? 'call' : 'calls'}`
}

function secondsText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}
