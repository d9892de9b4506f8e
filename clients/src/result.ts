import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Client, Installed } from './client.ts'

/** What was tried with a client, and what went wrong. */
export interface Result extends Cell {
  readonly problems: readonly string[]
  /** Why it failed as expected. */
  readonly fault?: string
}

/** The content of a file in results/. */
export interface RecordedClient {
  readonly versions: Installed['versions']
  readonly results: readonly Result[]
}

export const RESULTS = join(import.meta.dirname, '../results')

export function describeCell({ scenario, upstream, stream }: Cell): string {
  return `${scenario} to ${upstream}${stream ? '' : ', not streamed'}`
}

export function writeResult({ name }: Client, { versions }: Installed, results: readonly Result[]): void {
  const recorded: RecordedClient = { versions, results }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`)
}
