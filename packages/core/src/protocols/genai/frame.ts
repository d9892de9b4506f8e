/** How chunks are written: as events, or as the elements of one JSON array. */
export interface Framing {
  /** One chunk, given as JSON text. */
  chunk(json: string): string
  /** After the last chunk. */
  end(): string
}

export const ARRAY = 'array'

export function createFraming(framing: string | undefined): Framing {
  if (framing !== ARRAY) return { chunk: (json) => `data: ${json}\n\n`, end: () => '' }
  let begun = false
  return {
    chunk(json) {
      const before = begun ? ',\n' : '['
      begun = true
      return before + json
    },
    end: () => (begun ? ']' : '[]'),
  }
}
