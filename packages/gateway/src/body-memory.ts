/**
 * Memory for the bodies of requests and for answers that are gathered whole. All of them share it; a request that finds no room
 * waits for others to give theirs back.
 */
export interface BodyMemory {
  /** The share of one request, empty at first. */
  lease(): BodyLease
}

export interface BodyLease {
  /** Takes room for so many more bytes. False: there is none yet, and `onRoom` is called once there is. */
  reserve(bytes: number): boolean
  onRoom: (() => void) | undefined
  /** Takes room without asking: an answer that has begun to come is taken, and new requests wait for it. */
  readonly add: (bytes: number) => void
  /** Gives back everything, and stops waiting. */
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

  /** A body that is larger than all of the memory may have it alone. */
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
  /** 0: it has given up. */
  bytes: number
  /** What it has already. */
  readonly held: number
  grant(): void
}
