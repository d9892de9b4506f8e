/** Lines as bytes, until they are written. */
export interface LineBuffer {
  /** The bytes of all lines that were not taken yet. */
  readonly size: number
  append(line: string): void
  /** All lines so far. The bytes stay valid until the next lines are taken. */
  take(): Buffer
}

/** UTF-8 has at most this many bytes for a character of a string. */
const MOST_BYTES = 3

/** `room` is the size of a buffer. There are two of them, which take turns, and more only while lines are not taken. */
export function createLineBuffer(room: number): LineBuffer {
  let current: Buffer = Buffer.allocUnsafe(room)
  let used = 0
  /** What was taken last, for the lines after the next ones. */
  let spare: Buffer | undefined
  let full: Buffer[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    append(line) {
      const most = line.length * MOST_BYTES
      if (most > current.length - used) {
        if (used > 0) full.push(current.subarray(0, used))
        current = Buffer.allocUnsafe(Math.max(room, most))
        used = 0
      }
      const written = current.write(line, used)
      used += written
      size += written
    },
    take() {
      const last = current.subarray(0, used)
      used = 0
      size = 0
      if (full.length > 0) {
        const all = Buffer.concat([...full, last])
        full = []
        return all
      }
      const next = spare ?? Buffer.allocUnsafe(room)
      spare = current.length === room ? current : undefined
      current = next
      return last
    },
  }
}
