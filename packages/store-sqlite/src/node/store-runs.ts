import { setTimeout as pause } from 'node:timers/promises'
import type { Awaitable } from '@dragoman/accounts/store'
import type { SqlStore } from '../sql/sql-store.ts'
import type { DatabaseOptions } from './database.ts'
import { explain, isBusy } from './errors.ts'
import type { ReaderMethods } from './reader-methods.ts'
import { startThread, type Thread } from './threads.ts'

const CHECKPOINT_MS = 1000
/** How long a statement is tried again while others write. */
const BUSY_MS = 5000

/** The threads of a store. */
export interface StoreThreads {
  /** Writes, and everything else that may wait for the disk. */
  own(): Thread
  /** Reads many rows. Reports do not keep the other thread from its work. */
  reader(): Thread
  /** Something is written: the log is moved to the file within about a second. */
  keepUp(): void
  close(): Promise<void>
}

/** How statements are run: at once, at once unless another connection is writing, or by a thread. Errors name the database. */
export interface Runs {
  read<T>(this: void, run: () => T): T
  write<T>(this: void, run: () => T): Awaitable<T>
  inThread<Name extends keyof SqlStore>(
    this: void,
    method: Name,
    ...values: Parameters<SqlStore[Name]>
  ): Promise<ReturnType<SqlStore[Name]>>
  inReader<Name extends Exclude<keyof ReaderMethods, 'close'>>(
    this: void,
    method: Name,
    ...values: Parameters<ReaderMethods[Name]>
  ): Promise<ReturnType<ReaderMethods[Name]>>
}

export function createRuns(title: string, threads: StoreThreads): Runs {
  return {
    read(run) {
      try {
        return run()
      } catch (error) {
        throw explain(title, error)
      }
    },
    write(run) {
      threads.keepUp()
      try {
        return run()
      } catch (error) {
        if (isBusy(error)) return retry(run, title)
        throw explain(title, error)
      }
    },
    async inThread(method, ...values) {
      threads.keepUp()
      try {
        return await threads.own().call(method, ...values)
      } catch (error) {
        throw explain(title, error)
      }
    },
    async inReader(method, ...values) {
      try {
        return await threads.reader().call(method, ...values)
      } catch (error) {
        throw explain(title, error)
      }
    },
  }
}

/** A thread starts when it is needed. */
export function createThreads(options: DatabaseOptions): StoreThreads {
  let thread: Thread | undefined
  let reading: Thread | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const own = (): Thread => (thread ??= startThread('write', options))
  const keepUp = (): void => {
    if (timer !== undefined || isClosed) return
    timer = setTimeout(() => {
      own()
        .call('checkpoint')
        // The log is kept: the next one may succeed, and commits report what is wrong with the disk.
        .catch(() => undefined)
        .finally(() => {
          timer = undefined
        })
    }, CHECKPOINT_MS)
    timer.unref()
  }
  return {
    own,
    reader: () => (reading ??= startThread('read', options)),
    keepUp,
    async close() {
      isClosed = true
      clearTimeout(timer)
      // The last connection moves the log to the file: rather the one that can write.
      await reading?.close()
      await thread?.close()
    },
  }
}

async function retry<T>(run: () => T, title: string): Promise<T> {
  const end = performance.now() + BUSY_MS
  for (let waitMs = 1; ; waitMs = Math.min(20, waitMs * 1.5)) {
    await pause(waitMs)
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw explain(title, error)
    }
  }
}
