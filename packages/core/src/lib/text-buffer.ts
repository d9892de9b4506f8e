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
