import { brokenText } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ANSWER_TEXT,
  answerError,
  answerStream,
  answerUncounted,
  answerWhole,
  beginStream,
  startChatUpstream,
  type ChatUpstream,
} from './chat-upstream.ts'
import { startCollector, type CollectedSpan, type Collector } from './collector.ts'
import { startServer, type ServerProcess } from './process.ts'

const SERVER = 2
const CLIENT = 3
const UNSET = 0
const ERROR = 2
const MODEL = 'openai/gpt-5.4'

describe('traces', () => {
  let collector: Collector
  let upstream: ChatUpstream
  let server: ServerProcess
  let traces = 0
  beforeAll(async () => {
    collector = await startCollector()
    upstream = await startChatUpstream()
    server = await startServer({
      OPENAI_BASE_URL: upstream.url,
      OPENAI_API_KEY: 'sk-canary-upstream',
      DRAGOMAN_KEYS: 'sk-canary-caller',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=canary-header',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_BSP_SCHEDULE_DELAY: '1',
    })
  })
  afterAll(async () => {
    await server.stop()
    upstream.close()
    collector.close()
  })

  /** Calls in a new trace. */
  const call = async (body: object, { flags = '01', signal }: { flags?: string; signal?: AbortSignal } = {}) => {
    const traceId = String(++traces).padStart(32, '0')
    const response = await fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk-canary-caller',
        'content-type': 'application/json',
        traceparent: `00-${traceId}-00000000000000aa-${flags}`,
        tracestate: 'vendor=one',
      },
      body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'canary prompt' }], ...body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return { response, traceId }
  }
  /** The server span of a trace, which is sent last, and its client spans. */
  const spansOf = (traceId: string) =>
    collector.until(() => {
      const spans = collector.spans().filter((span) => span.traceId === traceId)
      const root = spans.find(({ kind }) => kind === SERVER)
      return root === undefined ? undefined : { root, attempts: spans.filter(({ kind }) => kind === CLIENT) }
    })

  it("lead from the client's traceparent to the upstream", async () => {
    upstream.answer = answerWhole
    const { response, traceId } = await call({})
    await response.text()
    const { root, attempts } = await spansOf(traceId)
    expect(root).toMatchObject({
      name: 'POST /api/v1/chat/completions',
      parentSpanId: '00000000000000aa',
      status: { code: UNSET },
      resource: { 'service.name': 'gate', 'deployment.environment.name': 'test' },
    })
    expect(attempts).toMatchObject([{ name: 'chat gpt-5.4', parentSpanId: root.spanId, status: { code: UNSET } }])
    expect(upstream.requests.at(-1)?.headers).toMatchObject({
      traceparent: `00-${traceId}-${attempts[0]?.spanId}-01`,
      tracestate: 'vendor=one',
    })
  })

  it('have the attributes of the HTTP and GenAI conventions', async () => {
    upstream.answer = answerStream
    const { response, traceId } = await call({ stream: true })
    await response.text()
    const { root, attempts } = await spansOf(traceId)
    expect(root.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/chat/completions',
      'url.path': '/api/v1/chat/completions',
      'url.scheme': 'http',
      'http.response.status_code': 200,
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': MODEL,
      'gen_ai.request.stream': true,
      'gen_ai.response.model': 'gpt-5.4',
      'dragoman.protocol': 'chat',
      'dragoman.mode': 'relay',
      'dragoman.request_id': response.headers.get('x-request-id'),
      'dragoman.caller': expect.any(String) as string,
      'dragoman.cost': expect.any(Number) as number,
    })
    const { port } = new URL(upstream.url)
    expect(attempts.map(({ attributes }) => attributes)).toEqual([
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5.4',
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': expect.any(Number) as number,
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'http.response.status_code': 200,
        'server.address': '127.0.0.1',
        'server.port': Number(port),
        'dragoman.protocol': 'chat',
        'dragoman.model': MODEL,
      },
    ])
  })

  it('mark token counts that are estimates', async () => {
    upstream.answer = answerUncounted
    const { response, traceId } = await call({ stream: true })
    await response.text()
    const { attempts } = await spansOf(traceId)
    expect(attempts).toMatchObject([
      { attributes: { 'gen_ai.usage.output_tokens': expect.any(Number) as number, 'dragoman.estimated': true } },
    ])
  })

  it('begin anew without a traceparent, and follow one that is not sampled', async () => {
    upstream.answer = answerWhole
    const hidden = await call({}, { flags: '00' })
    await hidden.response.text()
    expect(upstream.requests.at(-1)?.headers['traceparent']).toMatch(new RegExp(`^00-${hidden.traceId}-\\w{16}-00$`))
    const before = collector.spans().length
    await fetch(`${server.url}/api/v1/models/${encodeURIComponent(MODEL)}`)
    await collector.until(() => (collector.spans().length > before ? true : undefined))
    expect(collector.spans().filter(({ traceId }) => traceId === hidden.traceId)).toEqual([])
    const last = collector.spans().at(-1)
    expect(last?.name).toBe('GET /api/v1/models/{model}')
    expect(last?.parentSpanId).toBeUndefined()
  })

  const outcome = ({ root, attempts }: { root: CollectedSpan; attempts: readonly CollectedSpan[] }) =>
    [root, ...attempts].map(({ status, attributes }) => [
      status.code,
      attributes['error.type'],
      attributes['http.response.status_code'],
    ])

  it('end with the status of the upstream if it refuses', async () => {
    upstream.answer = answerError
    const { response, traceId } = await call({})
    expect(response.status).toBe(429)
    // Not an error of the server: the client can repair it.
    expect(outcome(await spansOf(traceId))).toEqual([
      [UNSET, undefined, 429],
      [ERROR, '429', 429],
    ])
  })

  it('end with the failure of a connection', async () => {
    upstream.answer = (response) => response.destroy()
    const { response, traceId } = await call({})
    expect(response.status).toBe(502)
    const [root, first, ...more] = outcome(await spansOf(traceId))
    expect(root).toEqual([ERROR, 'upstream', 502])
    expect(first).toEqual([ERROR, 'reset', undefined])
    // A connection that was kept from an earlier call may have been closed meanwhile: the gateway tries a new one.
    for (const attempt of more) expect(attempt).toEqual(first)
  })

  it('end as errors if a stream is interrupted', async () => {
    upstream.answer = (response) => {
      beginStream(response)
      setImmediate(() => response.destroy())
    }
    const { response, traceId } = await call({ stream: true })
    await brokenText(response)
    expect(outcome(await spansOf(traceId))).toEqual([
      [ERROR, 'interrupted', 200],
      [ERROR, 'reset', 200],
    ])
  })

  it('end as aborted if the client leaves', async () => {
    upstream.answer = beginStream
    const leaving = new AbortController()
    const { response, traceId } = await call({ stream: true }, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
    expect(outcome(await spansOf(traceId))).toEqual([
      [ERROR, 'aborted', 200],
      [ERROR, 'aborted', 200],
    ])
  })

  it('have no upstream call if the request is wrong', async () => {
    const { response, traceId } = await call({ messages: 'canary' })
    expect(response.status).toBe(400)
    expect(outcome(await spansOf(traceId))).toEqual([[UNSET, undefined, 400]])
  })

  it('contain no prompts, answers and keys, and go to the collector with its headers', () => {
    const sent = collector.exports.map(({ body }) => body.toString()).join('\n')
    expect(sent).toContain('gen_ai.usage.input_tokens')
    expect(sent).not.toContain('canary')
    expect(sent).not.toContain(ANSWER_TEXT)
    expect(collector.exports.every(({ headers }) => headers['x-collector'] === 'canary-header')).toBe(true)
    expect(server.lines.join('\n')).not.toMatch(/canary-header|sk-canary|canary prompt/)
  })
})
