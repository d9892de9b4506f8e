import {
  answerLabels,
  BOUNDS,
  TOKEN_LABELS,
  type CallLabels,
  type CallSeries,
  type Histogram,
  type Tally,
} from './call-series.ts'
import type { Family, Sample } from './exposition.ts'

/** A metric of calls, and what a series has of it. */
export interface CallFamily extends Family {
  readonly samplesOf: (series: CallSeries) => readonly Sample[]
}

export const CALL_FAMILIES: readonly CallFamily[] = [
  counter('dragoman_requests_total', 'Responses to clients.', ({ requests }) => tallied(requests, answerLabels)),
  histogram('dragoman_request_seconds', 'Time until the end of a response.', ({ seconds }) => seconds),
  histogram('dragoman_first_byte_seconds', 'Time until the first byte of a response.', ({ firstByte }) => firstByte),
  counter('dragoman_tokens_total', 'Tokens, as upstreams count them, or estimates.', ({ tokens }) =>
    tallied(tokens, (index) => TOKEN_LABELS[index] ?? {}),
  ),
  counter('dragoman_cost_dollars_total', 'The price of responses, by item.', ({ nanos }) =>
    tallied(nanos, (item) => ({ item })).map(({ labels, value }) => ({ labels, value: value / 1e9 })),
  ),
  counter('dragoman_losses_total', 'What translations could not express.', ({ losses }) =>
    tallied(losses, (code) => ({ code })),
  ),
  counter('dragoman_errors_total', 'Errors that clients got.', ({ errors }) => tallied(errors, (kind) => ({ kind }))),
  histogram(
    'dragoman_time_to_first_token_seconds',
    'Time until the upstream has sent the first byte of a streamed response.',
    ({ firstToken }) => firstToken,
  ),
  counter('dragoman_upstream_errors_total', 'Upstream calls that failed.', ({ upstreamErrors }) =>
    tallied(upstreamErrors, (kind) => ({ kind })),
  ),
]

function counter(name: string, help: string, samplesOf: (series: CallSeries) => readonly Sample[]): CallFamily {
  return {
    name,
    help,
    type: 'counter',
    samplesOf: (series) =>
      samplesOf(series).map(({ labels, value }) => ({ labels: { ...series.labels, ...labels }, value })),
  }
}

function tallied<Key>(tally: Tally<Key>, labelsOf: (key: Key) => Sample['labels']): readonly Sample[] {
  return [...tally].map(([key, value]) => ({ labels: labelsOf(key), value }))
}

function histogram(name: string, help: string, histogramOf: (series: CallSeries) => Histogram): CallFamily {
  return {
    name,
    help,
    type: 'histogram',
    samplesOf: (series) => bucketsOf(series.labels, histogramOf(series)),
  }
}

/** Each bucket includes those before it, as the format requires. */
function bucketsOf(labels: CallLabels, { counts, sum }: Histogram): readonly Sample[] {
  if (counts.length === 0) return []
  let value = 0
  const buckets = counts.map((count, index): Sample => {
    value += count
    return { suffix: '_bucket', labels: { ...labels, le: BOUNDS[index] ?? '+Inf' }, value }
  })
  return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value }]
}
