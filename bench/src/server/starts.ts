import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../table.ts'
import { startChild } from './child.ts'
import { CALLER_KEY, SERVER_SCRIPT, temporaryFolder } from './gateway.ts'

export interface Starts {
  readonly startMs: number
  readonly idleMegabytes: number
}

/** By then the server has loaded everything that it loads without calls, also in its threads. */
const LOADED_MS = 4000

/**
 * Starts the real server several times. The first start fills its compile cache and does not count: a server that strips types itself has
 * 30 MB more in memory.
 */
export async function measureStarts(count: number): Promise<Starts> {
  const times: number[] = []
  const sizes: number[] = []
  for (let i = 0; i <= count; i++) {
    const folder = temporaryFolder()
    const env = { DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: CALLER_KEY }
    const child = await startChild({ script: SERVER_SCRIPT, env, folder, core: 'own' })
    times.push(child.startMs)
    sizes.push(child.residentMegabytes())
    if (i > 0) child.stop()
    else {
      await sleep(LOADED_MS)
      await child.end()
    }
  }
  return { startMs: median(times.slice(1)), idleMegabytes: median(sizes.slice(1)) }
}
