import type { Pending } from './door.ts'

/** Reserved at first for a body of unknown length. */
const FIRST_ROOM = 256 * 1024

/**
 * Reserves memory for one body, step by step. If a function returns false, the door must not read until `onRoom` of the pending call
 * is called.
 */
export interface BodyRoom {
  /** Call it before the first byte. */
  open(): boolean
  /** Call it with the number of bytes received so far. A body that outgrows its first reservation gets the full limit. */
  hold(size: number): boolean
  /** Call it before decompression, because the final size is unknown. */
  holdAll(): boolean
}

/** `length` is the size of the body in bytes, or undefined if it is unknown. */
export function createBodyRoom(pending: Pick<Pending, 'limit' | 'reserve'>, length: number | undefined): BodyRoom {
  const { limit } = pending
  let room = 0
  const grow = (size: number): boolean => {
    if (size <= room) return true
    const more = size - room
    room = size
    return pending.reserve(more)
  }
  return {
    open: () => grow(length ?? Math.min(FIRST_ROOM, limit)),
    hold: (size) => size <= room || grow(limit),
    holdAll: () => grow(limit),
  }
}
