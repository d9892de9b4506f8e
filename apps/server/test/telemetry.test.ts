import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { answerError, answerStream, answerUncounted, startChatUpstream, type ChatUpstream } from './chat-upstream.ts'
import { closedPort } from './closed-port.ts'
import { startCollector, type Collector, type Export } from './collector.ts'
import { startServer, type ServerProcess } from './process.ts'

let collector: Collector
let upstream: ChatUpstream
let server: ServerProcess | undefined
beforeEach(async () => {
  collector = await startCollector()
  upstream = await startChatUpstream()
})
afterEach(async () => {
  await server?.stop()
  upstream.close()
  collector.close()
})

async function begin(environment: { readonly [name: string]: string }): Promise<ServerProcess> {
  server = await startServer({
    DRAGOMAN_SIM: 'on',
    OPENAI_BASE_URL: upstream.url,
    OPENAI_API_KEY: 'sk-canary-upstream',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sk-canary-collector',
    ...environment,
  })
  return server
}

function ask({ url, key }: ServerProcess, body: object = {}): Promise<Response> {
  return fetch(`${url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai/gpt-5.4', messages: [{ role: 'user', content: 'canary' }], ...body }),
  })
}

const noted = (running: ServerProcess, text: string) => running.logged((entry) => entry['msg'] === text)

describe('metrics for OpenTelemetry', () => {
  it('have the names and attributes of the GenAI conventions', async () => {
    const running = await begin({
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
    })
    upstream.answer = answerStream
    await (await ask(running, { stream: true, seed: 1 })).text()
    upstream.answer = answerUncounted
    await (await ask(running, { stream: true })).text()
    upstream.answer = answerError
    expect((await ask(running)).status).toBe(429)
    expect((await ask(running, { model: 'nobody/has-this' })).status).toBe(404)
    await collector.until(() => (collector.points('dragoman.requests').length === 3 ? true : undefined))

    const route = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5.4' }
    const call = { ...route, 'gen_ai.operation.name': 'chat' }
    const client = { ...call, 'server.address': '127.0.0.1', 'server.port': Number(new URL(upstream.url).port) }
    const attributesOf = (metric: string) => collector.points(metric).map(({ attributes }) => attributes)
    expect(attributesOf('gen_ai.client.operation.duration')).toEqual([client, { ...client, 'error.type': '429' }])
    expect(attributesOf('gen_ai.client.operation.time_to_first_chunk')).toEqual([client])
    expect(attributesOf('gen_ai.server.time_to_first_token')).toEqual([call])
    expect(attributesOf('gen_ai.server.request.duration')).toEqual([call, { ...call, 'error.type': 'rate-limit' }])
    // Without the estimates for the second stream.
    expect(collector.points('gen_ai.client.token.usage')).toMatchObject([
      { sum: 7, count: 1, attributes: { ...client, 'gen_ai.token.type': 'input' } },
      { sum: 3, count: 1, attributes: { ...client, 'gen_ai.token.type': 'output' } },
    ])
    expect(collector.points('gen_ai.client.operation.duration')[0]?.explicitBounds).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ])
    const own = { 'dragoman.protocol': 'chat', 'gen_ai.provider.name': 'openai', 'dragoman.model': 'openai/gpt-5.4' }
    expect(collector.points('dragoman.requests')).toMatchObject([
      { asDouble: 2, attributes: { ...own, 'http.response.status_code': 200, 'dragoman.outcome': 'complete' } },
      { asDouble: 1, attributes: { ...own, 'http.response.status_code': 429, 'error.type': 'rate-limit' } },
      { asDouble: 1, attributes: { 'dragoman.protocol': 'chat', 'http.response.status_code': 404 } },
    ])
    expect(attributesOf('dragoman.cost')).toContainEqual({ ...own, 'dragoman.item': 'prompt' })
    expect(collector.points('dragoman.breaker.state')).toMatchObject([
      { asDouble: 0, attributes: { 'gen_ai.provider.name': 'openai' } },
      { asDouble: 0, attributes: { 'gen_ai.provider.name': 'openai', 'dragoman.model': 'openai/gpt-5.4' } },
    ])
    // Only the endpoint of metrics is set.
    expect(collector.exports.every(({ path }) => path === '/v1/metrics')).toBe(true)
    expect(collector.exports.map(({ body }) => body.toString()).join('')).not.toContain('canary')
  })

  it('count losses by code', async () => {
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
    })
    await (await ask(running, { model: 'sim/messages-1', seed: 1 })).text()
    const losses = () => collector.points('dragoman.losses').map(({ attributes }) => attributes['dragoman.code'])
    await collector.until(() => (losses().includes('dropped-setting') ? true : undefined))
  })
})

describe('telemetry', () => {
  it('has a span for each attempt', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-attempts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'dragoman.config.json')
    // The first endpoint, which speaks the protocol of the caller, refuses connections.
    const endpoints = { messages: await closedPort(), chat: upstream.url }
    writeFileSync(file, JSON.stringify({ providers: { lab: { endpoints, models: ['small'] } } }))
    const running = await begin({
      DRAGOMAN_CONFIG: file,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    })
    const answer = await fetch(`${running.url}/api/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': running.key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'lab/small', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(answer.status).toBe(200)
    const root = await collector.until(() => collector.spans().find(({ name }) => name.startsWith('POST ')))
    const [first, second, ...more] = collector.spans().filter(({ parentSpanId }) => parentSpanId === root.spanId)
    expect(first?.attributes).toMatchObject({ 'error.type': 'refused', 'dragoman.protocol': 'messages' })
    expect(second?.attributes).toMatchObject({
      'http.response.status_code': 200,
      'http.request.resend_count': 1,
      'dragoman.protocol': 'chat',
    })
    expect(more).toEqual([])
    expect(upstream.requests.at(-1)?.headers['traceparent']).toBe(`00-${root.traceId}-${second?.spanId}-01`)
    // The call itself has succeeded.
    expect(root).toMatchObject({ status: { code: 0 }, attributes: { 'dragoman.mode': 'translate' } })
  })

  it('is sent as protobuf by default, both signals', async () => {
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '1',
      OTEL_METRIC_EXPORT_INTERVAL: '50',
    })
    await (await ask(running)).text()
    for (const path of ['/v1/traces', '/v1/metrics']) {
      // Texts are readable.
      const isFull = ({ body }: Export): boolean => body.toString('latin1').includes('gen_ai.request.model')
      const sent = await collector.until(() => collector.exports.find((each) => each.path === path && isFull(each)))
      expect(sent.headers).toMatchObject({
        'content-type': 'application/x-protobuf',
        authorization: 'Bearer sk-canary-collector',
      })
      // Field 1, which has a length: the spans or metrics of a resource.
      expect(sent.body[0]).toBe(0x0a)
    }
  })

  it('that cannot be sent does not affect calls, and is noted once without secrets', async () => {
    collector.status = 401
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.replace('//', '//canary:canary@'),
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    })
    const note = `traces for ${collector.url} cannot be sent: status 401`
    for (let calls = 1; calls <= 3; calls++) {
      expect((await ask(running)).status).toBe(200)
      await collector.until(() => (collector.exports.length >= calls ? true : undefined))
    }
    await noted(running, note)
    collector.status = 200
    await ask(running)
    await noted(running, `traces for ${collector.url} are sent again`)
    expect(running.lines.filter((line) => line.includes('cannot be sent'))).toHaveLength(1)
    expect(running.lines.join('\n')).not.toContain('canary')
  })

  it('for a collector that is not there does not affect calls', async () => {
    collector.close()
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '1',
      // Shorter than the wait before a second attempt.
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    })
    expect((await ask(running)).status).toBe(200)
    await noted(running, `traces for ${collector.url} cannot be sent: ECONNREFUSED`)
  })

  it('that is left is sent when the server shuts down', async () => {
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
      OTEL_METRIC_EXPORT_INTERVAL: '3600000',
    })
    await (await ask(running)).text()
    expect(collector.exports).toEqual([])
    running.signal('SIGTERM')
    expect(await running.exited).toBe(0)
    expect(collector.exports.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces'])
  })

  it('is given up when the grace period is over', async () => {
    const deaf = await startDeaf()
    const running = await begin({
      OTEL_EXPORTER_OTLP_ENDPOINT: deaf.url,
      OTEL_BSP_SCHEDULE_DELAY: '3600000',
      // Longer than this test may take.
      OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
      DRAGOMAN_GRACE_SECONDS: '0',
    })
    await (await ask(running)).text()
    running.signal('SIGTERM')
    expect(await running.exited).toBe(0)
    deaf.close()
  })

  it('loads nothing unless it is configured', async () => {
    const listing = `import{registerHooks}from'node:module';registerHooks({resolve(name,context,next){
      if(name.includes('@opentelemetry'))console.log('loaded '+name);return next(name,context)}})`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(listing)}`
    const loaded = () => server?.lines.filter((line) => line.startsWith('loaded '))
    await (await ask(await begin({ NODE_OPTIONS }))).text()
    expect(loaded()).toEqual([])
    await server?.stop()
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' }
    await (await ask(await begin({ NODE_OPTIONS, ...off }))).text()
    expect(loaded()).toEqual([])
    await server?.stop()
    await begin({ NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    expect(loaded()).toContainEqual(expect.stringContaining('@opentelemetry/sdk-trace'))
  })
})

/** A collector that accepts connections and never answers. */
async function startDeaf(): Promise<{ readonly url: string; close(): void }> {
  const { createServer } = await import('node:http')
  const deaf = createServer(() => {})
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  const address = deaf.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = (): void => {
    deaf.closeAllConnections()
    deaf.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
