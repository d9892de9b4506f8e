import { lossCode } from '@dragoman/core'
import type { LogEntry } from '@dragoman/gateway'
import { Counter, Histogram, Registry } from 'prom-client'

/** Counts what the log is told, for Prometheus. */
export interface Metrics {
  observe(entry: LogEntry): void
  /** All metrics, in the text format. */
  text(): Promise<string>
  readonly contentType: string
}

/** Callers can name models that no card lists. From this number on they share a label, so that memory is bounded. */
const MOST_MODELS = 500
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]
const CALL = ['protocol', 'provider', 'model'] as const

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers })
  const histogram = (name: string, help: string) =>
    new Histogram({ name, help, labelNames: [...CALL], buckets: SECONDS, registers })
  const requests = counter('dragoman_requests_total', 'Responses to clients.', [...CALL, 'status', 'outcome'])
  const seconds = histogram('dragoman_request_seconds', 'Time until the end of a response.')
  const firstByte = histogram('dragoman_first_byte_seconds', 'Time until the first byte of a response.')
  const tokens = counter('dragoman_tokens_total', 'Tokens, as upstreams count them.', [...CALL, 'kind'])
  const dollars = counter('dragoman_cost_dollars_total', 'The price of responses, by item.', [...CALL, 'item'])
  const losses = counter('dragoman_losses_total', 'What translations could not express.', [...CALL, 'code'])
  const errors = counter('dragoman_errors_total', 'Errors that clients got.', [...CALL, 'kind'])
  const modelOf = createModelLabel()
  return {
    observe(entry) {
      const { protocol, provider = '', status, outcome, ms, firstByteMs, usage, cost, error } = entry
      const call = { protocol, provider, model: modelOf(entry.model) }
      requests.inc({ ...call, status, outcome })
      seconds.observe(call, ms / 1000)
      if (firstByteMs !== undefined) firstByte.observe(call, firstByteMs / 1000)
      if (usage?.input !== undefined) tokens.inc({ ...call, kind: 'input' }, usage.input)
      if (usage?.output !== undefined) tokens.inc({ ...call, kind: 'output' }, usage.output)
      for (const { name, nanos } of cost?.items ?? []) dollars.inc({ ...call, item: name }, nanos / 1e9)
      for (const loss of entry.losses) losses.inc({ ...call, code: lossCode(loss) })
      if (error !== undefined) errors.inc({ ...call, kind: error.kind })
    },
    text: () => registry.metrics(),
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
  }
}

function createModelLabel(): (model: string | undefined) => string {
  const known = new Set<string>()
  return (model = '') => {
    if (known.has(model)) return model
    if (known.size >= MOST_MODELS) return 'other'
    known.add(model)
    return model
  }
}
