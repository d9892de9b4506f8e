import { write, writeSync } from 'node:fs'

/** Lines on their way to a file descriptor: gathered in memory, written in lumps, never waited for. */
export interface Output {
  write(line: string): void
  /** Done when nothing is in memory any more, or when the reader stands still. */
  flush(): Promise<void>
  /** What can be written without waiting, for a process that ends right now. */
  flushNow(): void
}

export interface OutputOptions {
  readonly descriptor: number
  /** Makes the line that tells how many were left out, because nobody read fast enough. */
  readonly leftOut: (lines: number) => string
}

/** Characters that are gathered before they are written, unless time runs out. */
const LUMP = 32 * 1024
const GATHER_MS = 250
/** Characters that wait at most while nothing can be written. Lines beyond are left out: a slow reader must not cost memory. */
const MOST_WAITING = 4 * 1024 * 1024
/** Until a reader that is behind is tried again. */
const RETRY_MS = 50
/** Longer, a reader that stands still does not keep the process from ending. */
const FLUSH_MS = 2000

/** Line by line, writing would cost more than anything else that the server does for a call. */
export function createOutput({ descriptor, leftOut }: OutputOptions): Output {
  let lines: string[] = []
  let waiting = 0
  let missed = 0
  /** What is being written now. */
  let lump: Buffer | undefined
  /** The system has it at this moment. */
  let isSent = false
  let timer: NodeJS.Timeout | undefined
  let onEmpty: (() => void) | undefined

  const isEmpty = (): boolean => lump === undefined && lines.length === 0 && missed === 0
  const take = (): Buffer => {
    clearTimeout(timer)
    timer = undefined
    const text = lines.join('') + (missed === 0 ? '' : leftOut(missed))
    lines = []
    waiting = 0
    missed = 0
    return Buffer.from(text)
  }
  const begin = (): void => {
    if (lump !== undefined || isEmpty()) return
    lump = take()
    send()
  }
  const send = (): void => {
    if (lump === undefined) return
    isSent = true
    write(descriptor, lump, onWritten)
  }
  const onWritten = (error: NodeJS.ErrnoException | null, written: number): void => {
    isSent = false
    if (lump === undefined) return
    if (error !== null && isBusy(error)) return void setTimeout(send, RETRY_MS).unref()
    // A reader that is gone takes its lines with it.
    lump = error === null && written < lump.length ? lump.subarray(written) : undefined
    if (lump !== undefined) send()
    else next()
  }
  /** Writes at once when there is enough for it, or somebody waits. */
  const next = (): void => {
    if (isEmpty()) onEmpty?.()
    else if (waiting >= LUMP || onEmpty !== undefined) begin()
    else timer ??= setTimeout(begin, GATHER_MS).unref()
  }
  return {
    write(line) {
      if (waiting + line.length > MOST_WAITING) missed++
      else {
        lines.push(line)
        waiting += line.length
      }
      if (lump === undefined) next()
    },
    flush() {
      return new Promise((resolve) => {
        const giveUp = setTimeout(resolve, FLUSH_MS)
        onEmpty = () => {
          clearTimeout(giveUp)
          resolve()
        }
        if (lump === undefined) next()
      })
    },
    flushNow() {
      const rest = lump === undefined || isSent ? take() : Buffer.concat([lump, take()])
      lump = undefined
      try {
        for (let at = 0; at < rest.length;) at += writeSync(descriptor, rest, at)
      } catch {
        // Nobody reads, and there is nowhere else to say so.
      }
    },
  }
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY'
}
