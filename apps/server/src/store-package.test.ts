import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openStore as openSqlite } from '@dragoman/store-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleServer } from '../test/bundle.ts'
import { COMPILED, noteOf, startServer } from '../test/process.ts'

// A store package that is installed beside the configuration file, loaded by the real server.
const folder = mkdtempSync(join(tmpdir(), 'dragoman-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const SECRET = 'canary-of-the-database-1234'
const KEY = 'sk-of-the-configuration-0123456789'

/** A real store, of another package than the server's own. */
const GOOD = `import { openStore as openSqlite } from '@dragoman/store-sqlite'
import { existsSync } from 'node:fs'
export const isAway = (error) => error.code === 'AWAY'
export const openStore = async ({ file, password, waitFor }) => {
  if (waitFor !== undefined && !existsSync(waitFor)) throw Object.assign(new Error(password + ' is away'), { code: 'AWAY' })
  return { ...(await openSqlite({ file })), title: 'Acme' }
}
`

function install(name: string, code: string): void {
  const manifest = { name, version: '1.0.0', type: 'module', exports: './main.js' }
  write(`node_modules/${name}/package.json`, JSON.stringify(manifest))
  write(`node_modules/${name}/main.js`, code)
}

function write(file: string, content: string): string {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), content)
  return join(folder, file)
}

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@dragoman'), { recursive: true })
  for (const name of ['accounts', 'store-sqlite'])
    symlinkSync(join(import.meta.dirname, '../../../packages', name), join(folder, 'node_modules/@dragoman', name))
  install('@acme/dragoman-store', GOOD)
})

function configure(name: string, store: unknown, accounts: object = {}): string {
  return write(`${name}.json`, JSON.stringify({ accounts: { store, ...accounts } }))
}

function variablesOf(file: string) {
  return {
    DRAGOMAN_CONFIG: file,
    DRAGOMAN_DATA: join(folder, 'data'),
    DRAGOMAN_KEYS: KEY,
    DRAGOMAN_SIM: 'on',
    ACME_PASSWORD: SECRET,
  }
}

async function call(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await answer.text()
  return answer.status
}

describe('a store package', () => {
  it.each([
    ['that is installed beside the configuration file', '@acme/dragoman-store'],
    ['that is a file', './node_modules/@acme/dragoman-store/main.js'],
  ])('%s keeps keys and usage of the server', async (_where, specifier) => {
    const file = join(folder, `${specifier.length}.db`)
    const server = await startServer(variablesOf(configure('good', { package: specifier, options: { file } })))
    expect(await call(server.url)).toBe(200)
    await server.stop()
    const store = openSqlite({ file })
    try {
      expect(await store.records('', 10)).toMatchObject([{ model: 'sim/chat-1', outcome: 'complete' }])
    } finally {
      await store.close()
    }
  })

  it('is opened later if it says that its database cannot be reached now', async () => {
    const waitFor = join(folder, 'is-there')
    const options = { file: join(folder, 'late.db'), password: '${ACME_PASSWORD}', waitFor }
    const server = await startServer(variablesOf(configure('away', { package: '@acme/dragoman-store', options })))
    try {
      expect(await call(server.url)).toBe(503)
      const note = await server.logged((entry) => noteOf(entry).includes('cannot open the store'))
      expect(noteOf(note)).toBe(
        'accounts.store.package cannot open the store: [secret] is away. Calls are refused; it is tried again',
      )
      writeFileSync(waitFor, '')
      await expect.poll(() => call(server.url), { timeout: 60_000, interval: 100 }).toBe(200)
    } finally {
      await server.stop()
    }
    expect(server.lines.join('\n')).not.toContain('canary')
  })

  it.each([
    [
      'is not installed',
      undefined,
      /^dragoman: accounts\.store\.package cannot be found from \S+: ERR_MODULE_NOT_FOUND$/,
    ],
    ['is not JavaScript', 'export const = 1', /accounts\.store\.package cannot be loaded: Unexpected token/],
    ['has another export', 'export const open = 1', /accounts\.store\.package exports no function openStore$/],
    [
      'fails',
      'export const openStore = ({ password }) => { throw new Error(`${password} is wrong\nat all`) }',
      /accounts\.store\.package cannot open the store: \[secret\] is wrong$/,
    ],
    [
      'returns nothing',
      'export const openStore = () => undefined',
      /accounts\.store\.package has an openStore that returns no store: it lacks title, findKey, key, .*, close$/,
    ],
    [
      'lacks methods',
      GOOD.replace("title: 'Acme'", "title: 'Acme', buryLost: undefined, audits: 1"),
      /accounts\.store\.package has an openStore that returns no store: it lacks buryLost, audits$/,
    ],
  ])('that %s keeps the server from starting, and the reason is told', async (why, code, line) => {
    const name = `@acme/${why.replaceAll(' ', '-')}`
    if (code !== undefined) install(name, code)
    const options = { file: join(folder, 'failing.db'), password: '${ACME_PASSWORD}' }
    const failed = await fail(configure(why.replaceAll(' ', '-'), { package: name, options }))
    expect(failed.errors.trimEnd().split('\n')).toEqual([expect.stringMatching(line)])
    expect(failed.errors).not.toContain('canary')
    expect(failed.code).toBe(1)
  })

  it('takes its options from its entry, not from the members of other stores', async () => {
    const members = { file: 'text', postgres: '${ACME_PASSWORD}', schema: 'text', redis: '${ACME_PASSWORD}' }
    const { errors } = await fail(configure('not-own', { package: '@acme/dragoman-store' }, members))
    for (const member of Object.keys(members))
      expect(errors).toContain(
        `accounts.${member} is not for a store that comes in a package: use accounts.store.options.`,
      )
  })

  it.each([
    ['mysql', 'accounts.store must be one of sqlite, postgres, memory, or an object with a package\n'],
    [{}, 'accounts.store.package is required\n'],
    [{ package: '@acme/dragoman-store', url: 'x' }, 'accounts.store.url is unknown\n'],
  ])('is a name or a package, and nothing else: %j', async (store, line) => {
    const { errors, code } = await fail(configure('wrong', store))
    expect(errors).toContain(line)
    expect(code).toBe(1)
  })

  it('is replaced by the variable for another store', async () => {
    const file = configure('variable', { package: '@acme/missing' })
    const server = await startServer({ ...variablesOf(file), DRAGOMAN_STORE: 'memory' })
    expect(await call(server.url)).toBe(200)
    await server.stop()
  })

  it('is used by the command as well', async () => {
    const file = join(folder, 'command.db')
    const config = configure('command', { package: '@acme/dragoman-store', options: { file } })
    const { command } = await bundleServer()
    const child = spawn(process.execPath, [command, 'keys', 'create', '--name', 'team'], {
      env: { PATH: process.env['PATH'], ...variablesOf(config), ...COMPILED },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect(await text(child.stdout)).toContain('dgm_')
    const store = openSqlite({ file })
    expect(await store.keysSince(0, 10)).toMatchObject([{ name: 'team' }])
    await store.close()
  })
})

async function fail(file: string): Promise<{ readonly code: number; readonly errors: string }> {
  const { main } = await bundleServer()
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DRAGOMAN_OLLAMA: 'off',
      DRAGOMAN_DRAIN_SECONDS: '0',
      ...variablesOf(file),
      ...COMPILED,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // It has started, which it must not.
  server.stdout.once('data', () => server.kill())
  const [errors, [code]] = await Promise.all([text(server.stderr), once(server, 'exit') as Promise<[number]>])
  return { code, errors }
}
