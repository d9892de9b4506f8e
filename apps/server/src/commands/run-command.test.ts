import { createMemoryStore, digestOf, type CallRecord, type Store } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'

const NOW = Date.UTC(2026, 10, 16, 9, 30)

function scene() {
  const store = createMemoryStore({ clock: { now: () => NOW } })
  const run = async (...args: string[]) => {
    let output = ''
    let complaint = ''
    const context = {
      store: () => Promise.resolve(store),
      adminKey: undefined,
      write: (text: string) => void (output += text),
      now: () => NOW,
      columns: 60,
    }
    const code = await runCommand(args, context, (text) => void (complaint += text))
    return { code, output, complaint }
  }
  return { store, run }
}

describe('dragoman keys', () => {
  it('creates a key with everything it can have, and shows its secret once', async () => {
    const { store, run } = scene()
    const options =
      '--name ci --owner ann --label team=blue --scope inference --scope admin --model sim/* --provider sim --requests 60 --tokens 1000 --concurrent 5 --budget day=5 --budget month=99.50 --expires 30d --keep-bodies 7 --redact \\d+'
    const { code, output } = await run('keys', 'create', ...options.split(' '))
    expect(code).toBe(0)
    const [secret = ''] = /dgm_[0-9A-Za-z]{38}/.exec(output) ?? []
    expect(await store.findKey(await digestOf(secret))).toMatchObject({
      name: 'ci',
      owner: 'ann',
      labels: { team: 'blue' },
      scopes: ['inference', 'admin'],
      models: ['sim/*'],
      providers: ['sim'],
      limits: { requests: 60, tokens: 1000, concurrent: 5 },
      budgets: { day: 5_000_000_000, month: 99_500_000_000 },
      expiresAt: NOW + 30 * 86_400_000,
      bodies: { days: 7, redact: ['\\d+'] },
    })
    const listed = await run('keys', 'list')
    expect(listed.output).not.toContain(secret)
    expect(listed.output).toContain('60 requests/min, 1000 tokens/min, 5 at once')
    const audits = await store.audits(undefined, 10)
    expect(audits.map(({ actor, action }) => `${actor} ${action}`).toSorted()).toEqual([
      'terminal keys.create',
      'terminal keys.list',
    ])
  })

  it('changes, disables, enables, rotates and revokes it, by id or by name', async () => {
    const { store, run } = scene()
    await run('keys', 'create', '--name', 'ci', '--owner', 'ann', '--requests', '60')
    const [{ id, digest } = { id: '', digest: '' }] = await store.keysSince(0, 10)
    expect((await run('keys', 'change', 'ci', '--owner', 'none', '--requests', 'none', '--budget', 'day=1')).code).toBe(
      0,
    )
    expect(await store.key(id)).toMatchObject({ owner: undefined, limits: {}, budgets: { day: 1_000_000_000 } })
    await run('keys', 'disable', id)
    expect((await store.key(id))?.disabled).toBe(true)
    await run('keys', 'enable', 'ci')
    expect((await store.key(id))?.disabled).toBe(false)
    await run('keys', 'rotate', 'ci', '--overlap', '15m')
    expect((await store.key(id))?.previous).toEqual({ digest, until: NOW + 900_000 })
    await run('keys', 'revoke', 'ci')
    expect((await store.key(id))?.revokedAt).toBe(NOW)
    const { code, complaint } = await run('keys', 'enable', 'ci')
    expect([code, complaint]).toEqual([2, 'dragoman: This key is revoked, which cannot be undone.\n'])
  })

  it.each([
    [['keys', 'create'], 'The member "name" is missing.'],
    [['keys', 'create', '--nam', 'x'], "Unknown option '--nam'."],
    [['keys', 'create', '--name', 'x', '--budget', 'five'], '--budget five must have the form name=value.'],
    [['keys', 'create', '--name', 'x', '--budget', 'day=five'], 'dollars'],
    [
      ['keys', 'create', '--name', 'x', '--expires', 'soon'],
      '--expires soon is neither a duration (30d, 12h) nor a date.',
    ],
    [['keys', 'show', 'nobody'], 'There is no key "nobody".'],
    [['keys', 'show'], 'Name the key'],
    [['keys', 'paint'], 'There is no command "keys paint". See: dragoman help'],
    [['toString'], 'There is no command "toString". See: dragoman help'],
    [['usage', '--by', 'colour'], 'has "colour", which is not one of'],
    [['usage', '--format', 'xml'], '--format xml is not one of table, chart, csv, json.'],
    [['record', 'req_1'], 'The id must be that of the header "x-request-id"'],
    [['record', `req_${idOf(7)}`], 'There is no record of this call'],
    [['keys', 'list', '--url'], '--url needs the address of a gateway.'],
    [['keys', 'list', '--url', 'gateway'], '--url must be the address of a gateway'],
    [['--url=https://gateway.example', 'keys', 'list'], 'Set DRAGOMAN_ADMIN_KEY'],
  ])('refuses %j in one line', async (args, text) => {
    const { code, complaint, output } = await scene().run(...args)
    expect(code).toBe(2)
    expect(complaint).toContain(text)
    expect(complaint.trimEnd().split('\n')).toHaveLength(1)
    expect(output).toBe('')
  })
})

