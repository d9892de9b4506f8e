import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { Store } from '@dragoman/accounts'
import { openSqliteStore } from '@dragoman/store-sqlite'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../src/commands/run-command.ts'
import { bundleServer } from './bundle.ts'
import { closedPort } from './closed-port.ts'
import { COMPILED, startServer, type ServerProcess } from './process.ts'

const run = promisify(execFile)

let folder: string
let server: ServerProcess
let admin: string

describe('a server at its first start', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
    server = await startServer({ DRAGOMAN_DATA: folder, DRAGOMAN_TRUSTED_PROXIES: '127.0.0.1' })
    admin = readFileSync(join(folder, 'admin-key'), 'utf8').trim()
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('writes the first admin key to a file that only its owner can read, and nowhere else', () => {
    expect(admin).toMatch(/^dgm_[0-9A-Za-z]{38}$/)
    expect(statSync(join(folder, 'admin-key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'dragoman.db')).mode & 0o077).toBe(0)
    expect(server.greeting).toContainEqual(expect.stringMatching(/^admin key {3}in .*admin-key/))
    expect(server.lines.join('\n')).not.toContain(admin)
  })

  it('has an admin key that manages keys and cannot call models', async () => {
    expect(await manage('GET', '/keys')).toMatchObject({ keys: [{ name: 'first admin', scopes: ['admin'] }] })
    expect(await statusOf(admin)).toBe(403)
    const { secret } = await manage('POST', '/keys', { name: 'both', scopes: ['inference', 'admin'] })
    expect(await statusOf(secret)).toBe(200)
  })

  it('says that an admin key was mistyped', async () => {
    const headers = { authorization: `Bearer ${admin.slice(0, -1)}` }
    const answer = await fetch(`${server.url}/admin/v1/keys`, { headers })
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { error: { code: 'no_admin_key', message: expect.stringContaining('mistyped') as string } },
    ])
  })

  it('counts explanations as requests, and records none', async () => {
    const { secret, key } = await manage('POST', '/keys', { name: 'asking', limits: { requestsPerMinute: 2 } })
    const statuses: number[] = []
    for (let times = 0; times < 3; times++) {
      const answer = await fetch(`${server.url}/explain/api/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] }),
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([200, 200, 429])
    expect(await manage('GET', `/usage?by=key&key=${key.id}`)).toMatchObject({ rows: [] })
  })

  it('serves keys that the admin API creates, with their models, limits and usage', async () => {
    const { secret, key } = await manage('POST', '/keys', {
      name: 'ci',
      owner: 'ann',
      models: ['sim/chat-1'],
      limits: { requestsPerMinute: 2 },
    })
    const client = new OpenAI({ apiKey: secret, baseURL: `${server.url}/api/v1`, maxRetries: 0 })
    const list = await client.models.list()
    expect(list.data.map(({ id }) => id)).toEqual(['sim/chat-1'])
    await expect(ask(client, 'sim/messages-1')).rejects.toMatchObject({ status: 403 })
    const { response } = await client.chat.completions
      .create({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] })
      .withResponse()
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('1')
    await ask(client, 'sim/chat-1')
    const refused: unknown = await ask(client, 'sim/chat-1').catch((error: unknown) => error)
    const seconds = refused instanceof RateLimitError ? Number(refused.headers.get('retry-after')) : 0
    expect(seconds).toBeGreaterThan(0)
    const id = response.headers.get('x-request-id') ?? ''
    await expect
      .poll(async () => (await manage('GET', `/records/${id}`)).record)
      .toMatchObject({
        id,
        key: key.id,
        owner: 'ann',
        model: 'sim/chat-1',
        protocol: 'chat',
        status: 200,
        outcome: 'complete',
        attempts: 1,
      })
    await expect
      .poll(async () => (await manage('GET', '/usage?by=owner&owner=ann')).rows)
      .toMatchObject([{ owner: 'ann', calls: 2, failed: 0 }])
  })

  it('shows the cost of a call to its own caller only', async () => {
    const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => manage('POST', '/keys', { name })))
    const client = new OpenAI({ apiKey: ann.secret, baseURL: `${server.url}/api/v1`, maxRetries: 0 })
    const { response } = await client.chat.completions
      .create({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] })
      .withResponse()
    const id = response.headers.get('x-request-id') ?? ''
    const look = async (secret: string, asked: string) => {
      const answer = await fetch(`${server.url}/api/v1/generation?id=${asked}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      return { status: answer.status, body: await answer.json() }
    }
    await expect.poll(async () => (await look(ann.secret, id)).status).toBe(200)
    expect((await look(ann.secret, id)).body).toMatchObject({
      data: { id, model: 'sim/chat-1', provider_name: 'sim', streamed: false, cancelled: false, total_cost: 0 },
    })
    const others = [await look(bob.secret, id), await look(admin, id), await look(ann.secret, `req_${'0'.repeat(32)}`)]
    for (const { status, body } of others) {
      expect(status).toBe(404)
      expect(Object.keys(body.error).toSorted((one, other) => one.localeCompare(other))).toEqual([
        'code',
        'message',
        'param',
        'type',
      ])
    }
    expect(new Set(others.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await look('sk-wrong', id)).toMatchObject({ status: 401, body: { error: { type: expect.any(String) } } })
    expect(await look(ann.secret, '../1')).toMatchObject({ status: 400 })
  })

  it('refuses a key within seconds of its end, and a secret that was rotated away', async () => {
    const { secret, key } = await manage('POST', '/keys', { name: 'short-lived' })
    const client = new OpenAI({ apiKey: secret, baseURL: `${server.url}/api/v1`, maxRetries: 0 })
    await ask(client, 'sim/chat-1')
    const { secret: next } = await manage('POST', `/keys/${key.id}/rotate`)
    await expect.poll(() => statusOf(secret)).toBe(401)
    expect(await statusOf(next)).toBe(200)
    await manage('PATCH', `/keys/${key.id}`, { disabled: true })
    await expect.poll(() => statusOf(next)).toBe(401)
    await manage('PATCH', `/keys/${key.id}`, { disabled: false })
    await expect.poll(() => statusOf(next)).toBe(200)
    await manage('DELETE', `/keys/${key.id}`)
    await expect.poll(() => statusOf(next)).toBe(401)
  })

  it('obeys the command, which writes to the same file', async () => {
    const { command } = await bundleServer()
    const { stdout } = await run(
      process.execPath,
      [command, 'keys', 'create', '--name', 'from the terminal'],
      environment(),
    )
    const [secret = ''] = /dgm_\w{38}/.exec(stdout) ?? []
    await expect.poll(() => statusOf(secret)).toBe(200)
    const listed = await run(process.execPath, [command, 'keys', 'list'], environment())
    expect(listed.stdout).toContain('from the terminal')
    const copy = join(folder, 'copy.db')
    await run(process.execPath, [command, 'backup', copy], environment())
    expect(readFileSync(copy).subarray(0, 15).toString()).toBe('SQLite format 3')
    await expect(run(process.execPath, [command, 'backup', copy], environment())).rejects.toMatchObject({
      code: 2,
      stderr: `dragoman: ${copy} exists already. Name a new file.\n`,
    })
  })

  it('obeys the command from elsewhere, with the same output', async () => {
    const elsewhere = { cwd: folder, env: { PATH: process.env['PATH'], DRAGOMAN_ADMIN_KEY: admin, ...COMPILED } }
    const { command } = await bundleServer()
    const { stdout } = await run(
      process.execPath,
      [command, 'keys', 'create', '--name', 'from far away', '--owner', 'eve', '--url', server.url],
      elsewhere,
    )
    const [secret = ''] = /dgm_\w{38}/.exec(stdout) ?? []
    await expect.poll(() => statusOf(secret)).toBe(200)
    const far = (...args: string[]) => outputOf(args, `--url=${server.url}`)
    await expect.poll(async () => (await far('usage', '--owner', 'eve')).output).toContain('total')
    const same = [
      ['keys', 'list'],
      ['keys', 'show', 'from far away'],
      ['usage', '--by', 'owner,model'],
      ['usage', '--format', 'csv'],
      ['export'],
    ]
    const store = openSqliteStore({ file: join(folder, 'dragoman.db') })
    for (const args of same) expect(await far(...args)).toEqual(await outputOf(args, undefined, undefined, store))
    await store.close()
    expect((await far('audit')).output).toMatch(/"actor":"key_first","action":"keys.create"/)
    const refused = [
      [await far('backup', 'copy.db'), 'A backup is made where the database is: leave --url out.'],
      [await outputOf(['keys'], `--url=${server.url}`, secret), 'This key does not have the scope "admin".'],
      [await outputOf(['keys'], `--url=${server.url}/api/v1`), 'No endpoint at /api/v1/admin/v1/keys.'],
      [await outputOf(['keys'], `--url=${await closedPort()}`), 'does not answer: ECONNREFUSED.'],
    ] as const
    for (const [{ code, complaint }, reason] of refused) {
      expect([code, complaint]).toEqual([2, expect.stringContaining(reason)])
      expect(complaint.trimEnd().split('\n')).toHaveLength(1)
    }
  })

  it('has no secret in its files, but for those of the first admin and the local key', async () => {
    const { secret } = await manage('POST', '/keys', { name: 'secret' })
    await statusOf(secret)
    for (const name of ['dragoman.db', 'dragoman.db-wal'])
      expect(readFileSync(join(folder, name)).includes(secret)).toBe(false)
    expect(server.lines.join('\n')).not.toContain(secret)
  })

  it('keeps keys and usage across a restart, and makes no second admin', async () => {
    const { secret } = await manage('POST', '/keys', { name: 'lasting', owner: 'bob' })
    expect(await statusOf(secret)).toBe(200)
    server.signal('SIGTERM')
    await server.exited
    rmSync(join(folder, 'admin-key'))
    server = await startServer({ DRAGOMAN_DATA: folder, DRAGOMAN_TRUSTED_PROXIES: '127.0.0.1' })
    expect(server.greeting.join('\n')).not.toContain('admin key')
    expect((await manage('GET', '/usage?by=owner&owner=bob')).rows).toMatchObject([{ calls: 1 }])
    expect(await statusOf(secret)).toBe(200)
  })
})

describe('a server', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
  })
  afterEach(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('that cannot write to its store says so, and settles what it has when it can', async () => {
    server = await startServer({ DRAGOMAN_DATA: folder, DRAGOMAN_KEYS: 'sk-mine-0123456789abcdef' })
    const readiness = async () => {
      const response = await fetch(`${server.url}/readyz`)
      return [response.status, await response.json()]
    }
    expect(await statusOf('sk-mine-0123456789abcdef')).toBe(200)
    const other = new DatabaseSync(join(folder, 'dragoman.db'))
    other.exec('BEGIN IMMEDIATE')
    expect(await statusOf('sk-mine-0123456789abcdef')).toBe(503)
    expect(await readiness()).toEqual([503, { status: 'store unavailable' }])
    await server.logged((entry) => entry['level'] === 'error' && String(entry['msg']).includes('has locked the file'))
    other.exec('COMMIT')
    await server.logged((entry) => String(entry['msg']).includes('works again'))
    expect(await readiness()).toEqual([200, { status: 'ready' }])
    expect(await statusOf('sk-mine-0123456789abcdef')).toBe(200)
    await expect
      .poll(() => other.prepare('SELECT count(*) AS records, sum(calls) AS calls FROM records, hours').all())
      .toMatchObject([{ records: 2, calls: 4 }])
    expect(other.prepare('SELECT * FROM open_lists').all()).toEqual([])
    other.close()
  })

  it('without a folder to write to serves with its keys in memory, and says so', async () => {
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    server = await startServer({
      DRAGOMAN_DATA: join(file, 'data'),
      DRAGOMAN_KEYS: 'sk-mine-0123456789abcdef',
    })
    expect(await statusOf('sk-mine-0123456789abcdef')).toBe(200)
    await server.logged((entry) => String(entry['msg']).includes('Keys and usage are in memory only'))
  })
})

