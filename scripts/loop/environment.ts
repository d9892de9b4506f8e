import { delimiter, join } from 'node:path'

/** The variables that a check may see: its result must not depend on the keys and settings of the person who runs it. */
const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TERM|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|CI|DISPLAY|LD_LIBRARY_PATH|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|DRAGOMAN_\w+|XDG_\w+|PNPM_HOME|npm_config_\w+|DO_NOT_TRACK|\w+_TELEMETRY_DISABLED)$/

/** The environment of a check that runs in a folder. */
export function environmentOf(given: NodeJS.ProcessEnv, directory: string): NodeJS.ProcessEnv {
  const passed = Object.fromEntries(Object.entries(given).filter(([name]) => PASSED.test(name)))
  return { ...passed, PATH: [join(directory, 'node_modules/.bin'), given['PATH']].join(delimiter) }
}

/** What a result depends on beside files: the runtime, and variables that change what tests do. */
export function conditionsOf(given: NodeJS.ProcessEnv): string {
  const variables = Object.entries(given).filter(([name]) => /^(?:NODE_OPTIONS|DRAGOMAN_\w+)$/.test(name))
  const sorted = variables.map(([name, value]) => `${name}=${value}`).sort()
  return [process.version, process.platform, process.arch, ...sorted].join(' ')
}
