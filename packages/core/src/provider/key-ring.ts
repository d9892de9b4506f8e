/** A key for one call. */
export interface TakenKey {
  readonly secret: string
  /** The index of the key. */
  readonly index: number
  /** The upstream's status for it. */
  readonly answered: (status: number, header: (name: string) => string | undefined) => void
}

export interface KeyRing {
  /** The next key, or the requested one. */
  take(wanted?: number): TakenKey
  /** The number of keys that are not paused. */
  awake(): number
}

/** Keys in rotation. A key that was refused or is over its limit is paused while others are available; if all are paused, the next is used. */
export function createKeyRing(secrets: readonly string[], now: () => number): KeyRing {
  const keys = secrets.map((secret) => ({ secret, restsUntil: 0 }))
  let next = 0
  return {
    take(wanted) {
      const index = wanted !== undefined && keys[wanted] !== undefined ? wanted : nextIndex()
      return {
        secret: keys[index]?.secret ?? '',
        index,
        answered(status, header) {
          const key = keys[index]
          const rest = restOf(status, header)
          if (key !== undefined && rest > 0) key.restsUntil = now() + rest
        },
      }
    },
    awake: () => keys.filter(({ restsUntil }) => restsUntil <= now()).length,
  }

  function nextIndex(): number {
    const time = now()
    const order = keys.map((_key, index) => (next + index) % keys.length)
    const awake = order.find((index) => until(index) <= time)
    const index = awake ?? order.toSorted((one, other) => until(one) - until(other))[0] ?? 0
    next = (index + 1) % keys.length
    return index
  }

  function until(index: number): number {
    return keys[index]?.restsUntil ?? 0
  }
}

/** Milliseconds. */
const REST_OF_REFUSED = 5 * 60_000
const REST_OF_LIMITED = 10_000
const LONGEST_REST = 60 * 60_000

function restOf(status: number, header: (name: string) => string | undefined): number {
  // A key without credit, and one that is refused. A 403 can be about the model.
  if (status === 401 || status === 402) return REST_OF_REFUSED
  if (status !== 429) return 0
  const asked = Number(header('retry-after-ms') ?? Number.NaN) || Number(header('retry-after') ?? Number.NaN) * 1000
  return asked > 0 ? Math.min(asked, LONGEST_REST) : REST_OF_LIMITED
}
