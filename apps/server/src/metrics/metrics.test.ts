import { DragomanError } from '@dragoman/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedPort } from '../../test/closed-port.ts'
import { parseMetrics } from '../../test/parse-metrics.ts'
import { startServer, type ServerProcess } from '../../test/process.ts'
import { createMetrics } from './metrics.ts'

const entry = {
  requestId: 'r',
  method: 'POST',
  path: '/api/v1/chat/completions',
  protocol: 'chat',
  status: 200,
  outcome: 'complete',
  ms: 1500,
  attempts: [],
  losses: [],
} as const

describe('metrics', () => {
  let server: ServerProcess
  let url: string
  beforeAll(async () => {
    server = await startServer({
      DRAGOMAN_METRICS_PORT: '0',
      DRAGOMAN_SIM: 'on',
      OPENAI_BASE_URL: await closedPort(),
      OPENAI_API_KEY: 'sk-upstream',
    })
    const line = await server.logged((entry) => String(entry['msg']).startsWith('metrics at '))
    url = String(line['msg']).replace('metrics at ', '')
  })
  afterAll(() => server.stop())
  const ask = (body: object): Promise<Response> =>
    fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
    })

  it('count calls, tokens, cost and time by protocol, provider and model', async () => {
    const answer = await ask({ model: 'sim/messages-1', seed: 1 })
    const { usage } = (await answer.json()) as { readonly usage: { readonly prompt_tokens: number } }
    await server.logged(({ status }) => status === 200)
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const metrics = parseMetrics(await response.text())
    const labels = { protocol: 'chat', provider: 'sim', model: 'sim/messages-1' }
    expect(metrics['dragoman_requests_total']?.metrics).toEqual([
      { value: '1', labels: { ...labels, status: '200', outcome: 'complete' } },
    ])
    expect(metrics['dragoman_tokens_total']?.metrics).toContainEqual({
      value: String(usage.prompt_tokens),
      labels: { ...labels, kind: 'input', source: 'upstream' },
    })
    expect(metrics['dragoman_losses_total']?.metrics).toContainEqual({
      value: '1',
      labels: { ...labels, code: 'dropped-setting' },
    })
    expect(metrics['dragoman_request_seconds']?.metrics).toMatchObject([{ buckets: { '+Inf': '1' } }])
    expect(metrics['dragoman_first_byte_seconds']?.metrics).toMatchObject([{ buckets: { '+Inf': '1' } }])
  })

  it('count upstream calls that fail, and time streams until their first byte', async () => {
    expect((await ask({ model: 'openai/gpt-5.4' })).status).toBe(502)
    await (await ask({ model: 'sim/chat-1', stream: true })).text()
    await server.logged(({ status, model }) => status === 200 && model === 'sim/chat-1')
    const metrics = parseMetrics(await (await fetch(url)).text())
    // The model has two protocols there, and both are tried.
    expect(metrics['dragoman_upstream_errors_total']?.metrics).toEqual([
      { value: '2', labels: { protocol: 'chat', provider: 'openai', model: 'openai/gpt-5.4', kind: 'refused' } },
    ])
    // Whole responses are not counted.
    expect(metrics['dragoman_time_to_first_token_seconds']?.metrics).toMatchObject([{ buckets: { '+Inf': '1' } }])
  })

  it('show the breakers of providers and models', async () => {
    // One of the faults is that of the test before.
    for (let fault = 2; fault <= 5; fault++) await ask({ model: 'openai/gpt-5.4' })
    const metrics = parseMetrics(await (await fetch(url)).text())
    expect(metrics['dragoman_breaker_state']?.metrics).toEqual(
      expect.arrayContaining([
        { value: '2', labels: { provider: 'openai', model: '' } },
        { value: '0', labels: { provider: 'openai', model: 'openai/gpt-5.4' } },
        { value: '0', labels: { provider: 'sim', model: '' } },
        { value: '0', labels: { provider: 'sim', model: 'sim/chat-1' } },
      ]),
    )
    expect(metrics['dragoman_breaker_callers']?.metrics).toEqual(
      expect.arrayContaining([
        { value: '1', labels: { provider: 'openai', model: '' } },
        { value: '0', labels: { provider: 'sim', model: 'sim/chat-1' } },
      ]),
    )
  })

  it('are served nowhere by default', async () => {
    const plain = await startServer()
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404)
    expect(plain.lines.join('\n')).not.toContain('metrics at')
    await plain.stop()
  })

  it('are on a port of their own alone, and show no keys', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
    expect((await fetch(new URL('/', url))).status).toBe(404)
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    expect(await (await fetch(url)).text()).not.toContain(server.key)
  })

  it('have a bounded number of models', () => {
    const metrics = createMetrics()
    for (let index = 0; index < 1000; index++) metrics.observe({ ...entry, model: `any/${index}` })
    const { dragoman_requests_total: requests } = parseMetrics(metrics.text())
    expect(requests?.metrics).toHaveLength(501)
    expect(requests?.metrics).toContainEqual(expect.objectContaining({ value: '500' }))
  })

  it('tell estimated tokens from those that upstreams count', () => {
    const metrics = createMetrics()
    metrics.observe({ ...entry, usage: { input: 5, output: 2, estimated: true } })
    const { dragoman_tokens_total: tokens } = parseMetrics(metrics.text())
    expect(tokens?.metrics.map(({ value, labels }) => [value, labels])).toMatchObject([
      ['5', { kind: 'input', source: 'estimate' }],
      ['2', { kind: 'output', source: 'estimate' }],
    ])
  })

  it('count cost by item in dollars, and errors by kind', () => {
    const metrics = createMetrics()
    const items = [{ name: 'prompt', quantity: 10, nanos: 30_000 }] as const
    metrics.observe({ ...entry, provider: 'a', model: 'a/m', cost: { total: 30_000, items } })
    metrics.observe({ ...entry, provider: 'a', model: 'a/m', cost: { total: 30_000, items } })
    metrics.observe({ ...entry, status: 503, outcome: 'failed', error: new DragomanError('overloaded', 'Full.') })
    const { dragoman_cost_dollars_total: cost, dragoman_errors_total: errors } = parseMetrics(metrics.text())
    expect(errors?.metrics).toEqual([
      { value: '1', labels: { protocol: 'chat', provider: '', model: '', kind: 'overloaded' } },
    ])
    expect(cost?.metrics).toEqual([
      { value: '0.00006', labels: { protocol: 'chat', provider: 'a', model: 'a/m', item: 'prompt' } },
    ])
  })

  it('have histograms whose buckets include those before them', () => {
    const metrics = createMetrics()
    for (const ms of [20, 50, 51, 700_000]) metrics.observe({ ...entry, ms })
    const text = metrics.text()
    const labels = 'protocol="chat",provider="",model=""'
    expect(text).toContain('# TYPE dragoman_request_seconds histogram')
    for (const [bound, count] of [
      ['0.05', 2],
      ['0.1', 3],
      ['600', 3],
      ['+Inf', 4],
    ])
      expect(text).toContain(`dragoman_request_seconds_bucket{${labels},le="${bound}"} ${count}\n`)
    expect(text).toContain(`dragoman_request_seconds_sum{${labels}} 700.121\n`)
    expect(text).toContain(`dragoman_request_seconds_count{${labels}} 4\n`)
    // Nothing was observed.
    expect(text).not.toContain('dragoman_first_byte_seconds_count')
  })

  it('escape labels, which callers can choose', () => {
    const metrics = createMetrics()
    metrics.observe({ ...entry, model: 'a"b\\c\nd' })
    expect(metrics.text()).toContain(String.raw`model="a\"b\\c\nd"`)
    const { dragoman_requests_total: requests } = parseMetrics(metrics.text())
    expect(requests?.metrics).toMatchObject([{ value: '1', labels: { model: 'a"b\\c\nd' } }])
  })

  it('separate calls that differ in one label', () => {
    const metrics = createMetrics()
    const calls = [
      entry,
      { ...entry, protocol: 'messages' },
      { ...entry, provider: 'a' },
      { ...entry, model: 'a' },
      { ...entry, status: 404 },
      { ...entry, outcome: 'aborted' as const },
    ]
    for (const each of [...calls, ...calls]) metrics.observe(each)
    const { dragoman_requests_total: requests } = parseMetrics(metrics.text())
    const expected = calls.map(({ protocol, status, outcome, ...call }) => {
      const { provider = '', model = '' } = { provider: undefined, model: undefined, ...call }
      return { value: '2', labels: { protocol, provider, model, status: String(status), outcome } }
    })
    expect(requests?.metrics).toEqual(expect.arrayContaining(expected))
    expect(requests?.metrics).toHaveLength(calls.length)
  })

  it('ignore absurd counts of tokens, which would stay in a counter for ever', () => {
    const metrics = createMetrics()
    metrics.observe({ ...entry, usage: { input: 5, output: 2 } })
    metrics.observe({ ...entry, usage: { input: Number.POSITIVE_INFINITY, output: -1 } })
    metrics.observe({ ...entry, usage: { input: Number.NaN, output: 1 } })
    const { dragoman_tokens_total: tokens, dragoman_requests_total: requests } = parseMetrics(metrics.text())
    expect(tokens?.metrics.map(({ value }) => value)).toEqual(['5', '3'])
    expect(requests?.metrics).toMatchObject([{ value: '3' }])
  })
})
