import type { Flow } from '@dragoman/core/provider'
import type { Report } from '../ports/report.ts'

/** A flow that can be paused or cancelled before the transport returns it: some transports answer synchronously. Its functions never throw. */
export interface Valve {
  open(flow: Flow): void
  pause(): void
  resume(): void
  cancel(): void
  isPaused(): boolean
  /** Whether the upstream may have received the call. */
  isSent(): boolean
  /** Aborts when the flow is cancelled, also after its end: for work on what has arrived. */
  readonly signal: () => AbortSignal
}

export function createValve(report: Report): Valve {
  let flow: Flow | undefined
  let paused = false
  let cancelled = false
  let aborter: AbortController | undefined
  const tell = (what: 'pause' | 'resume' | 'cancel'): void => {
    try {
      flow?.[what]()
    } catch (thrown) {
      report('transport', thrown)
    }
  }
  return {
    open(given) {
      flow = given
      if (cancelled) tell('cancel')
      else if (paused) tell('pause')
    },
    pause() {
      if (paused) return
      paused = true
      tell('pause')
    },
    resume() {
      if (!paused) return
      paused = false
      tell('resume')
    },
    cancel() {
      if (cancelled) return
      cancelled = true
      tell('cancel')
      aborter?.abort()
    },
    isPaused: () => paused,
    isSent: () => flow !== undefined && flow.isSent?.() !== false,
    signal() {
      aborter ??= new AbortController()
      if (cancelled) aborter.abort()
      return aborter.signal
    },
  }
}
