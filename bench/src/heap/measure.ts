import { runPass } from '../passes.ts'
import { listCases } from './cases.ts'
import { compare, type Figures } from './compare.ts'
import { growthOf, WINDOW_FLAGS } from './growth.ts'
import { plant } from './plant.ts'

/**
 * Code is optimized after a number of calls instead of when another thread has time for it: optimized code allocates less, and a busy
 * machine must not change the figure.
 */
const FLAGS = [...WINDOW_FLAGS, '--no-concurrent-recompilation']

/** Windows of warm-up, because code that is not optimized yet allocates more. */
const WARM_UP = 6

/** How often a case is tried: a bad result of the compiler is rare, but worse code is worse every time. */
const ATTEMPTS = 3
/** Processes at the same time; nothing is timed. */
const AT_ONCE = 2

/** Measures cases, each in its own process, again while a figure is above its record. */
export async function measureCases(names: readonly string[], recorded: Figures): Promise<Figures> {
  const waiting = [...names]
  const found: Record<string, number> = {}
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      found[name] = await leastOf(name, recorded)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return Object.fromEntries(names.map((name) => [name, found[name] ?? NaN]))
}

async function leastOf(name: string, recorded: Figures): Promise<number> {
  let least = Infinity
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    least = Math.min(least, await measureCase(name))
    if (compare(name, least, recorded) !== 'MORE') break
  }
  return least
}

/** Runs one case in its own Node process. Planted bytes are allocated with each operation. */
export async function measureCase(name: string, plantedBytes = 0): Promise<number> {
  const args = ['heap-case', name, String(plantedBytes)]
  return (await runPass(args, { flags: FLAGS, core: 'any' })) as number // printed below
}

export async function printCase(name: string, plantedBytes: number): Promise<void> {
  const found = listCases().find((each) => each.name === name)
  if (found === undefined) throw new Error(`No case ${name}.`)
  const { operations, prepare } = found
  console.log(await growthOf(plant(prepare(), plantedBytes), { operations, warmUp: WARM_UP }))
}
