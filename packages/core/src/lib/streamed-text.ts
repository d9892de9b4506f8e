/** A text that arrives in many small pieces and is read at its end. */
export interface TextBuffer {
  add(piece: string): void
  text(): string
}

const TOGETHER = 64

/** Joins pieces from time to time: each keeps alive the whole chunk that it was cut from, which is many times its size. */
export function createTextBuffer(start = ''): TextBuffer {
  let joined = start
  let pieces: string[] = []
  const join = (): void => {
    joined += pieces.join('')
    pieces = []
  }
  return {
    add(piece) {
      if (pieces.push(piece) >= TOGETHER) join()
    },
    text() {
      if (pieces.length > 0) join()
      return joined
    },
  }
}

const HOLE = '\u0001hole\u0001'

/**
 * A wire object with a placeholder for a string, at one path or several, serialized once per block instead of once per token. The object
 * is built by the function that builds every other event, so no JSON is written by hand.
 */
export function template(shape: (hole: string) => object, before: string, after: string): (text: string) => string {
  const [head = '', ...tails] = JSON.stringify(shape(HOLE)).split(JSON.stringify(HOLE))
  const [tail = '', second] = tails
  const prefix = before + head
  const suffix = tail + after
  if (second === undefined) return (text) => prefix + JSON.stringify(text) + suffix
  return (text) => prefix + tails.reduce((filled, piece) => filled + JSON.stringify(text) + piece, '') + after
}
