/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The range that a request asks for, of a file of this size. Undefined if it asks for the whole file: also for several ranges, which a
 * server may ignore, and for ranges that it does not know.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
