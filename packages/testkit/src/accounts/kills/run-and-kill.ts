import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { samples } from '../../laws/runs.ts'
import { sendCall } from './client.ts'
import type { FleetInstance } from './fleet.ts'
import type { KillWorld } from './kill-world.ts'
import { plans } from './plan.ts'
import { until } from './until.ts'

export const INSTANCES = 3

/** Which instance is killed, and how long after one of its calls was seen. */
const victims = fc.record({ slot: fc.nat(INSTANCES - 1), waitMs: fc.nat(150) })

/**
 * Each instance has one client for each of the secrets, which sends one call after the other, while instances are killed and replaced.
 * Ends after the kills, when `isDone`: it gets the different ends of calls, with their secrets.
 */
export async function runAndKill(
  world: KillWorld,
  secrets: readonly string[],
  many: number,
  isDone: (ends: ReadonlySet<string>) => Promise<boolean>,
): Promise<void> {
  const slots = [await world.start(), ...(await Promise.all([world.start(), world.start()]))]
  const ends = new Set<string>()
  const script = samples(plans, 500)
  let next = 0
  const run = { isOver: false }
  const client = async (slot: number, secret: string): Promise<void> => {
    while (!run.isOver) {
      const plan = script[next++ % script.length]
      const instance = slots[slot]
      if (plan === undefined || instance === undefined) return
      const end = await sendCall(instance.url, secret, plan)
      ends.add(`${end} ${secret}`)
      // Refused calls and calls to a dead instance end at once: clients wait as long as a call takes.
      if (end !== 200) await pause(plan.delayMs)
    }
  }
  const isBusy = ({ pid }: FleetInstance): boolean =>
    world.upstream.seen.some((attempt) => attempt.pid === pid && attempt.state === 'running')
  const clients = slots.flatMap((_, slot) => secrets.map((secret) => client(slot, secret)))
  try {
    for (const { slot, waitMs } of samples(victims, many)) {
      const instance = slots[slot]
      if (instance === undefined) continue
      await until('calls of the instance to be killed', () => isBusy(instance))
      await pause(waitMs)
      await world.kill(instance)
      slots[slot] = await world.start()
    }
    await until('budgets and limits to be reached', () => isDone(ends))
  } finally {
    run.isOver = true
    await Promise.all(clients)
  }
}
