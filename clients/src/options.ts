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

export const USAGE = `npm run clients                        every client, newest versions
npm run clients -- --only <client>     one client, by the beginning of its name (repeat for more)
npm run clients -- --scenario <name> --upstream <protocol>
npm run clients -- --record            writes results/, fixtures/ and docs/clients.md
npm run clients -- --record --missing  only what is not recorded yet with the pinned versions
npm run clients -- --keep              keeps the temporary folders, with everything that was sent`

/** Undefined if only the usage is wanted. Throws if there is no such option. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      scenario: { type: 'string' },
      upstream: { type: 'string' },
      keep: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      missing: { type: 'boolean', default: false },
    },
  })
  const { help, scenario, upstream, only, keep, record, missing } = values
  if (help) return undefined
  return {
    only,
    keep,
    record,
    missing,
    wants: (cell) =>
      (scenario === undefined || cell.scenario === scenario) && (upstream === undefined || cell.upstream === upstream),
  }
}
