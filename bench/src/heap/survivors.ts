import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAccounts } from '@dragoman/accounts'
import { chat } from '@dragoman/core/protocols'
import type { Stage, StageCall } from '@dragoman/gateway'
import { openSqliteStore } from '@dragoman/store-sqlite'
import { runPass } from '../passes.ts'
import { createExchange } from './exchange.ts'

/** Node options with which only the new objects are collected, at the times that `survivingBytes` chooses. */
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--initial-old-space-size=1024']

const CONCURRENT = 32
const ROUNDS = 60
/** So that code is compiled, and objects that stay are there. */
const WARM_UP = 40

/** Runs in its own Node process. With a planted stage, which has its calls in a map. */
export async function measureSurvivors(isPlanted = false): Promise<number> {
  return (await runPass(['heap-survivors', ...(isPlanted ? ['--planted'] : [])], {
    flags: FLAGS,
    core: 'any',
  })) as number // printed below
}

/** With accounts in an SQLite file. */
export async function printSurvivors(isPlanted: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-survivors-'))
  const store = openSqliteStore({ file: join(folder, 'dragoman.db') })
  const accounts = createAccounts({ store, schedule: setImmediate })
  const bytes = await survivingBytes(isPlanted ? [...accounts.stages, plantedStage()] : accounts.stages)
  // Calls settle after their answers.
  await nextTurn()
  await accounts.close()
  await store.close()
  rmSync(folder, { recursive: true })
  console.log(bytes)
}

/**
 * V8 replaces a map that has become full by a new one. The old one still refers to its entries and to the new map, so once one of them is old, all
 * calls that are running when a map becomes full stay.
 */
function plantedStage(): Stage {
  const calls = new Map<string, StageCall>()
  return {
    afterAdmission: (call) => void calls.set(call.requestId, call),
    onSettle: ({ requestId }) => void calls.delete(requestId),
  }
}

/**
 * How many bytes of each relayed call are left when new objects are collected and old ones are not. A call that is over has to leave nothing: what
 * is left is copied twice, and collected with the whole heap later, which costs more than the call.
 */
async function survivingBytes(stages: readonly Stage[]): Promise<number> {
  const call = createExchange(chat, chat, 0, stages)
  const run = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      // In the middle of calls, as it happens in a server: objects that are in use become old.
      const calls = Promise.all(Array.from({ length: CONCURRENT }, call))
      if (round % 4 === 0) collectNew()
      await calls
    }
    collectNew()
    collectNew()
  }
  await run(WARM_UP)
  const before = process.memoryUsage().heapUsed
  await run(ROUNDS)
  return (process.memoryUsage().heapUsed - before) / (ROUNDS * CONCURRENT)
}

function collectNew(): void {
  globalThis.gc?.({ type: 'minor' })
}
