import { createFetchHandler, createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createSim } from '@dragoman/provider-sim'
import { describe, expect, it } from 'vitest'
import { createLog } from '../src/log.ts'

const LONGEST_LINE = 8192
const LONGEST_HEADERS = 8192
const LONGEST_ERROR = 16_384
const MEGABYTE = 1024 * 1024

/** The gateway with the log of the server. Headers that are too large for Node use the other door. */
function setUp() {
  const lines: string[] = []
  const gateway = createGateway({
    providers: [createSim()],
    transport: { send: () => expect.fail('the simulator answers by itself') },
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    log: createLog('debug', { write: (line) => lines.push(line), flush: async () => {}, flushNow() {} }),
    unsupportedFields: 'accept',
  })
  const handle = createFetchHandler(gateway)
  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://gateway.test${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
      body,
    })
    const answer = await handle(request)
    return { answer, text: await answer.text() }
  }
  return { lines, send }
}

const MESSAGES = [{ role: 'user', content: 'Hello' }]
const CHAT = '/api/v1/chat/completions'

/** JSON that JSON.stringify could not write in time. */
function members(count: number): string {
  return Array.from({ length: count }, (_, i) => `"unknown${i}":${i}`).join(',')
}

const translated = { model: 'sim/messages-1', messages: MESSAGES }
const longName = 'n'.repeat(10 * MEGABYTE)
const history = [...MESSAGES, { role: 'tool', tool_call_id: 'i'.repeat(MEGABYTE), content: 'x' }]

const HOSTILE: { readonly [what: string]: { path?: string; body: string; headers?: Record<string, string> } } = {
  '100,000 unknown members': { body: `{${members(100_000)},${JSON.stringify(translated).slice(1)}` },
  'an unknown member of 10 MB': { body: JSON.stringify({ [longName]: 1, ...translated }) },
  'an unknown member of 10 MB in strict mode': {
    body: JSON.stringify({ [longName]: 1, ...translated }),
    headers: { 'x-dragoman-strict': 'true' },
  },
  'a member of 10 MB that cannot be valid': {
    body: JSON.stringify({ ...translated, logit_bias: { [longName]: 'x' }, metadata: { [longName]: 1 } }),
  },
  'a path of 1 MB': { path: `${CHAT}/${'p'.repeat(MEGABYTE)}`, body: '{}' },
  'a model of 1 MB': { body: JSON.stringify({ model: 'm'.repeat(MEGABYTE), messages: MESSAGES }) },
  'a model of 1 MB in the path': {
    path: `/api/vertex-ai/v1/publishers/google/models/${'m'.repeat(MEGABYTE)}:generateContent`,
    body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }),
  },
  'control characters and halves of pairs': {
    body: JSON.stringify({ [`\u0000\u001f"\\\ud800${'\u0001'.repeat(MEGABYTE)}`]: 1, ...translated }),
  },
  'an id of 1 MB without a call': { body: JSON.stringify({ ...translated, messages: history }) },
  'a role of 1 MB': {
    body: JSON.stringify({ ...translated, messages: [{ role: 'r'.repeat(MEGABYTE), content: '' }] }),
  },
  'a body of 1 MB that is not JSON': { body: 'x'.repeat(MEGABYTE) },
}

describe('the output that a request can cause', () => {
  it.each(Object.entries(HOSTILE))('is short: %s', async (_what, { path = CHAT, body, headers }) => {
    const { lines, send } = setUp()
    const { answer, text } = await send(path, body, headers)
    expect(lines).toHaveLength(1)
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LONGEST_LINE)
      expect(JSON.parse(line)).toMatchObject({ status: answer.status })
    }
    const fields = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`)
    expect(Buffer.byteLength(fields.join(''))).toBeLessThanOrEqual(LONGEST_HEADERS)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST_ERROR)
  })

  it('says how many losses are omitted', async () => {
    const { lines, send } = setUp()
    const { answer } = await send(CHAT, `{${members(1000)},${JSON.stringify(translated).slice(1)}`)
    expect(answer.status).toBe(200)
    const [, count] = /^(\d+): .*, \.\.\.$/.exec(answer.headers.get('x-dragoman-losses') ?? '') ?? []
    expect(Number(count)).toBeGreaterThanOrEqual(1000)
    const { losses } = JSON.parse(lines[0] ?? '') as { losses: string[] }
    const [, rest] = /^\[(\d+) more\]$/.exec(losses.at(-1) ?? '') ?? []
    // Losses of the response are included too.
    expect(Number(rest) + losses.length - 1).toBeGreaterThanOrEqual(Number(count))
  })
})
