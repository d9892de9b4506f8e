/** The first eight bits of SQLite's error codes that people can do something about. */
const BUSY = 5
const ADVICE_OF: { readonly [code: number]: string } = {
  [BUSY]: 'another process has locked the file for too long',
  8: 'the file cannot be written: check its permissions and those of its folder',
  10: 'the disk has failed to read or write',
  11: 'the file is damaged: restore a backup',
  13: 'there is no room left on the disk, or in the limit maxBytes. Nothing was changed; it works again when there is room',
  14: 'the file cannot be opened: check its folder and permissions',
  26: 'the file is no SQLite database',
}

/** Whether another connection is writing, so that trying again helps. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY
}

/** An error with the name of the database, and with advice if it is one of SQLite. */
export function explain(title: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined)
    return error instanceof Error ? new Error(`${title}: ${error.message}`, { cause: error }) : error
  const advice = ADVICE_OF[code] ?? (error instanceof Error ? error.message : String(error))
  return Object.assign(new Error(`${title}: ${advice}`, { cause: error }), { errcode: code })
}

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return typeof error.errcode === 'number' ? error.errcode % 256 : undefined
}
