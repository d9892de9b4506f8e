import { join } from 'node:path'
import { createAccounts } from '@dragoman/accounts'
import { chat } from '@dragoman/core/protocols'
import { openSqliteStore } from '@dragoman/store-sqlite'
import { createExchange, type Operation } from '../heap/exchange.ts'
import { quickOf } from '../table.ts'
import { cpuMicros } from './load.ts'

const CALLS = 640

export interface Added {
  /** Microseconds of CPU time of a relayed call inside the process, without and with accounts. */
  readonly without: number
  readonly withAccounts: number
}

/**
 * What accounts add to a call through the real gateway: the stage, the store, and collecting their memory. So many calls run at the same time, and
 * their openings form groups by turns of the event loop. Windows without and with accounts take turns.
 */
export async function measureAdded(folder: string, concurrent: number, windows: number): Promise<Added> {
  const store = openSqliteStore({ file: join(folder, `added-${concurrent}.db`) })
  const accounts = createAccounts({ store, schedule: setImmediate })
  const operations = [createExchange(chat, chat, 0), createExchange(chat, chat, 0, accounts.stages)] as const
  const times: [number[], number[]] = [[], []]
  for (let window = -windows / 2; window < windows; window++) {
    for (const index of [0, 1] as const) {
      const time = await timeOf(operations[index], concurrent)
      if (window >= 0) times[index].push(time)
    }
  }
  // Calls settle after their answers.
  await new Promise(setImmediate)
  await accounts.close()
  await store.close()
  return { without: quickOf(times[0]), withAccounts: quickOf(times[1]) }
}

async function timeOf(call: Operation, concurrent: number): Promise<number> {
  const before = cpuMicros()
  for (let done = 0; done < CALLS; done += concurrent) await Promise.all(Array.from({ length: concurrent }, call))
  return (cpuMicros() - before) / CALLS
}
