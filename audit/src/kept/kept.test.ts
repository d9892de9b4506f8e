import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@dragoman/testkit/engines'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nanosOf } from '../money/nanos.ts'
import { createAdmin, type Admin } from '../server/admin.ts'
import { ask, read } from '../server/ask.ts'
import { NotStartedError, startServer } from '../server/start-server.ts'
import { until } from '../server/until.ts'
import { startUpstream, type AuditUpstream } from '../upstream/start-upstream.ts'
import { CONFIGURED_SECRET, MODEL, type Expected } from './expected.ts'
import { lookAt, type Look } from './look-at.ts'
import { MISTAKES_OF } from './mistakes.ts'
import { serverDeployment, workerDeployment, type Deployment } from './deployment.ts'
import { expectedOf, KEPT, keptVersions, restoreFiles, restorePostgres } from './restore.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DAY_MS = 86_400_000
/** What each call of this test costs: 10 and 5 tokens of the model, 0.2 and 1.2 dollars per million. */
const CALL = 8000n

type Opened = (version: string, upstream: string) => Promise<Deployment>

const DEPLOYMENTS: Readonly<Record<string, Opened>> = {
  async sqlite(version, upstream) {
    const data = temporary()
    restoreFiles(version, 'sqlite', data)
    return serverDeployment({ upstream, data })
  },
  async postgres(version, upstream) {
    const data = temporary()
    restoreFiles(version, 'postgres', data)
    const postgres = await startPostgres(import.meta.url)
    onTestFinished(() => postgres.stop())
    await restorePostgres(version, postgres.connection)
    return serverDeployment({ upstream, data, postgres: postgres.connection })
  },
  async worker(version, upstream) {
    const folder = temporary()
    restoreFiles(version, 'worker', folder)
    return workerDeployment({ root: ROOT, upstream, folder })
  },
}

describe.each(keptVersions())('what version %s has written', (version) => {
  it.each(Object.keys(DEPLOYMENTS))(
    'is found again with %s: keys, balances, sums, records and open calls',
    async (kind) => {
      const expected = expectedOf(version, kind)
      const upstream = await startUpstream()
      onTestFinished(() => upstream.close())
      upstream.plan({ bills: { input: 10, output: 5 } })
      const deployment = await DEPLOYMENTS[kind]!(version, upstream.url)
      const running = await deployment.start('configured')
      onTestFinished(async () => void (await running.stop()))
      const admin = createAdmin(running.url, () => expected.admin)
      const open = await untilCharged(admin, expected)
      expectBooks(await lookAt(admin), expected, open)
      await expectBodies(admin, expected)
      await expectKeys(running.url, expected, upstream)
      await expectVideo(running.url, expected)
      const before = spentOf(expected) + nanosOf(expected.open.cost)
      await until('the calls to be settled', async () => (await spent(admin, expected)) === before + CALL)
      if (expected.local === undefined) return
      await running.stop()
      const again = await deployment.start('local')
      onTestFinished(async () => void (await again.stop()))
      expect((await ask(again.url, expected.local, 'chat', { model: MODEL })).status).toBe(200)
      // The file of the admin key is the one that was there.
      expect((await createAdmin(again.url, () => again.adminSecret()).ask('GET', '/keys')).status).toBe(200)
    },
  )

  it('starts with its configuration, or names each mistake', async () => {
    const mistakes = MISTAKES_OF[version] ?? []
    const yaml = readFileSync(join(KEPT, version, 'dragoman.config.yaml'), 'utf8')
    expect(await mistakesOf(yaml)).toEqual(mistakes.map(({ mistake }) => mistake))
    const mended = mistakes.reduce((text, { mend: [from, to] }) => text.replaceAll(from, to), yaml)
    expect(mended === yaml ? [] : await mistakesOf(mended)).toEqual([])
  })

  it('starts with its variables', async () => {
    const variables = JSON.parse(readFileSync(join(KEPT, version, 'variables.json'), 'utf8'))
    const server = await startServer({ environment: variables })
    expect(await server.stop()).toBe(0)
  })
})

/** Starts a server with a configuration. Returns the mistakes that it names, without the file. */
async function mistakesOf(yaml: string): Promise<readonly string[]> {
  const names = [...yaml.matchAll(/\$\{(\w+)\}|env: (\w+)/g)].map(([, one, other]) => one ?? other ?? '')
  const secrets = Object.fromEntries(names.map((name) => [name, `secret-of-${name}-0123456789abcdef0123456789`]))
  try {
    const server = await startServer({ yaml, environment: { ...secrets, DRAGOMAN_METRICS_PORT: '0' } })
    await server.stop()
    return []
  } catch (error) {
    if (!(error instanceof NotStartedError)) throw error
    return error.lines.flatMap((line) => /^dragoman: (?:\S+\.yaml: )?(.*)$/.exec(line)?.[1] ?? [])
  }
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 9 }))
  return folder
}