it('a server does not start with a database that it cannot use, and leaves it as it is', async ({ signal }) => {
  const data = mkdtempSync(join(tmpdir(), 'dragoman-accounts-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const file = join(data, 'dragoman.db')
  await openSqliteStore({ file }).close()
  const newer = new DatabaseSync(file)
  newer.exec('UPDATE dragoman SET version = 99')
  newer.close()
  const before = readFileSync(file)
  const env = { PATH: process.env['PATH'], PORT: '0', DRAGOMAN_DATA: data, DRAGOMAN_OLLAMA: 'off', ...COMPILED }
  // Without the refusal, the server would run until it is stopped.
  const { main } = await bundleServer()
  const started = run(process.execPath, [main], { env, cwd: data, signal })
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the database has version 99 of the schema'),
  })
  expect(readFileSync(file)).toEqual(before)
})

/** Runs a command in this process. */
async function outputOf(args: readonly string[], url?: string, adminKey = admin, opened?: Store) {
  let [output, complaint] = ['', '']
  const store = () => (opened === undefined ? Promise.reject(new Error('Not to be opened.')) : Promise.resolve(opened))
  const write = (text: string) => void (output += text)
  const terminal = { store, adminKey, write, now: () => Date.now(), columns: undefined }
  const given = url === undefined ? args : [url, ...args]
  const code = await runCommand(given, terminal, (text) => void (complaint += text))
  return { code, output, complaint }
}

function environment() {
  return { env: { PATH: process.env['PATH'], DRAGOMAN_DATA: folder, ...COMPILED }, cwd: folder }
}

async function manage(method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return response.json() // read by tests
}

function ask(client: OpenAI, model: string) {
  return client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] })
}

let callers = 0

/** From another address than all calls before: wrong keys from one address are slowed down. */
async function statusOf(secret: string): Promise<number> {
  const caller = `192.0.2.${++callers}`
  const response = await fetch(`${server.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-forwarded-for': caller },
    body: JSON.stringify({ model: 'sim/chat-1', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await response.text()
  return response.status
}
