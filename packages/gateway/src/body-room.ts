import type { Pending } from './door.ts'

/** What is reserved for a body that does not say its length, until it turns out to be larger. */
const FIRST_ROOM = 256 * 1024

/**
 * The memory that a door reserves for one body, step by step. Each function is false where there is no room yet: the door then
 * reads nothing until `onRoom` of the pending call.
 */
export interface BodyRoom {
  /** Before the first byte. */
  open(): boolean
  /** So many bytes have come. Beyond the first room, a body may become as large as is allowed. */
  hold(size: number): boolean
  /** The body is about to be unpacked, and its size cannot be known. */
  holdAll(): boolean
}

/** `length`: in bytes of the body as it is handed over; undefined where nobody knows. */
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
