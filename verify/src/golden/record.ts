import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from './input.ts'
import type { Outputs } from './outputs.ts'

/** The hashes of all outputs: for each kind of input the names of its outputs, then one line for each input. */
const RECORD = join(import.meta.dirname, 'record.txt')

/** The record of one input: a hash for each output. */
export type Hashes = ReadonlyMap<string, string>

/** By the id of the input. */
export type Recorded = ReadonlyMap<string, Hashes>

export function readRecord(): Recorded {
  return parseRecord(readFileSync(RECORD, 'utf8'))
}

export function writeRecord(inputs: readonly Input[], made: Recorded): void {
  writeFileSync(RECORD, formatRecord(inputs, made))
}

export function hashesOf(outputs: Outputs): Hashes {
  return new Map([...outputs].map(([name, text]) => [name, hashOf(text)]))
}

/** 36 bits: two outputs that differ have the same hash once in 70 billion times. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6)
}

export function formatRecord(inputs: readonly Input[], made: Recorded): string {
  const kinds = Map.groupBy(inputs, ({ kind }) => kind)
  const chapters = [...kinds].map(([kind, members]) => {
    const [first] = members.map(({ id }) => made.get(id))
    const lines = members.map(({ id }) => [id, ...(made.get(id)?.values() ?? [])].join(' '))
    return [`# ${kind} ${[...(first?.keys() ?? [])].join(' ')}`, ...lines].join('\n')
  })
  return `${chapters.join('\n')}\n`
}

export function parseRecord(text: string): Recorded {
  const recorded = new Map<string, Hashes>()
  let names: readonly string[] = []
  for (const line of text.trimEnd().split('\n')) {
    const [id = '', ...rest] = line.split(' ')
    if (id === '#') names = rest.slice(1)
    else recorded.set(id, new Map(rest.map((hash, index) => [names[index] ?? '', hash])))
  }
  return recorded
}

/** One output that differs from the record. */
export interface Difference {
  readonly id: string
  /** Undefined if the input is new, or was removed. */
  readonly output?: string
  readonly what: 'differs' | 'is not recorded' | 'is recorded, but not made'
}

export function compare(recorded: Recorded, made: Recorded): Difference[] {
  const ids = new Set([...recorded.keys(), ...made.keys()])
  return [...ids].flatMap((id): Difference[] => {
    const before = recorded.get(id)
    const now = made.get(id)
    if (before === undefined) return [{ id, what: 'is not recorded' }]
    if (now === undefined) return [{ id, what: 'is recorded, but not made' }]
    return compareHashes(id, before, now)
  })
}

function compareHashes(id: string, before: Hashes, now: Hashes): Difference[] {
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((output): Difference[] => {
    if (before.get(output) === now.get(output)) return []
    if (!before.has(output)) return [{ id, output, what: 'is not recorded' }]
    if (!now.has(output)) return [{ id, output, what: 'is recorded, but not made' }]
    return [{ id, output, what: 'differs' }]
  })
}
