import { lossCode } from '@dragoman/core'
import type { BreakerState } from '@dragoman/gateway'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { breakerValues, createModelLabel, errorTypeOf, firstTokenMs } from './labels.ts'
import type { Observer } from './observer.ts'

/** Counts calls and attempts for Prometheus. */
export interface Metrics extends Observer {
  /** All metrics, in the text format. */
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
const CALL = ['protocol', 'provider', 'model'] as const

export function createMetrics(breakers: () => readonly BreakerState[] = () => []): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: [...CALL], buckets: SECONDS, registers })
  const requests = counter('dragoman_requests_total', 'Responses to clients.', [...CALL, 'status', 'outcome'])
  const seconds = histogram('dragoman_request_seconds', 'Time until the end of a response.')
  const firstByte = histogram('dragoman_first_byte_seconds', 'Time until the first byte of a response.')
  const tokens = counter('dragoman_tokens_total', 'Tokens, as upstreams count them, or estimates.', [
    ...CALL,
    'kind',
    'source',
  ])
  const dollars = counter('dragoman_cost_dollars_total', 'The price of responses, by item.', [...CALL, 'item'])
  const losses = counter('dragoman_losses_total', 'What translations could not express.', [...CALL, 'code'])
  const errors = counter('dragoman_errors_total', 'Errors that clients got.', [...CALL, 'kind'])
  const firstToken = histogram(
    'dragoman_time_to_first_token_seconds',
    'Time until the upstream has sent the first byte of a streamed response.',
  )
  const upstreamErrors = counter('dragoman_upstream_errors_total', 'Upstream calls that failed.', [...CALL, 'kind'])
  const modelOf = createModelLabel()
  void new Gauge({
    name: 'dragoman_breaker_state',
    help: 'The circuit breaker of a provider or model: 0 closed, 1 half-open, 2 open.',
    labelNames: ['provider', 'model'],
    registers,
    collect() {
      this.reset()
      for (const { provider, model = '', value } of breakerValues(breakers(), modelOf))
        this.set({ provider, model }, value)
    },
  })
  void new Gauge({
    name: 'dragoman_breaker_callers',
    help: 'The callers for which the circuit breaker of a provider or model is not closed.',
    labelNames: ['provider', 'model'],
    registers,
    collect() {
      this.reset()
      for (const { provider, model = '', callers } of breakerValues(breakers(), modelOf))
        this.set({ provider, model }, callers)
    },
  })
  return {
    stage: {
      onAttempt(stageCall, attempt) {
        const { provider, model } = attempt
        const call = { protocol: stageCall.protocol, provider, model: modelOf(model) }
        const ms = firstTokenMs(stageCall, attempt)
        if (ms !== undefined) firstToken.observe(call, ms / 1000)
        const kind = errorTypeOf(attempt)
        if (kind !== undefined && kind !== 'aborted') upstreamErrors.inc({ ...call, kind })
      },
    },
    observe(entry) {
      const { protocol, provider = '', status, outcome, ms, firstByteMs, usage, cost, error } = entry
      const call = { protocol, provider, model: modelOf(entry.model) }
      requests.inc({ ...call, status, outcome })
      seconds.observe(call, ms / 1000)
      if (firstByteMs !== undefined) firstByte.observe(call, firstByteMs / 1000)
      const source = usage?.estimated === true ? 'estimate' : 'upstream'
      if (usage?.input !== undefined) tokens.inc({ ...call, kind: 'input', source }, usage.input)
      if (usage?.output !== undefined) tokens.inc({ ...call, kind: 'output', source }, usage.output)
      for (const { name, nanos } of cost?.items ?? []) dollars.inc({ ...call, item: name }, nanos / 1e9)
      for (const loss of entry.losses) losses.inc({ ...call, code: lossCode(loss) })
      if (error !== undefined) errors.inc({ ...call, kind: error.kind })
    },
    close: () => Promise.resolve(),
    text: () => registry.metrics(),
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  }
}
