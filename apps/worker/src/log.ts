import type { Log } from '@dragoman/gateway'

/** One structured line per answer, as the platform collects them. Says where something was lost, never what. */
export function createLog(): Log {
  return {
    write({ losses, error, ...entry }) {
      const lost = losses.map(({ kind, path, reason }) => `${kind} ${path.join('.')}: ${reason}`)
      // oxlint-disable-next-line no-console -- the log of this platform is the console
      console.log(
        JSON.stringify({ ...entry, losses: lost, error: error && { kind: error.kind, message: error.message } }),
      )
    },
  }
}
