import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChatUpstream, type ChatUpstream } from './chat-upstream.ts'
import { startCollector, type Collector } from './collector.ts'
import { startServer, type ServerProcess } from './process.ts'

const NUMBERS = ['1e308', '-1e308', '1e300', '1e21', '1e400', '-1', '0.5', '123456789012345678901234567890']
const MODEL = 'mistralai/mistral-large-2512'
/** What one call of a key may cost: a price of 10^9 tokens of each kind, and more. */
const MOST_DOLLARS = 1e6

let folder: string
let server: ServerProcess
let upstream: ChatUpstream
let collector: Collector
let admin: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-absurd-'))
  collector = await startCollector()
  upstream = await startChatUpstream()
  server = await startServer({
    DRAGOMAN_DATA: folder,
    DRAGOMAN_METRICS_PORT: '0',
    MISTRAL_BASE_URL: upstream.url,
    MISTRAL_API_KEY: 'sk-upstream',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  })
  admin = readFileSync(join(folder, 'admin-key'), 'utf8').trim()
})
afterAll(async () => {
  await server.stop()
  upstream.close()
  collector.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Answers with a number as JSON text in place of every count. */
function answerCounting(response: ServerResponse, number: string, stream: boolean): void {
  const usage = `{"prompt_tokens":${number},"completion_tokens":${number},"total_tokens":${number},"prompt_tokens_details":{"cached_tokens":${number}}}`
  const rest = '"id":"c","created":1,"model":"m"'
  if (!stream) {
    const choice = '{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}'
    response.setHeader('content-type', 'application/json')
    response.end(`{${rest},"object":"chat.completion","choices":[${choice}],"usage":${usage}}`)
    return
  }
  const choice = '{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}'
  const chunk = (more: string): string => `data: {${rest},"object":"chat.completion.chunk",${more}}\n\n`
  response.setHeader('content-type', 'text/event-stream')
  response.end(`${chunk(`"choices":[${choice}]`)}${chunk(`"choices":[],"usage":${usage}`)}data: [DONE]\n\n`)
}

async function manage(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${server.url}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function newKey(): Promise<{ readonly secret: string; readonly key: { readonly id: string } }> {
  return (await manage('POST', '/keys', { name: 'absurd' })).json() as ReturnType<typeof newKey>
}

const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
const MESSAGES = [{ role: 'user', content: 'Hi' }]

function ask(secret: string, path: string, stream: boolean): Promise<Response> {
  const body = { model: MODEL, max_tokens: 9, messages: MESSAGES, stream }
  const headers = { ...HEADERS, authorization: `Bearer ${secret}` }
  return fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

describe('a server whose upstream reports absurd counts', () => {
  it.each(NUMBERS)('answers, records and prices each call, and lives: %s', async (number) => {
    const { secret, key } = await newKey()
    const paths = ['/api/v1/chat/completions', '/api/anthropic/v1/messages']
    for (const path of paths) {
      for (const stream of [false, true]) {
        upstream.answer = (response) => answerCounting(response, number, stream)
        const answer = await ask(secret, path, stream)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('x-dragoman-cost') ?? '0.000000000').toMatch(/^\d+\.\d{9}$/)
        await answer.text()
      }
    }
    const usage = async () => {
      const response = await manage('GET', `/usage?by=key&key=${key.id}`)
      expect(response.status).toBe(200)
      return (await response.json()) as { readonly rows: readonly { readonly calls: number; readonly cost: number }[] }
    }
    await expect.poll(async () => (await usage()).rows[0]?.calls).toBe(4)
    const [row] = (await usage()).rows
    expect(Number(row?.cost)).toBeGreaterThanOrEqual(0)
    expect(Number(row?.cost)).toBeLessThan(4 * MOST_DOLLARS)
  })

  it('has a budget that texts in disguise cannot pass', async () => {
    // 0.50 dollars for a million tokens: 100,000 of them are 5 cents.
    const { secret } = (await (
      await manage('POST', '/keys', { name: 'budget', budgets: { day: '0.20' } })
    ).json()) as Awaited<ReturnType<typeof newKey>>
    upstream.answer = (response) => answerCounting(response, '100000', false)
    const text = `${'QUJD'.repeat(64)} ${'Each of these words is a part of the price. '.repeat(9100)}`
    const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: text }] })
    const headers = { ...HEADERS, authorization: `Bearer ${secret}` }
    const before = upstream.requests.length
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${server.url}/api/v1/chat/completions`, { method: 'POST', headers, body }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    const served = upstream.requests.length - before
    expect(statuses.filter((status) => status === 200)).toHaveLength(served)
    expect(statuses.filter((status) => status === 402)).toHaveLength(40 - served)
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(4)
  })

  it('has metrics and well-formed log lines afterwards, and no error of a watcher', async () => {
    const line = await server.logged((entry) => String(entry['msg']).startsWith('metrics at '))
    const text = await (await fetch(String(line['msg']).replace('metrics at ', ''))).text()
    expect(text).toContain('dragoman_requests_total')
    expect(text).not.toMatch(/NaN|Infinity/)
    for (const each of server.lines.filter((entry) => entry.startsWith('{')))
      expect(() => JSON.parse(each) as unknown).not.toThrow()
    expect(server.lines.join('\n')).not.toContain('the call went on without it')
  })
})
