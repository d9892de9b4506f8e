import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { startPostgres } from '@dragoman/testkit/engines'
import { startUpstream, type AuditUpstream } from '../upstream/start-upstream.ts'
import { dumpPostgres } from './dump-postgres.ts'
import type { Expected } from './expected.ts'
import { fill } from './fill.ts'
import { serverDeployment, workerDeployment } from './deployment.ts'
import { KEPT } from './restore.ts'

/** Keeps what the version of a checkout writes, in a folder with the name of its commit. */
export async function keepVersion(checkout: string): Promise<string> {
  const root = resolve(checkout)
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const folder = join(KEPT, commit)
  const work = mkdtempSync(join(tmpdir(), 'dragoman-keep-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    for (const [kind, keep] of Object.entries(KEEPERS)) {
      const upstream = await startUpstream()
      try {
        const expected = await keep({ root, upstream, work: join(work, kind), folder: join(folder, kind) })
        writeFileSync(join(folder, kind, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`)
      } finally {
        await upstream.close()
      }
    }
    keepConfiguration(root, folder)
    return folder
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 9 })
  }
}

interface Keeping {
  readonly root: string
  readonly upstream: AuditUpstream
  readonly work: string
  readonly folder: string
}

const KEEPERS: Readonly<Record<string, (keeping: Keeping) => Promise<Expected>>> = {
  async sqlite({ root, upstream, work, folder }) {
    const expected = await fill(serverDeployment({ root, upstream: upstream.url, data: work }), upstream)
    keepFiles(work, folder)
    return expected
  },
  async postgres({ root, upstream, work, folder }) {
    const postgres = await startPostgres(import.meta.url)
    try {
      const { connection } = postgres
      const expected = await fill(
        serverDeployment({ root, upstream: upstream.url, data: work, postgres: connection }),
        upstream,
      )
      keepFiles(work, folder)
      const sql = await dumpPostgres(connection, root)
      writeFileSync(join(folder, 'dump.sql.br'), brotliCompressSync(sql))
      return expected
    } finally {
      await postgres.stop()
    }
  },
  async worker({ root, upstream, work, folder }) {
    mkdirSync(work)
    const expected = await fill(workerDeployment({ root, upstream: upstream.url, folder: work }), upstream)
    keepFiles(work, folder)
    return expected
  },
}

/** SQLite makes its index of the log again, and the cache of workerd is not our data. */
const SKIPPED = /-shm$|\/cache\//

/** Copies all files of a folder, those of databases compressed. */
function keepFiles(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || SKIPPED.test(join(entry.parentPath, entry.name))) continue
    const file = join(entry.parentPath, entry.name)
    const copy = join(to, 'files', relative(from, file))
    mkdirSync(join(copy, '..'), { recursive: true })
    if (entry.name.endsWith('-key')) cpSync(file, copy)
    else writeFileSync(`${copy}.br`, brotliCompressSync(readFileSync(file)))
  }
}

/** The example of the documentation, which has every member: a test of that version says so. */
function keepConfiguration(root: string, folder: string): void {
  const file = join(root, 'docs/configuration.md')
  if (!existsSync(file)) return
  const [, example = ''] = /```yaml\n([\s\S]+?)```/.exec(readFileSync(file, 'utf8')) ?? []
  writeFileSync(join(folder, 'dragoman.config.yaml'), example)
}
