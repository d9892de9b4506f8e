import type { Flow } from '@dragoman/core/provider'

/** A flow that can be paused or cancelled before the transport returns it: some transports answer synchronously. */
export interface Valve {
  open(flow: Flow): void
  pause(): void
  resume(): void
  cancel(): void
  isPaused(): boolean
  /** Aborts when the flow is cancelled, also after its end: for work on what has arrived. */
  readonly signal: () => AbortSignal
}

export function createValve(): Valve {
  let flow: Flow | undefined
  let paused = false
  let cancelled = false
  let aborter: AbortController | undefined
  return {
    open(given) {
      flow = given
      if (cancelled) flow.cancel()
      else if (paused) flow.pause()
    },
    pause() {
      if (paused) return
      paused = true
      flow?.pause()
    },
    resume() {
      if (!paused) return
      paused = false
      flow?.resume()
    },
    cancel() {
      if (cancelled) return
      cancelled = true
      flow?.cancel()
      aborter?.abort()
    },
    isPaused: () => paused,
    signal() {
      aborter ??= new AbortController()
      if (cancelled) aborter.abort()
      return aborter.signal
    },
  }
}