/** The record of the call that was open when its instance died. */
async function untilCharged(admin: Admin, { records }: Expected): Promise<Look['records'][number]> {
  const known = new Set(idsOf(records))
  const added = async (): Promise<Look['records']> =>
    (await lookAt(admin)).records.filter((record) => !known.has(String(record['id'])))
  await until('the open call to be charged', async () => (await added()).length > 0, 500)
  const found = await added()
  expect(found).toHaveLength(1)
  return found[0]!
}

function idsOf(records: readonly object[]): readonly string[] {
  return records.map((record) => ('id' in record ? String(record.id) : ''))
}

/** Compares everything, with the open call in it once. New members are not a difference. */
function expectBooks(look: Look, expected: Expected, open: Look['records'][number]): void {
  const { key, cost } = expected.open
  expect(open).toMatchObject({ key, cost, outcome: 'cut', estimated: true })
  expect(look.keys).toMatchObject(expected.keys)
  expect(look.records).toMatchObject([...expected.records, { id: open['id'] }])
  expect(look.audit.slice(0, expected.audit.length)).toEqual(expected.audit)
  expect(look.usage).toMatchObject(expected.usage.map((row) => withOpen(row as Look['usage'][number], open)))
  const balances = Object.entries(expected.balances).map(([id, each]) => [
    id,
    each.map((balance) => (id === key ? { ...balance, spent: added(balance, 'spent', cost) } : balance)),
  ])
  expect(look.balances).toMatchObject(Object.fromEntries(balances))
}

/** A row of sums after the open call was charged. */
function withOpen(row: Look['usage'][number], open: Look['records'][number]): object {
  if (row['key'] !== open['key'] || row['model'] !== open['model']) return row
  const [calls, failed, estimated] = [row['calls'], row['failed'], row['estimated']].map(Number)
  return {
    ...row,
    calls: calls! + 1,
    failed: failed! + 1,
    estimated: estimated! + 1,
    cost: added(row, 'cost', String(open['cost'])),
  }
}

/** A sum of amounts in dollars, as the API writes them. */
function added(row: object, member: string, more: string): string {
  const sum = nanosOf(String((row as Look['usage'][number])[member])) + nanosOf(more)
  const digits = String(sum).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}

async function expectBodies(admin: Admin, { bodies, records }: Expected): Promise<void> {
  const { at } = records.find((record) => 'id' in record && record.id === bodies.id) as { at: string }
  // They were to be kept for 365 days.
  if (Date.now() > Date.parse(at) + 365 * DAY_MS) return
  const { body } = await admin.ask('GET', `/records/${bodies.id}/bodies`)
  expect(body['request']).toContain(bodies.request)
  expect(body['answer']).toContain(bodies.answer)
}

async function expectKeys(
  url: string,
  { working, refused, configured }: Expected,
  upstream: AuditUpstream,
): Promise<void> {
  expect(configured).toBe(CONFIGURED_SECRET)
  const statusOf = async (secret: string): Promise<number> => (await ask(url, secret, 'chat', { model: MODEL })).status
  const calls = upstream.entries.length
  for (const secret of Object.values(refused)) expect(await statusOf(secret)).toBe(401)
  expect(upstream.entries).toHaveLength(calls)
  for (const secret of [...Object.values(working), configured]) expect(await statusOf(secret)).toBe(200)
  const other = await ask(url, working['restricted'] ?? '', 'chat', { model: 'anthropic/claude-haiku-4.5' })
  expect(other.status).toBe(403)
}

async function expectVideo(url: string, { working, video }: Expected): Promise<void> {
  const [model = ''] = video.name.split('/operations/')
  const poll = (secret: string) =>
    read(
      new Request(`${url}/api/vertex-ai/v1/${model}:fetchPredictOperation`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ operationName: video.name }),
      }),
    )
  const mine = await poll(working[video.key] ?? '')
  expect([mine.status, JSON.parse(mine.text)]).toMatchObject([200, { name: video.name }])
  // Another owner.
  expect((await poll(working['rotated'] ?? '')).status).toBe(404)
}

async function spent(admin: Admin, { open }: Expected): Promise<bigint> {
  return (await admin.balances(open.key)).find(({ period }) => period === 'total')?.spent ?? 0n
}

function spentOf({ balances, open }: Expected): bigint {
  const [total] = balances[open.key] as readonly { readonly spent: string }[]
  return nanosOf(total?.spent ?? '0')
}
