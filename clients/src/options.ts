import type { Cell } from './client.ts'
import { parseArgs } from 'node:util'

export interface Options {
  /** Beginnings of client names. Empty: all clients. */
  readonly only: readonly string[]
  /** Whether to run a cell. */
  readonly wants: (cell: Cell) => boolean
  readonly keep: boolean
  readonly record: boolean
  /** Only what is not recorded with these versions. */
  readonly missing: boolean
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      scenario: { type: 'string' },
      upstream: { type: 'string' },
      keep: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      missing: { type: 'boolean', default: false },
    },
  })
  const { scenario, upstream, only, keep, record, missing } = values
  return {
    only,
    keep,
    record,
    missing,
    wants: (cell) =>
      (scenario === undefined || cell.scenario === scenario) && (upstream === undefined || cell.upstream === upstream),
  }
}
