import { median } from '../table.ts'
import { startChild } from './child.ts'
import { CALLER_KEY, SERVER_SCRIPT, temporaryFolder } from './gateway.ts'

export interface Starts {
  readonly startMs: number
  readonly idleMegabytes: number
}

/** Starts the real server several times. The first start fills its compile cache and does not count. */
export async function measureStarts(count: number): Promise<Starts> {
  const times: number[] = []
  const sizes: number[] = []
  for (let i = 0; i <= count; i++) {
    const folder = temporaryFolder()
    const env = { DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: CALLER_KEY }
    const child = await startChild({ script: SERVER_SCRIPT, env, folder, core: 'own' })
    times.push(child.startMs)
    sizes.push(child.residentMegabytes())
    child.stop()
  }
  return { startMs: median(times.slice(1)), idleMegabytes: median(sizes.slice(1)) }
}
