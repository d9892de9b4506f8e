import { runPass } from '../passes.ts'
import { listCases, type HeapCase } from './cases.ts'
import { SHORT, type Figures } from './compare.ts'
import { growthOf, WINDOW_FLAGS } from './growth.ts'
import { plant } from './plant.ts'
import { readRecords, recordedFigures } from './records.ts'

/**
 * No code is optimized. It allocates the same from its first calls on, in whichever process and beside whichever other cases, so a few calls
 * are enough. One thread: what another one frees or compiles would be counted by chance.
 */
const FLAGS = [...WINDOW_FLAGS, '--no-sparkplug', '--no-maglev', '--no-opt', '--single-threaded']

/** The part of a case's operations that is enough here. */
const PART = 1 / 25
/** The first calls fill caches, and V8 allocates where it counts calls. */
const WARM_UP = 2

/** The figures of the short form. */
export function shortNames(): string[] {
  return gatewayCases().map(({ name }) => `${SHORT}${name}`)
}

/** Measures all calls through the gateway in one process. A share of each recorded figure is planted. */
export async function measureShort(planted = 0): Promise<Figures> {
  return (await runPass(['heap-short', String(planted)], { flags: FLAGS, core: 'any' })) as Figures // printed below
}

export async function printShort(planted: number): Promise<void> {
  const recorded = recordedFigures(readRecords())
  const figures: Record<string, number> = {}
  for (const { name, operations, prepare } of gatewayCases()) {
    const operation = plant(prepare(), planted * ((recorded[name] ?? 0) / 1000))
    figures[`${SHORT}${name}`] = await growthOf(operation, { operations: operations * PART, warmUp: WARM_UP })
  }
  console.log(JSON.stringify(figures))
}

function gatewayCases(): HeapCase[] {
  return listCases().filter(({ name }) => name.startsWith('gateway '))
}
