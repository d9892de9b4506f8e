/** The films that were opened last. A player asks for a film in many ranges, and each of them opens it. */
export interface KeptFilms {
  /** The film with this key, which is made if it is not kept. */
  get(key: string, make: () => Promise<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>>
}

/** `most` is in bytes, of all films together. A larger one is not kept. */
export function createKeptFilms(most: number): KeptFilms {
  const kept = new Map<string, { readonly film: Promise<Uint8Array<ArrayBuffer>>; size: number }>()
  let total = 0
  const forget = (key: string): void => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  const makeRoom = (): void => {
    for (const [key, { size }] of kept) {
      if (total <= most && kept.size <= MOST_FILMS) return
      // One that is being made has no size yet.
      if (size > 0) forget(key)
    }
  }
  return {
    get(key, make) {
      const known = kept.get(key)
      if (known !== undefined) {
        kept.delete(key)
        kept.set(key, known)
        return known.film
      }
      const entry = { film: make(), size: 0 }
      kept.set(key, entry)
      entry.film.then(
        ({ length }) => {
          entry.size = length
          total += length
          makeRoom()
        },
        () => forget(key),
      )
      return entry.film
    },
  }
}

const MOST_FILMS = 16
