import type { Cell } from './client.ts'
import type { Received } from '@dragoman/testkit'
import type { Exchange } from './recorder.ts'
import type { Ended } from './run-command.ts'

/** Everything that can be seen of one run. */
export interface Observed {
  readonly cell: Cell
  readonly ended: readonly Ended[]
  readonly exchanges: readonly Exchange[]
  readonly received: readonly Received[]
  readonly refused: readonly string[]
  /** Whether the upstream's connection was closed before its stream was complete. */
  readonly hungUp: boolean
  readonly folder: string
  /** The file that editors edit, at the end. */
  readonly file: string
}
