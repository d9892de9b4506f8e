import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, stop, type OutputFile, type Plugin } from 'esbuild'

/** The server as a process of a test, from its sources. */
export const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
const MAIN = join(import.meta.dirname, '../src/main.ts')
const COMMAND = join(import.meta.dirname, '../src/dragoman.ts')
/** A server starts one to three of them, and each loads hundreds of sources too. */
const THREADS = [
  join(import.meta.dirname, '../src/sim-thread.ts'),
  join(import.meta.dirname, '../../../packages/gateway-node/src/work-thread.ts'),
  join(import.meta.dirname, '../../../packages/store-sqlite/src/node/thread.ts'),
]

/** The entries in a few files each. */
export interface Bundle {
  /** The server as a process of a test. */
  readonly child: string
  /** The server alone. */
  readonly main: string
  readonly command: string
}

const CACHE = join(import.meta.dirname, '../node_modules/.cache/bundled-by-tests')
/** How long a bundle is kept that no test has used. */
const UNUSED_MS = 86_400_000

let made: Promise<Bundle> | undefined

/**
 * The server and the command, bundled once for all tests of this process: a start that loads 900 modules takes three times the CPU time of one
 * that loads a few files.
 */
export function bundleServer(): Promise<Bundle> {
  return (made ??= makeBundle())
}

async function makeBundle(): Promise<Bundle> {
  const { outputFiles } = await build({
    entryPoints: [CHILD, MAIN, COMMAND, ...THREADS],
    outdir: CACHE,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
    plugins: [likeSources],
  })
  // Its process would keep that of the tests.
  await stop()
  const folder = keep(outputFiles)
  removeUnused()
  const inFolder = (entry: string): string => join(folder, basename(entry).replace(/ts$/, 'mjs'))
  return { child: inFolder(CHILD), main: inFolder(MAIN), command: inFolder(COMMAND) }
}

/** Writes them to a folder that is named after their content: Node finds them compiled, and no process reads half of them. */
function keep(files: readonly OutputFile[]): string {
  const hash = createHash('sha256')
  for (const { path, hash: content } of files) hash.update(path).update(content)
  const folder = join(CACHE, `server-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) {
    mkdirSync(CACHE, { recursive: true })
    const unfinished = mkdtempSync(join(CACHE, 'unfinished-'))
    for (const { path, contents } of files) writeFileSync(join(unfinished, basename(path)), contents)
    try {
      renameSync(unfinished, folder)
    } catch (error) {
      // Another worker was faster.
      rmSync(unfinished, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  utimesSync(folder, new Date(), new Date())
  return folder
}

function removeUnused(): void {
  const oldest = Date.now() - UNUSED_MS
  for (const folder of readdirSync(CACHE).map((name) => join(CACHE, name))) {
    const usedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? oldest
    if (usedMs < oldest) rmSync(folder, { recursive: true, force: true })
  }
}

/** How a module names the file of its thread. */
const THREAD_URL = /new URL\(.*'\.\/([\w-]+)\.ts'.*, import\.meta\.url\)/
const THREAD_NAMES = THREADS.map((file) => basename(file, '.ts'))

/** Modules find files and packages where their sources find them. Packages of others stay outside, but for the many modules of Zod. */
const likeSources: Plugin = {
  name: 'like-sources',
  setup(bundler) {
    bundler.onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (pluginData === likeSources || /^(?:node:|@dragoman\/|zod(?:\/|$))/.test(path)) return undefined
      const found = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: likeSources })
      return { path: found.path, external: true }
    })
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes('import.meta.')) return undefined
      const [expression = '', thread = ''] = THREAD_URL.exec(source) ?? []
      const contents = THREAD_NAMES.includes(thread)
        ? source.replace(expression, `new URL('./${thread}.mjs', import.meta.url)`)
        : source
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
            .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    })
  },
}
