import { UnstorableError } from '@dragoman/accounts/store'

/** The first eight bits of SQLite's error codes for which there is advice. */
const BUSY = 5
const ADVICE_OF: { readonly [code: number]: string } = {
  [BUSY]: 'another process has locked the file for too long',
  8: 'the file cannot be written: check its permissions and those of its folder',
  10: 'the disk has failed to read or write',
  11: 'the file is damaged: restore a backup',
  13: 'there is no room left on the disk, or in the limit maxBytes. Nothing was changed; it works again when there is room',
  14: 'the file cannot be opened: check its folder and permissions',
  26: 'the file is not an SQLite database',
}

/** A value is too large, violates a constraint, or has the wrong type: it will be refused whenever it is sent. */
const UNSTORABLE = new Set([18, 19, 20, 25])

/** Whether another connection is writing, so that trying again helps. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY
}

/** An error with the name of the database, and with advice if it is one of SQLite. */
export function explain(title: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = codeOf(error)
  const message = `${title}: ${(code === undefined ? undefined : ADVICE_OF[code]) ?? error.message}`
  const isUnstorable = code === undefined ? isWrongArgument(error) : UNSTORABLE.has(code)
  const named = isUnstorable ? new UnstorableError(message, { cause: error }) : new Error(message, { cause: error })
  return code === undefined ? named : Object.assign(named, { errcode: code })
}

/** The code of the module `node:sqlite` for values that SQLite has no type for. */
function isWrongArgument(error: Error): boolean {
  return 'code' in error && /^ERR_(INVALID_ARG|OUT_OF_RANGE)/.test(String(error.code))
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode % 256 : undefined
}
