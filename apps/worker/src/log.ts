import { entryText, type Log } from '@dragoman/gateway'

/** One structured line per answer, as the platform collects them. */
export function createLog(): Log {
  return {
    // oxlint-disable-next-line no-console -- the log of this platform is the console
    write: (entry) => console.log(`{${entryText(entry)}}`),
  }
}
