import type { Attributes, Meter } from '@opentelemetry/api'
import { lossCode } from '@dragoman/core'
import type { BreakerState, StageCall } from '@dragoman/gateway'
import { breakerValues, createModelLabel, errorTypeOf, firstTokenMs, type BreakerValue } from '../labels.ts'
import type { Observer } from '../observer.ts'
import { operationName, providerName, serverOf } from './names.ts'

/** The limits of buckets that the GenAI conventions recommend. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864]

/** Metrics with the names of the GenAI conventions, and our own for what they have no name for. */
export function createInstruments(
  meter: Meter,
  breakers: () => readonly BreakerState[],
): Pick<Observer, 'stage' | 'observe'> {
  const seconds = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: SECONDS } })
  const counter = (name: string, description: string, unit: string) => meter.createCounter(name, { description, unit })
  const duration = seconds('gen_ai.client.operation.duration', 'Time of an upstream call.')
  const firstChunk = seconds(
    'gen_ai.client.operation.time_to_first_chunk',
    'Time of an upstream call until its first byte.',
  )
  const served = seconds('gen_ai.server.request.duration', 'Time of a call until the end of its response.')
  const firstToken = seconds('gen_ai.server.time_to_first_token', 'Time of a call until the first byte of its stream.')
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Tokens, as upstreams count them.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: TOKENS },
  })
  const requests = counter('dragoman.requests', 'Responses to clients.', '{request}')
  const dollars = counter('dragoman.cost', 'The price of responses, by item.', '{USD}')
  const losses = counter('dragoman.losses', 'What translations could not express.', '{loss}')
  const modelOf = createModelLabel()
  observeBreakers(meter, () => breakerValues(breakers(), modelOf))
  const upstreamModelOf = createModelLabel()
  /** The attributes of calls that were sent to an upstream. */
  const routed = new WeakMap<StageCall, Attributes>()
  return {
    stage: {
      onAttempt(call, attempt) {
        const { protocol, stream, firstByteMs, usage } = attempt
        const route = {
          'gen_ai.provider.name': providerName(attempt.provider),
          'gen_ai.request.model': upstreamModelOf(call.route.upstreamModel),
        }
        const client = {
          ...route,
          'gen_ai.operation.name': operationName(call.operation, protocol),
          ...serverOf(attempt),
        }
        const server = { ...route, 'gen_ai.operation.name': operationName(call.operation, call.protocol) }
        routed.set(call, server)
        duration.record(attempt.ms / 1000, { ...client, ...errorOf(errorTypeOf(attempt)) })
        if (stream && firstByteMs !== undefined) firstChunk.record(firstByteMs / 1000, client)
        const ms = firstTokenMs(call, attempt)
        if (ms !== undefined) firstToken.record(ms / 1000, server)
        // The conventions allow no estimates here.
        const { input, output, estimated } = usage ?? {}
        if (estimated === true) return
        if (input !== undefined) tokens.record(input, { ...client, 'gen_ai.token.type': 'input' })
        if (output !== undefined) tokens.record(output, { ...client, 'gen_ai.token.type': 'output' })
      },
      onSettle(call, { ms, outcome, error }) {
        const server = routed.get(call)
        if (server === undefined) return
        const failed = outcome === 'complete' ? undefined : (error ?? outcome)
        served.record(ms / 1000, { ...server, ...errorOf(failed) })
      },
    },
    observe(entry) {
      const { protocol, provider, model, status, outcome, cost, error } = entry
      const call = {
        'dragoman.protocol': protocol,
        ...(provider === undefined ? {} : { 'gen_ai.provider.name': providerName(provider) }),
        ...(model === undefined ? {} : { 'dragoman.model': modelOf(model) }),
      }
      const answer = { 'http.response.status_code': status, 'dragoman.outcome': outcome, ...errorOf(error?.kind) }
      requests.add(1, { ...call, ...answer })
      for (const { name, nanos } of cost?.items ?? []) dollars.add(nanos / 1e9, { ...call, 'dragoman.item': name })
      for (const loss of entry.losses) losses.add(1, { ...call, 'dragoman.code': lossCode(loss) })
    },
  }
}

function errorOf(type: string | undefined): Attributes {
  return type === undefined ? {} : { 'error.type': type }
}

function observeBreakers(meter: Meter, breakers: () => readonly BreakerValue[]): void {
  const description = 'The circuit breaker of a provider or model: 0 closed, 1 half-open, 2 open.'
  meter.createObservableGauge('dragoman.breaker.state', { description }).addCallback((result) => {
    for (const { provider, model, value } of breakers()) {
      const named = model === undefined ? {} : { 'dragoman.model': model }
      result.observe(value, { 'gen_ai.provider.name': providerName(provider), ...named })
    }
  })
  const ofCallers = 'The callers for which the circuit breaker of a provider or model is not closed.'
  meter.createObservableGauge('dragoman.breaker.callers', { description: ofCallers }).addCallback((result) => {
    for (const { provider, model, callers } of breakers()) {
      const named = model === undefined ? {} : { 'dragoman.model': model }
      result.observe(callers, { 'gen_ai.provider.name': providerName(provider), ...named })
    }
  })
}
