import type { Draft } from './members.ts'
import type { Watch } from './json-pieces.ts'
import { createQueue } from './queue.ts'

/** A block that is being received. Several may be interleaved on the wire, but only one is open at a time in the output. */
export interface PendingBlock {
  /** Opens the block: called once, when it is its turn. */
  open(): void
  /** Appends text, after it is open. */
  grow(text: string): void
  close(): void
  /** Detects from the text when the block is complete; absent if the start of another block is enough. */
  readonly watch?: Watch | undefined
}

/** Puts interleaved blocks one after another: text for a block that is not open yet is buffered. */
export interface PendingBlocks<L extends PendingBlock> {
  /** The open block. */
  readonly active: L | undefined
  /** Starts another block. It opens when all before it are complete. */
  start(pendingBlock: L): void
  /** False if the block is already closed and the text is too late. */
  grow(pendingBlock: L, text: string): boolean
  /** Closes everything, in order. */
  finish(): void
}

/** The pending blocks of one stream. */
export function createPendingBlocks<L extends PendingBlock>(): PendingBlocks<L> {
  const waiting = new Map<L, string>() // behind the open one, each with its buffered text
  const order = createQueue<L>((pendingBlock) => !waiting.has(pendingBlock))

  const openNext = () => {
    const pendingBlock = order.first()
    pendingBlocks.active = pendingBlock
    if (pendingBlock === undefined) return
    const pending = waiting.get(pendingBlock) ?? ''
    waiting.delete(pendingBlock)
    pendingBlock.open()
    if (pending !== '') pendingBlock.grow(pending)
  }
  const closeActive = () => {
    pendingBlocks.active?.close()
    openNext()
  }
  const advance = () => {
    while (waiting.size > 0) {
      if (pendingBlocks.active?.watch?.complete() === false) return
      closeActive()
    }
  }
  const pendingBlocks: Draft<PendingBlocks<L>> = {
    active: undefined,
    start(pendingBlock) {
      waiting.set(pendingBlock, '')
      order.add(pendingBlock)
      if (pendingBlocks.active === undefined) openNext()
      else advance()
    },
    grow(pendingBlock, text) {
      const pending = pendingBlocks.active === pendingBlock ? undefined : waiting.get(pendingBlock)
      if (pendingBlocks.active !== pendingBlock && pending === undefined) return false
      pendingBlock.watch?.add(text)
      if (pending === undefined) pendingBlock.grow(text)
      else waiting.set(pendingBlock, pending + text)
      if (waiting.size > 0) advance()
      return true
    },
    finish() {
      while (pendingBlocks.active !== undefined) closeActive()
    },
  }
  return pendingBlocks
}
