import { test } from 'vitest'
import { startServer, type ServerProcess } from './process.ts'

const SETTINGS = { DRAGOMAN_LOG: 'silent', DRAGOMAN_DOWNLOADS: 'off' }

/** Started once for all files of a worker, when the first of them needs it: a new server runs all of its code cold. */
const shared = test
  .extend('standard', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await startServer(SETTINGS)
    onCleanup(() => server.stop())
    return server
  })
  .extend('refusing', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const server = await startServer({ ...SETTINGS, DRAGOMAN_UNSUPPORTED_FIELDS: 'refuse' })
    onCleanup(() => server.stop())
    return server
  })

/**
 * A server with only the simulator, which files share. It is for tests that do not change it or read what it prints, and that send at most a
 * wrong key or two: the answers to an address with five within a minute are slowed down.
 */
export function useServer(): () => ServerProcess {
  let server: ServerProcess | undefined
  shared.beforeAll(({ standard }) => void (server = standard))
  return () => started(server)
}

/** The same server, but it refuses unsupported fields. */
export function useRefusingServer(): () => ServerProcess {
  let server: ServerProcess | undefined
  shared.beforeAll(({ refusing }) => void (server = refusing))
  return () => started(server)
}

function started(server: ServerProcess | undefined): ServerProcess {
  if (server === undefined) throw new Error('The server has not been started.')
  return server
}
