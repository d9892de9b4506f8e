import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The browser of this machine. */
export interface Browser {
  readonly path: string
  /** True if Chromium is not installed and the tests that need it may be skipped. With `CI` set they run, and fail. */
  readonly isSkipped: boolean
}

/** The browser that `DRAGOMAN_CHROMIUM` names, or the one in the path. Without one, says loudly what is not tested. */
export function findChromium(untested: string): Browser {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found =
    process.env['DRAGOMAN_CHROMIUM'] ??
    folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file))
  const isSkipped = found === undefined && process.env['CI'] === undefined
  if (isSkipped) process.stderr.write(`\n!!! NOT RUN: no chromium here, so this is not tested: ${untested} !!!\n`)
  return { path: found ?? 'chromium', isSkipped }
}
