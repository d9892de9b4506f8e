import type { Protocol } from '@dragoman/core'
import { collectWords } from './collect-words.ts'
import { findGaps } from './gaps.ts'
import type { Shape } from './shape.ts'

/** What a grammar does not know, by name, with the wires that have it. */
export type Findings = ReadonlyMap<string, readonly string[]>

/**
 * Compares what an SDK sends and reads in a protocol with our grammar, and the words of the grammar at run time with its types. `tools`
 * are the kinds of tools that the vendor defines, where they have no type of their own in the grammar.
 */
export function findInProtocol(protocol: Protocol, wires: ReadonlyMap<string, Shape>, tools?: Shape): Findings {
  const found = new Map<string, string[]>()
  const add = (name: string, wire: string) => void found.set(name, [...(found.get(name) ?? []), wire])
  const words = protocol.request.words?.() ?? new Map<string, boolean>()
  const { names, values } = collectWords(pairOf(wires.get(`${protocol.name} request`)).ours)
  for (const [wire, pair] of wires) {
    if (!wire.startsWith(`${protocol.name} `)) continue
    const { theirs, ours } = pairOf(pair)
    for (const gap of findGaps(theirs, ours)) add(gap.replace(DATE, ''), wire)
  }
  for (const kind of tools?.words ?? []) add(`tools=${kind.replace(DATE, '')}`, `${protocol.name} tool`)
  const here = `${protocol.name} words`
  for (const name of names) if (!words.has(name)) add(`unnamed ${name}`, here)
  for (const word of words.keys()) if (!names.has(word) && !values.has(word)) add(`word ${word}`, here)
  return found
}

/** Vendors add dates to the kinds of their tools. */
const DATE = /_20\d\d.*/

function pairOf(pair: Shape | undefined): { readonly theirs: Shape; readonly ours: Shape } {
  const members = pair?.objects[0]?.members
  const theirs = members?.get('theirs')?.shape()
  const ours = members?.get('ours')?.shape()
  if (theirs === undefined || ours === undefined) throw new Error('a wire is not a pair of types')
  return { theirs, ours }
}
