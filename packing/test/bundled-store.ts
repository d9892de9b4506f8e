import { findRedis, startPostgres, startRedis } from '@dragoman/testkit/engines'
import { batch } from '@dragoman/testkit/stores'
import { build } from 'esbuild'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './pack.ts'
import type { Project, Ran } from './project.ts'

/** Opens the store twice, so that its tables are made and found, and commits a batch, which runs the scripts of both databases. */
const PROGRAM = `import { openPostgresStore } from '@dragoman/store-postgres'
const { batch, ...options } = JSON.parse(process.argv[2] ?? '{}')
const main = async () => {
  await (await openPostgresStore(options)).close()
  const store = await openPostgresStore({ ...options, onError: (error) => console.log(error.message) })
  console.log(store.title)
  console.log(JSON.stringify((await store.commit(batch)).verdicts))
  await store.close()
}
void main()
`

/** Bundles the packed store for PostgreSQL with all packages that it needs into one file, and runs that file alone. */
export async function runBundledStore(project: Project): Promise<Ran> {
  project.write('bundled/program.ts', PROGRAM)
  const file = join(project.folder, 'bundled/alone/program.cjs')
  await build({
    entryPoints: [join(project.folder, 'bundled/program.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['pg-native'],
    logLevel: 'error',
  })
  const postgres = await startPostgres(pathToFileURL(join(ROOT, 'packages/store-postgres/package.json')).href)
  const program = findRedis('whether the scripts of Redis work in a bundle')
  const redis = program.isSkipped ? undefined : await startRedis(program)
  try {
    const options = { connection: postgres.connection, redis: redis?.socket, batch: batch() }
    return await project.run(process.execPath, file, JSON.stringify(options))
  } finally {
    await redis?.stop()
    await postgres.stop()
  }
}