describe('dragoman usage', () => {
  it('is a table with a total', async () => {
    const { store, run } = scene()
    await use(store)
    const { output } = await run('usage', '--by', 'model')
    expect(output).toBe(
      [
        'model       calls  failed  input  cached  output  reasoning     cost',
        'sim/chat-1      2       1     20       6      40          8  $3.0000',
        'sim/chat-2      1       0     10       3      20          4  $0.5000',
        'total           3       1     30       9      60         12  $3.5000',
        '',
      ].join('\n'),
    )
  })

  it('is a chart whose bars have the lengths of the costs', async () => {
    const { store, run } = scene()
    await use(store)
    const { output } = await run('usage', '--by', 'model', '--format', 'chart')
    const [first = '', second = ''] = output.split('\n')
    // 60 columns without the label, the value and the spaces between are 39.
    expect(first).toBe(`sim/chat-1  ${'█'.repeat(39)}  $3.0000`)
    expect(second).toBe(`sim/chat-2  ${'█'.repeat(6)}▌${' '.repeat(32)}  $0.5000`)
  })

  it('is exact as CSV and JSON', async () => {
    const { store, run } = scene()
    await use(store)
    expect((await run('usage', '--by', 'key', '--format', 'csv')).output.split('\r\n')[1]).toContain('3.500000001')
    const [row] = JSON.parse((await run('usage', '--by', 'day', '--format', 'json')).output)
    expect(row).toMatchObject({ day: '2026-11-16', calls: 3, cost: '3.500000001' })
  })

  it('reads all pages, and refuses a table that is too long to read', async () => {
    const { store, run } = scene()
    const models = Array.from({ length: 2500 }, (_, index) => `m${String(index).padStart(5, '0')}`)
    const settleAll = (from: number, count: number, number: number) => {
      const settlements = Array.from({ length: count }, (_, index) =>
        settle(from + index, `m${String(from + index).padStart(5, '0')}`, 1, 'complete'),
      )
      return store.commit({ instance: 'a', number, ttlMs: 1000, settlements, slices: [], openings: [] })
    }
    await settleAll(0, 2500, 1)
    const csv = (await run('usage', '--by', 'model', '--format', 'csv')).output.trimEnd().split('\r\n')
    expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(models)
    const json = JSON.parse((await run('usage', '--by', 'model', '--format', 'json')).output)
    expect(json.map(({ model }: { model: string }) => model)).toEqual(models)
    expect((await run('usage', '--by', 'model')).output.split('\n')).toHaveLength(2500 + 3)
    await settleAll(2500, 7501, 2)
    const { code, complaint } = await run('usage', '--by', 'model')
    expect([code, complaint]).toEqual([
      2,
      'dragoman: This has more than 10000 rows: use --format csv or json, or sum by less.\n',
    ])
    expect(JSON.parse((await run('usage', '--by', 'model', '--owner', 'x', '--format', 'json')).output)).toEqual([])
  })

  it('finds one call, and exports all', async () => {
    const { store, run } = scene()
    await use(store)
    expect(JSON.parse((await run('record', `req_${idOf(1)}`)).output)).toMatchObject({
      id: `req_${idOf(1)}`,
      cost: '1',
    })
    const lines = (await run('export')).output.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3].map((each) => `req_${idOf(each)}`))
    expect((await run('export', '--after', `req_${idOf(2)}`)).output.trimEnd().split('\n')).toHaveLength(1)
  })
})

it('explains itself', async () => {
  const { output, code } = await scene().run('help')
  expect(code).toBe(0)
  for (const name of ['keys create', 'keys rotate', 'usage', 'record', 'export', 'audit'])
    expect(output).toContain(name)
})

function idOf(number: number): string {
  return String(number).padStart(32, '0')
}

async function use(store: Store): Promise<void> {
  const settlements = [
    settle(1, 'sim/chat-1', 1_000_000_000, 'complete'),
    settle(2, 'sim/chat-1', 2_000_000_000, 'failed'),
    settle(3, 'sim/chat-2', 500_000_001, 'complete'),
  ]
  await store.commit({ instance: 'a', number: 1, ttlMs: 1000, settlements, slices: [], openings: [] })
}

function settle(number: number, model: string, cost: number, outcome: CallRecord['outcome']) {
  const record: CallRecord = {
    id: idOf(number),
    at: NOW - 3_600_000,
    key: 'key_1',
    owner: '',
    conversation: '',
    operation: 'generate',
    asked: model,
    model,
    provider: 'sim',
    protocol: 'chat',
    mode: 'relay',
    stream: false,
    outcome,
    status: 200,
    attempts: 1,
    tokens: { input: 10, output: 20, cacheRead: 3, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 4 },
    cost,
    items: [],
    prices: '',
    estimated: false,
    losses: [],
    firstByteMs: 1,
    ms: 2,
  }
  return { id: record.id, key: record.key, record, budgets: [], limits: {}, tokens: 0 }
}
