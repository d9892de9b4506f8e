import type { Stage, StageServer } from '../scenario.ts'
import type { Server } from '../server/start-server.ts'
import { until } from '../server/until.ts'

/** Calls take 20 ms or more. */
const POLL_MS = 5

/** Instances that share a store, some of which are killed. */
export interface Fleet {
  /** An instance that lives, each in turn. */
  next(): Instance
  /** Kills one of them as a crash would, when it is ready for that, and starts another. */
  killOne(isReady: (instance: Instance) => boolean): Promise<void>
  readonly kills: () => number
  readonly any: () => Server
}

export interface Instance {
  readonly server: Server
  killedAt: number | undefined
}

export async function startFleet({ start }: Pick<Stage, 'start'>, many: number, options: StageServer): Promise<Fleet> {
  const add = async (): Promise<Instance> => ({ server: await start(options), killedAt: undefined })
  // One after the other: the first one makes the admin key.
  const living: Instance[] = []
  for (let instance = 0; instance < many; instance++) living.push(await add())
  let turn = 0
  let kills = 0
  const take = (): Instance => {
    const instance = living[turn++ % living.length]
    if (instance === undefined) throw new Error('No instance lives.')
    return instance
  }
  return {
    next: take,
    async killOne(isReady) {
      const instance = take()
      await until('an instance that can be killed', () => isReady(instance), POLL_MS)
      living.splice(living.indexOf(instance), 1)
      instance.killedAt = performance.now()
      kills++
      await instance.server.kill()
      living.push(await add())
    },
    kills: () => kills,
    any: () => take().server,
  }
}
