import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closeRefused, type RefusedCalls, type RefusedMemory, type Store } from '@dragoman/accounts'

const NAME = /^refused-calls-\w+\.jsonl$/

/**
 * Calls that were refused while the database was away, in a file of the data folder: a server that ends before the database is back does not
 * charge them, because the next one closes them. The file exists only meanwhile. It has ids of calls and keys, and no secrets.
 */
export function createRefusedMemory(folder: string): RefusedMemory {
  let file: string | undefined
  return {
    keep(refused) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      file = join(folder, `refused-calls-${refused.instance}.jsonl`)
      // Written before the caller gets the answer. It survives the end of the process, but perhaps not the end of the machine.
      appendFileSync(file, `${JSON.stringify(refused)}\n`, { mode: 0o600 })
    },
    clear() {
      if (file !== undefined) rmSync(file, { force: true })
      file = undefined
    },
  }
}

/** Closes the calls that servers with this data folder have refused before they ended. Returns how many they were. */
export async function closeEarlierRefusals(store: Pick<Store, 'commit'>, folder: string): Promise<number> {
  let count = 0
  for (const name of namesIn(folder)) {
    const file = join(folder, name)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const refused = parse(line)
      if (refused === undefined) continue
      await closeRefused(store, refused)
      count += refused.settlements.length
    }
    rmSync(file, { force: true })
  }
  return count
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name))
  } catch {
    // Nothing was ever written.
    return []
  }
}

/** The last line may have been cut off by the end of the process: then its callers got no answer. */
function parse(line: string): RefusedCalls | undefined {
  try {
    return JSON.parse(line) as RefusedCalls // as `keep` has written it
  } catch {
    return undefined
  }
}
