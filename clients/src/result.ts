import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Client, Installed, SceneResult } from './client.ts'
import { cellsOf } from './scenarios.ts'

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
  /** The runs that only this client has. */
  readonly scenes?: readonly SceneResult[] | undefined
}

export const RESULTS = join(import.meta.dirname, '../results')

export function describeCell({ scenario, upstream, stream }: Cell): string {
  return `${scenario} to ${upstream}${stream ? '' : ', not streamed'}`
}

/** The recorded results of a client with these versions. */
export function recordedResults({ name }: Client, { versions }: Installed): readonly Result[] {
  const recorded = readResult(name)
  return recorded !== undefined && JSON.stringify(recorded.versions) === JSON.stringify(versions)
    ? recorded.results
    : []
}

export function readResult(name: string): RecordedClient | undefined {
  const file = join(RESULTS, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RecordedClient) : undefined // written by writeResult
}

/** Results of the same versions that were not tried again are kept. */
export function writeResult(
  client: Client,
  installed: Installed,
  tried: readonly Result[],
  scenes: RecordedClient['scenes'],
): void {
  const { name } = client
  const known = new Map(
    [...recordedResults(client, installed), ...tried].map((result) => [describeCell(result), result]),
  )
  const results = cellsOf(client).flatMap((cell) => known.get(describeCell(cell)) ?? [])
  const recorded: RecordedClient = { versions: installed.versions, results, scenes }
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(recorded, null, 2)}\n`)
}
