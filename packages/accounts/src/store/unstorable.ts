/**
 * The store cannot hold something in a batch, whenever it is sent: a value that its database refuses. Nothing of the batch was written, and
 * other batches are not affected. Known by its name, because errors of threads and other processes lose their class.
 */
export class UnstorableError extends Error {
  override readonly name = 'UnstorableError'

  static isInstance(thrown: unknown): thrown is Error {
    return thrown instanceof Error && thrown.name === 'UnstorableError'
  }
}

/** In UTF-16 code units. Databases index texts, several in one entry, and PostgreSQL takes at most 2,704 bytes in an entry. */
const LONGEST = 256
const CONTROL = /\p{Cc}/gu

/**
 * A text that every database can hold and index: well-formed, without control characters, and not too long. An ellipsis replaces the end of
 * a long one.
 */
export function storableText(text: string): string {
  const short = text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
  return short.toWellFormed().replace(CONTROL, '\uFFFD')
}
