import { DragomanError } from '@dragoman/core'
import type { Clock } from '@dragoman/gateway'
import { networkOf } from './network.ts'

/** Slows down addresses that send wrong keys. */
export interface WrongKeys {
  /** Counts the wrong keys of a call. Waits if there were several lately; throws at once if too many wait already. */
  onWrong(address: string | undefined, secrets: number): void | Promise<void>
  /**
   * Whether so many wrong keys of this address are waiting, or were refused, that no further key is looked at, because the answer would
   * show whether it is right. Wrong keys of other addresses do not count here: they must not block a caller with a valid key.
   */
  isFull(address: string | undefined): boolean
}

/** The number of wrong keys in a minute that are answered at once: people and new deployments make mistakes. */
const FREE = 5
const WINDOW_MS = 60_000
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 8000
const MOST_WAITING = 8
const MOST_WAITING_IN_ALL = 1000
const MOST_ADDRESSES = 10_000

interface Guesses {
  count: number
  waiting: number
  at: number
  /** The end of the time that it was given to wait. */
  closedUntil: number
}

export function createWrongKeys(clock: Clock): WrongKeys {
  // In the order of their last wrong key.
  const guesses = new Map<string, Guesses>()
  let waiting = 0
  const count = (network: string, secrets: number): Guesses => {
    const now = clock.now()
    const known = guesses.get(network)
    const entry = known ?? { count: 0, waiting: 0, at: now, closedUntil: 0 }
    if (now - entry.at > WINDOW_MS) entry.count = 0
    entry.count += secrets
    entry.at = now
    guesses.delete(network)
    guesses.set(network, entry)
    if (guesses.size > MOST_ADDRESSES) for (const oldest of guesses.keys()) return (guesses.delete(oldest), entry)
    return entry
  }
  return {
    onWrong(address, secrets) {
      if (address === undefined) return undefined
      const entry = count(networkOf(address), secrets)
      if (entry.count <= FREE) return undefined
      const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (entry.count - FREE - 1))
      if (entry.waiting >= MOST_WAITING || waiting >= MOST_WAITING_IN_ALL) {
        // A caller that is refused at once must not guess faster than one that waits.
        entry.closedUntil = entry.at + delayMs
        throw tooMany(delayMs)
      }
      entry.waiting++
      waiting++
      return new Promise((resolve) => {
        clock.after(delayMs, () => {
          entry.waiting--
          waiting--
          resolve()
        })
      })
    },
    isFull(address) {
      const entry = address === undefined ? undefined : guesses.get(networkOf(address))
      return entry !== undefined && (entry.waiting >= MOST_WAITING || clock.now() < entry.closedUntil)
    },
  }
}

/** The error of a call that is refused without looking at its key. */
export function tooMany(delayMs = LONGEST_DELAY_MS): DragomanError {
  return new DragomanError('rate-limit', 'Too many wrong API keys were sent from this address. Try again later.', {
    code: 'too_many_wrong_keys',
    retryAfter: Math.ceil(delayMs / 1000),
  })
}
