import type { Draft } from './draft.ts'
import type { Watch } from './object-watch.ts'
import { createQueue } from './queue.ts'

/** A block that is being received. Several may be interleaved on the wire, but only one is open at a time in the output. */
export interface Lane {
  /** Opens the block: called once, when it is its turn. */
  open(): void
  /** Appends text, after it is open. */
  grow(text: string): void
  close(): void
  /** Tells from the text when the block is complete; absent if the start of another block is enough. */
  readonly watch?: Watch | undefined
}

/** Puts interleaved blocks one after another: text for a block that is not open yet is buffered. */
export interface Lanes<L extends Lane> {
  /** The open block. */
  readonly active: L | undefined
  /** Starts another block. It opens when all before it are complete. */
  start(lane: L): void
  /** False if the block is already closed and the text is too late. */
  grow(lane: L, text: string): boolean
  /** Closes everything, in order. */
  finish(): void
}

/** The pending blocks of one stream. */
export function createLanes<L extends Lane>(): Lanes<L> {
  const waiting = new Map<L, string>() // behind the open one, each with its buffered text
  const order = createQueue<L>((lane) => !waiting.has(lane))

  const openNext = () => {
    const lane = order.first()
    lanes.active = lane
    if (lane === undefined) return
    const pending = waiting.get(lane) ?? ''
    waiting.delete(lane)
    lane.open()
    if (pending !== '') lane.grow(pending)
  }
  const closeActive = () => {
    lanes.active?.close()
    openNext()
  }
  const advance = () => {
    while (waiting.size > 0) {
      if (lanes.active?.watch?.complete() === false) return
      closeActive()
    }
  }
  const lanes: Draft<Lanes<L>> = {
    active: undefined,
    start(lane) {
      waiting.set(lane, '')
      order.add(lane)
      if (lanes.active === undefined) openNext()
      else advance()
    },
    grow(lane, text) {
      const pending = lanes.active === lane ? undefined : waiting.get(lane)
      if (lanes.active !== lane && pending === undefined) return false
      lane.watch?.add(text)
      if (pending === undefined) lane.grow(text)
      else waiting.set(lane, pending + text)
      if (waiting.size > 0) advance()
      return true
    },
    finish() {
      while (lanes.active !== undefined) closeActive()
    },
  }
  return lanes
}
