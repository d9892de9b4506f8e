import type { Store } from '@dragoman/accounts'

/** What a command works with. */
export interface CommandContext {
  /** Opens the store of the configuration, once. */
  readonly store: () => Promise<Store>
  readonly write: (text: string) => void
  readonly now: () => number
  /** The width of the terminal; undefined if the output is not a terminal. */
  readonly columns: number | undefined
}

/** One command: `keys create`. */
export interface Command {
  /** What follows its name: `ID --overlap 1h`. */
  readonly usage: string
  readonly about: string
  run(this: void, args: readonly string[], context: CommandContext): Promise<void>
}

/** A mistake in the arguments. Only its message is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
