import type { Attempt, RoutedCall } from '@dragoman/gateway'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { createInstruments } from './instruments.ts'

const ENTRY = {
  requestId: 'r',
  method: 'POST',
  path: '/api/v1/chat/completions',
  protocol: 'chat',
  status: 200,
  outcome: 'complete',
  ms: 1500,
  provider: 'any',
  losses: [],
  attempts: [],
} as const

function callOf(model: string): RoutedCall {
  return {
    requestId: 'r',
    startedAt: 0,
    method: 'POST',
    path: '/api/v1/chat/completions',
    protocol: 'chat',
    operation: 'generate',
    caller: undefined,
    model,
    stream: false,
    route: { provider: 'any', model: `any/${model}`, upstreamModel: model, protocol: 'chat', mode: 'relay' },
    header: () => undefined,
    request: () => Promise.resolve(undefined),
    requirePrice() {},
    addHeaders() {},
    addRateLimits() {},
    keepBody() {},
    body: undefined,
    conversation: () => '',
    estimate: () => ({ nanos: 0, tokens: 0 }),
    addUpstreamHeaders() {},
  }
}

it('have a bounded number of models', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  const { stage, observe } = createInstruments(provider.getMeter('test'), () => [])
  for (let index = 0; index < 1500; index++) {
    const model = `m-${index}`
    const facts = { provider: 'any', model: `any/${model}`, protocol: 'chat', origin: 'https://any.test' }
    const attempt: Attempt = { ...facts, stream: false, startedAt: 0, ms: 1, status: 200, outcome: 'complete' }
    stage.onAttempt?.(callOf(model), attempt)
    observe({ ...ENTRY, model: `any/${model}` })
  }
  await provider.forceFlush()
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const points = Object.fromEntries(metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
  expect(points['gen_ai.client.operation.duration']).toHaveLength(501)
  expect(points['dragoman.requests']).toHaveLength(501)
  expect(points['dragoman.requests']?.at(-1)).toMatchObject({ value: 1000, attributes: { 'dragoman.model': 'other' } })
  await provider.shutdown()
})
