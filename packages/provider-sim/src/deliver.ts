import type { Fields, Flow, Receiver } from '@dragoman/core/provider'

/** A response as bytes, and how it is delivered. */
export interface Delivery {
  readonly status: number
  readonly headers: Fields
  readonly chunks: readonly Uint8Array[]
  /** The delay before the head. */
  readonly waitMs: number
  /** The delay before every chunk. At 0, chunks come in bursts. */
  readonly delayMs: number
  /** Whether the connection breaks after half of the chunks. */
  readonly cut: boolean
}

/** Delivers a response that is not ready yet. */
export function deliverLater(delivery: Promise<Delivery>, receiver: Receiver): Flow {
  let flow: Flow | undefined
  let paused = false
  let cancelled = false
  const begin = (ready: Delivery): void => {
    if (cancelled) return
    flow = deliver(ready, receiver)
    if (paused) flow.pause()
  }
  const fail = (cause: unknown): void => {
    if (!cancelled) receiver.onFail({ kind: 'reset', retryable: false, cause })
  }
  void delivery.then(begin).catch(fail)
  return {
    pause() {
      paused = true
      flow?.pause()
    },
    resume() {
      paused = false
      flow?.resume()
    },
    cancel() {
      if (flow !== undefined) return flow.cancel()
      if (cancelled) return
      cancelled = true
      receiver.onFail({ kind: 'cancelled', retryable: false })
    },
  }
}

/** Chunks per burst. Other work runs between bursts, so that a disconnected client is noticed and a slow one can pause. */
const BURST = 16

/** Delivers a response to a receiver as a network would: asynchronously, in chunks, with pause and cancel. */
export function deliver(delivery: Delivery, receiver: Receiver): Flow {
  const { status, headers, chunks, delayMs, cut } = delivery
  const count = cut ? Math.ceil(chunks.length / 2) : chunks.length
  let next = -1
  let paused = false
  let over = false
  let running = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const isFlowing = (): boolean => !paused && !over
  const step = (): void => {
    const chunk = chunks[next]
    if (next < 0) receiver.onHead(status, (name) => headers[name])
    else if (next < count && chunk !== undefined) receiver.onChunk(chunk)
    else {
      over = true
      if (cut) receiver.onFail({ kind: 'reset', retryable: false })
      else receiver.onEnd()
    }
    next++
  }
  const run = (): void => {
    timer = undefined
    running = true
    const most = delayMs > 0 ? 1 : BURST
    for (let steps = 0; steps < most && isFlowing(); steps++) step()
    running = false
    schedule(delayMs)
  }
  const schedule = (ms: number): void => {
    if (isFlowing() && !running && timer === undefined) timer = setTimeout(run, ms)
  }
  schedule(delivery.waitMs)
  return {
    pause() {
      paused = true
    },
    resume() {
      paused = false
      schedule(delayMs)
    },
    cancel() {
      if (over) return
      over = true
      clearTimeout(timer)
      receiver.onFail({ kind: 'cancelled', retryable: false })
    },
  }
}
