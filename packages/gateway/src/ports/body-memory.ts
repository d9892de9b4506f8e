/**
 * The memory for request bodies and for whole answers. All calls share one limit; a request waits until others have released
 * enough.
 */
export interface BodyMemory {
  /** The memory of one request, empty at first. */
  lease(): BodyLease
}

export interface BodyLease {
  /** Reserves more bytes. If it returns false, `onRoom` is called when they are available. */
  reserve(bytes: number): boolean
  onRoom: (() => void) | undefined
  /** Adds bytes without waiting: an answer that has begun is always accepted, and new requests wait. */
  readonly add: (bytes: number) => void
  /** Releases everything and stops waiting. */
  release(): void
}

/** Bodies up to this size do not wait behind larger ones. */
const SMALL = 256 * 1024
/** The part of the memory that larger bodies leave free for small ones. */
const KEPT_FOR_SMALL = 1 / 8

export function createBodyMemory(limit: number): BodyMemory {
  const small: Waiting[] = []
  const large: Waiting[] = []
  let taken = 0

  /** A body that is larger than the limit can have all of the memory alone. */
  const fits = (bytes: number, held: number): boolean => {
    const most = bytes > SMALL ? limit * (1 - KEPT_FOR_SMALL) : limit
    return taken === held || taken + bytes <= most
  }
  const serve = (queue: Waiting[]): void => {
    for (let [next] = queue; next !== undefined; [next] = queue) {
      if (next.bytes > 0 && !fits(next.bytes, next.held)) return
      queue.shift()
      if (next.bytes > 0) next.grant()
    }
  }
  return {
    lease() {
      let held = 0
      let waiting: Waiting | undefined
      const take = (bytes: number): void => {
        held += bytes
        taken += bytes
      }
      const lease: BodyLease = {
        reserve(bytes) {
          const queue = bytes > SMALL ? large : small
          if (queue.length === 0 && fits(bytes, held)) {
            take(bytes)
            return true
          }
          waiting = { bytes, held, grant: () => grant(bytes) }
          queue.push(waiting)
          return false
        },
        onRoom: undefined,
        add: take,
        release() {
          if (waiting !== undefined) waiting.bytes = 0
          if (held === 0 && waiting === undefined) return
          taken -= held
          held = 0
          waiting = undefined
          serve(small)
          serve(large)
        },
      }
      const grant = (bytes: number): void => {
        waiting = undefined
        take(bytes)
        lease.onRoom?.()
      }
      return lease
    },
  }
}

interface Waiting {
  /** 0 if it no longer waits. */
  bytes: number
  /** The bytes that it already has. */
  readonly held: number
  grant(): void
}
