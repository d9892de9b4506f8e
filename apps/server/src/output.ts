import { write, writeSync } from 'node:fs'
import { createLineBuffer } from './line-buffer.ts'

/** Lines for a file descriptor: buffered in memory, written in batches, never awaited. */
export interface Output {
  write(line: string): void
  /** Resolves when the buffer is empty, or when the reader has stopped. */
  flush(): Promise<void>
  /** Writes what is possible without waiting, for a process that exits now. */
  flushNow(): void
}

export interface OutputOptions {
  readonly descriptor: number
  /** Creates the line that says how many lines were omitted because the reader was too slow. */
  readonly leftOut: (lines: number) => string
}

/** Bytes that are collected before a write, unless the time limit comes first. */
const LUMP = 32 * 1024
/** The size of a buffer: lines go on coming while a batch is written. */
const ROOM = 2 * LUMP
const GATHER_MS = 250
/** The most bytes that wait. Further lines are omitted: a slow reader must not cost memory. */
const MOST_WAITING = 4 * 1024 * 1024
/** The time until a slow reader is tried again. */
const RETRY_MS = 50
/** After this time, the process exits although a reader has stopped. */
const FLUSH_MS = 2000

/**
 * Batches lines, because single writes would cost more than all other work of the server for a call. A line becomes bytes at once: texts that
 * wait would be copied by every collection of memory.
 */
export function createOutput({ descriptor, leftOut }: OutputOptions): Output {
  const lines = createLineBuffer(ROOM)
  let missed = 0
  /** The batch that is being written. */
  let lump: Buffer | undefined
  /** Whether a write is in progress. */
  let isSent = false
  let timer: NodeJS.Timeout | undefined
  let onEmpty: (() => void) | undefined

  const isEmpty = (): boolean => lump === undefined && lines.size === 0 && missed === 0
  const take = (): Buffer => {
    clearTimeout(timer)
    timer = undefined
    if (missed > 0) lines.append(leftOut(missed))
    missed = 0
    return lines.take()
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
    // If the reader is gone, its lines are dropped.
    lump = error === null && written < lump.length ? lump.subarray(written) : undefined
    if (lump !== undefined) send()
    else next()
  }
  /** Writes at once if there is enough for a batch, or if a caller waits. */
  const next = (): void => {
    if (isEmpty()) onEmpty?.()
    else if (lines.size >= LUMP || onEmpty !== undefined) begin()
    else timer ??= setTimeout(begin, GATHER_MS).unref()
  }
  return {
    write(line) {
      if (lines.size + line.length > MOST_WAITING) missed++
      else lines.append(line)
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
        // The output has no reader, and there is no other output.
      }
    },
  }
}

function isBusy({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EAGAIN' || code === 'EBUSY'
}
