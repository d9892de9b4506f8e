import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const FLAGS = ['-U', 'dragoman', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C', '--wal-segsize=1']

/** The user that runs PostgreSQL, if it is not the one of this process. */
export interface Owner {
  readonly uid?: number
  readonly gid?: number
}

export interface ClusterOptions {
  readonly initdb: string
  readonly owner: Owner
  /** Where new clusters are kept, so that the next one is a copy: making one takes ten times the CPU time. */
  readonly cache: string
}

/** Fills an empty folder, which belongs to the owner, with a new cluster. */
export async function createCluster(data: string, { initdb, owner, cache }: ClusterOptions): Promise<void> {
  const { stdout } = await run(initdb, ['--version'], owner)
  const name = createHash('sha256')
    .update([stdout, ...FLAGS].join(' '))
    .digest('hex')
    .slice(0, 16)
  const kept = join(cache, `postgres-${name}`)
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true })
    giveTo(owner, data)
    return
  }
  await run(initdb, ['-D', data, ...FLAGS], owner)
  keep(data, cache, kept)
}

/** Copies a cluster into the cache. It appears there complete, and only the first of several processes keeps its own. */
function keep(data: string, cache: string, kept: string): void {
  mkdirSync(cache, { recursive: true })
  const copy = mkdtempSync(`${kept}-`)
  cpSync(data, copy, { recursive: true })
  try {
    renameSync(copy, kept)
  } catch (error) {
    rmSync(copy, { recursive: true })
    if (!existsSync(kept)) throw error
  }
}

function giveTo({ uid, gid }: Owner, folder: string): void {
  if (uid === undefined || gid === undefined) return
  chownSync(folder, uid, gid)
  for (const path of readdirSync(folder, { recursive: true })) chownSync(join(folder, String(path)), uid, gid)
}
