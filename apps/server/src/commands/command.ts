import type { Store } from '@dragoman/accounts'

/** Calls the admin API at a path under its base, and returns what it answers. Throws a `CommandError` with the reason of a refusal. */
export type AdminClient = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<unknown>

/** What a command works with. */
export interface CommandContext {
  /** Calls the admin API of a running gateway, or of the store of the configuration. */
  readonly admin: AdminClient
  /** Opens the store of the configuration, once; undefined if the command works with a running gateway. */
  readonly store: (() => Promise<Store>) | undefined
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

/** A mistake in the arguments, or a refusal. Only its message is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
