import type { Draft } from './draft.ts'
import { createGrown, type Grown } from './grown.ts'

/** A block that grows; several may grow at once on the wire, but only one is open at a time behind it. */
export interface Lane {
  /** Opens the block: called once, when its turn comes. */
  open(): void
  /** More of its text, once it is open. */
  grow(text: string): void
  close(): void
  /** True when nothing more can come, as far as one can tell from the text so far; absent when another block is enough to tell. */
  readonly complete?: ((text: string) => boolean) | undefined
}

/** Puts interleaved blocks one after another: what arrives for a block that is not open yet waits. */
export interface Lanes<L extends Lane> {
  /** The open block. */
  readonly active: L | undefined
  /** Starts another block; it opens when all before it are complete. */
  start(lane: L): void
  /** False when the block is over, and the text too late. */
  grow(lane: L, text: string): boolean
  /** Closes everything, in order. */
  finish(): void
}

/** Lanes for one stream, none of them started. */
export function createLanes<L extends Lane>(): Lanes<L> {
  const waiting: { readonly lane: L; readonly text: Grown; pending: string }[] = []

  const openFirst = () => {
    const [first] = waiting
    lanes.active = first?.lane
    if (first === undefined) return
    first.lane.open()
    if (first.pending !== '') first.lane.grow(first.pending)
    first.pending = ''
  }
  const closeFirst = () => {
    waiting.shift()?.lane.close()
    openFirst()
  }
  const advance = () => {
    for (let first = waiting[0]; first !== undefined && waiting.length > 1; first = waiting[0]) {
      if (first.lane.complete?.(first.text.text()) === false) return
      closeFirst()
    }
  }
  const lanes: Draft<Lanes<L>> = {
    active: undefined,
    start(lane) {
      waiting.push({ lane, text: createGrown(), pending: '' })
      if (waiting.length === 1) openFirst()
      else advance()
    },
    grow(lane, text) {
      const found = waiting[0]?.lane === lane ? waiting[0] : waiting.find((each) => each.lane === lane)
      if (found === undefined) return false
      if (lane.complete !== undefined) found.text.add(text)
      if (found === waiting[0]) lane.grow(text)
      else found.pending += text
      if (waiting.length > 1) advance()
      return true
    },
    finish() {
      while (waiting.length > 0) closeFirst()
    },
  }
  return lanes
}
