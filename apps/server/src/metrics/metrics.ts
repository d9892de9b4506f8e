import { lossCode } from '@dragoman/core'
import type { BreakerState, LogEntry } from '@dragoman/gateway'
import { breakerValues, createModelLabel, errorTypeOf, firstTokenMs, type BreakerValue } from '../labels.ts'
import type { Observer } from '../observer.ts'
import { add, answerIndex, createSeriesTable, observeMs, type CallSeries } from './call-series.ts'
import { CALL_FAMILIES } from './call-families.ts'
import { CONTENT_TYPE, familyText, type Family, type Sample } from './exposition.ts'

/** Counts calls and attempts for Prometheus. */
export interface Metrics extends Observer {
  /** All metrics, in the text format. */
  text(): string
  readonly contentType: string
}

/** Text is written only when Prometheus asks: a call adds to numbers that it finds by its protocol, provider and model. */
export function createMetrics(breakers: () => readonly BreakerState[] = () => []): Metrics {
  const table = createSeriesTable()
  const modelOf = createModelLabel()
  return {
    stage: {
      onAttempt(call, attempt) {
        const kind = errorTypeOf(attempt)
        const ms = firstTokenMs(call, attempt)
        const isError = kind !== undefined && kind !== 'aborted'
        if (ms === undefined && !isError) return
        const series = table.of(call.protocol, attempt.provider, modelOf(attempt.model))
        if (ms !== undefined) observeMs(series.firstToken, ms)
        if (isError) add(series.upstreamErrors, kind)
      },
    },
    observe: (entry) => count(table.of(entry.protocol, entry.provider ?? '', modelOf(entry.model)), entry),
    close: () => Promise.resolve(),
    text() {
      const values = breakerValues(breakers(), modelOf)
      return [
        ...CALL_FAMILIES.map(({ samplesOf, ...family }) => familyText(family, table.all.flatMap(samplesOf))),
        familyText(
          BREAKER_STATE,
          breakerSamples(values, ({ value }) => value),
        ),
        familyText(
          BREAKER_CALLERS,
          breakerSamples(values, ({ callers }) => callers),
        ),
      ].join('\n')
    },
    contentType: CONTENT_TYPE,
  }
}

function count(series: CallSeries, { status, outcome, ms, firstByteMs, usage, cost, error, losses }: LogEntry): void {
  add(series.requests, answerIndex(status, outcome))
  observeMs(series.seconds, ms)
  if (firstByteMs !== undefined) observeMs(series.firstByte, firstByteMs)
  const source = usage?.estimated === true ? 2 : 0
  if (usage?.input !== undefined) add(series.tokens, source, usage.input)
  if (usage?.output !== undefined) add(series.tokens, source + 1, usage.output)
  if (cost !== undefined) for (const { name, nanos } of cost.items) add(series.nanos, name, nanos)
  for (const loss of losses) add(series.losses, lossCode(loss))
  if (error !== undefined) add(series.errors, error.kind)
}

const BREAKER_STATE: Family = {
  name: 'dragoman_breaker_state',
  help: 'The circuit breaker of a provider or model: 0 closed, 1 half-open, 2 open.',
  type: 'gauge',
}
const BREAKER_CALLERS: Family = {
  name: 'dragoman_breaker_callers',
  help: 'The callers for which the circuit breaker of a provider or model is not closed.',
  type: 'gauge',
}

/** Models can share labels. The last one counts, which is the worst. */
function breakerSamples(values: readonly BreakerValue[], valueOf: (breaker: BreakerValue) => number): Iterable<Sample> {
  const samples = new Map<string, Sample>()
  for (const breaker of values) {
    const { provider, model = '' } = breaker
    samples.set(JSON.stringify([provider, model]), { labels: { provider, model }, value: valueOf(breaker) })
  }
  return samples.values()
}
