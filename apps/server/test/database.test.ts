import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '@dragoman/store-postgres'
import { startPostgres, type RunningPostgres } from '@dragoman/testkit/engines'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startDeafLink } from './deaf-link.ts'
import { startServer, type LogLine, type ServerProcess } from './process.ts'

let postgres: RunningPostgres
let database: string
let folder: string
let server: ServerProcess | undefined
let count = 0
const KEY = 'sk-of-the-configuration-0123456789'

beforeAll(async () => {
  postgres = await startPostgres(import.meta.resolve('@dragoman/store-postgres'))
  const { host, user } = postgres.connection
  database = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(host)}`
})
afterAll(() => postgres.stop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-database-'))
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a server with a configuration, and a schema of its own unless one is given. */
async function start(
  environment: { readonly [name: string]: string } = {},
  accounts: object = {},
): Promise<ServerProcess> {
  const config = join(folder, 'dragoman.json')
  writeFileSync(config, JSON.stringify({ accounts: { schema: `s${++count}`, ...accounts } }))
  server = await startServer(
    {
      DRAGOMAN_CONFIG: config,
      DRAGOMAN_DATABASE_URL: database,
      DRAGOMAN_DATA: join(folder, 'data'),
      DRAGOMAN_KEYS: KEY,
      DRAGOMAN_SIM: 'on',
      ...environment,
    },
    folder,
  )
  return server
}

describe('the first start with PostgreSQL', () => {
  it('makes an admin key, although there is no data folder yet', async () => {
    const { url, lines } = await start()
    const file = join(folder, 'data', 'admin-key')
    const secret = readFileSync(file, 'utf8').trim()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    const answer = await fetch(`${url}/admin/v1/keys`, { headers: { authorization: `Bearer ${secret}` } })
    expect(answer.status).toBe(200)
    expect(lines.join('\n')).not.toContain(secret)
  })
})

describe('a server whose database is away when it starts', () => {
  beforeEach(() => postgres.kill())
  afterEach(async () => {
    await postgres.kill()
    await postgres.restart()
  })

  it('refuses calls and is not ready, and goes on by itself when the database is back', async () => {
    const running = await start()
    const { url } = running
    await running.logged(saying('Calls are refused; it is tried again'))
    const refused = await call(url)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await refused.json()).toMatchObject({ error: { code: 'store_unavailable' } })
    expect((await call(url, 'dgm_0123456789')).status).toBe(401)
    expect(await readiness(url)).toEqual([503, { status: 'store unavailable' }])
    await postgres.restart()
    await running.logged(saying('is open'))
    await expect.poll(() => readiness(url)).toEqual([200, { status: 'ready' }])
    await expect.poll(async () => (await call(url)).status).toBe(200)
    await running.logged(saying('the first admin key is in'))
    await expect.poll(() => callsOf(url)).toBe(1)
  })

  it('with `serve` serves keys of the configuration, and records their calls when the database is back', async () => {
    const running = await start({}, { onLoss: 'serve' })
    const { url } = running
    await running.logged(saying('served without limits, and recorded later'))
    expect(await readiness(url)).toEqual([200, { status: 'ready' }])
    for (let calls = 0; calls < 3; calls++) expect((await call(url)).status).toBe(200)
    await postgres.restart()
    await running.logged(saying('the first admin key is in'))
    await expect.poll(() => callsOf(url)).toBe(3)
  })
})

it('a call that was refused while the database was away is not charged, although the server was killed then', async () => {
  const { host, user } = postgres.connection
  const link = await startDeafLink(host)
  onTestFinished(() => link.close())
  const schema = `s${++count}`
  const environment = { DRAGOMAN_DATABASE_URL: `postgres://${user}@localhost/postgres?host=${link.host}` }
  const first = await start(environment, { schema })
  expect((await call(first.url)).status).toBe(200)
  await expect.poll(() => callsOf(first.url)).toBe(1)
  link.breakAfterOpening()
  expect((await call(first.url)).status).toBe(503)
  first.signal('SIGKILL')
  await first.exited
  link.mend()
  const second = await start(environment, { schema })
  await second.logged(saying('1 calls that were refused before the last end are closed without a charge'))
  expect(readdirSync(join(folder, 'data')).filter((name) => name.startsWith('refused'))).toEqual([])
  // In a minute, everything that is left of the first server is charged.
  const later = { now: () => Date.now() + 60_000 }
  const store = await openPostgresStore({ connection: { ...postgres.connection }, schema, clock: later })
  onTestFinished(() => store.close())
  expect(await store.buryLost()).toBe(0)
  expect(await store.records('', 10)).toMatchObject([{ outcome: 'complete' }])
})

it.each([
  ['does not exist', (url: string) => url.replace('/postgres?', '/nowhere?')],
  ['is in the hands of another user', (url: string) => url.replace('dragoman@', 'nobody@')],
])('a server does not start with a database that %s', async (_, change) => {
  const started = start({ DRAGOMAN_DATABASE_URL: change(database) })
  await expect(started).rejects.toThrow('The server ended with 1 first.')
})

describe('the secrets of a server that shares its database', () => {
  it('are reported if they are only its own', async () => {
    const running = await start({ DRAGOMAN_KEYS: '' })
    const data = join(folder, 'data')
    expect(await running.logged(saying('local key'))).toMatchObject({
      level: 'warn',
      ['msg']: `the local key in ${data} is only of this instance: with several instances, the others refuse it. Set DRAGOMAN_KEYS, or keys in the configuration file`,
    })
    expect(await running.logged(saying('sealing key'))).toMatchObject({
      level: 'warn',
      ['msg']: `the sealing key in ${data} is only of this instance: with several instances, a video is found only at the one that has made it. Set DRAGOMAN_SEALING_KEYS, or server.sealingKeys in the configuration file`,
    })
  })

  it('are not reported if the operator has set them', async () => {
    const { lines } = await start({ DRAGOMAN_SEALING_KEYS: 'k'.repeat(32) })
    expect(lines.filter((line) => line.includes('only of this instance'))).toEqual([])
  })
})

function saying(text: string): (entry: LogLine) => boolean {
  return (entry) => String(entry['msg']).includes(text)
}

function call(url: string, key = KEY): Promise<Response> {
  return fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] }),
  })
}

async function readiness(url: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${url}/readyz`)
  return [answer.status, await answer.json()]
}

/** How many calls are in the books, by the first admin key. */
async function callsOf(url: string): Promise<number | undefined> {
  const secret = readFileSync(join(folder, 'data', 'admin-key'), 'utf8').trim()
  const answer = await fetch(`${url}/admin/v1/usage?by=key`, { headers: { authorization: `Bearer ${secret}` } })
  const { rows } = (await answer.json()) as { rows: readonly { calls: number }[] } // of the API
  return rows[0]?.calls
}
