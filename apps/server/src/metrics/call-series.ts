import type { Outcome } from '@dragoman/gateway'

/** What is counted for the calls with one protocol, provider and model. */
export interface CallSeries {
  readonly labels: CallLabels
  /** Answers by `answerIndex`. */
  readonly requests: Tally<number>
  readonly seconds: Histogram
  readonly firstByte: Histogram
  readonly firstToken: Histogram
  /** Tokens by the index of TOKEN_LABELS. */
  readonly tokens: Tally<number>
  /** Nano-dollars by item: whole numbers, whose sums are exact. */
  readonly nanos: Tally<string>
  readonly losses: Tally<string>
  readonly errors: Tally<string>
  readonly upstreamErrors: Tally<string>
}

export type CallLabels = { readonly [label in 'protocol' | 'provider' | 'model']: string }

export type Tally<Key> = Map<Key, number>

/** Seconds. */
export const BOUNDS: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export interface Histogram {
  /** The observations up to each bound, but above the one before, and at last those above all. */
  readonly counts: number[]
  sum: number
}

export interface SeriesTable {
  /** In the order in which they were needed. */
  readonly all: readonly CallSeries[]
  of(protocol: string, provider: string, model: string): CallSeries
}

/** Finds the counters of a call without a text of its labels. A model has few providers and protocols. */
export function createSeriesTable(): SeriesTable {
  const all: CallSeries[] = []
  const byModel = new Map<string, CallSeries[]>()
  return {
    all,
    of(protocol, provider, model) {
      const known = byModel.get(model) ?? []
      for (const series of known)
        if (series.labels.provider === provider && series.labels.protocol === protocol) return series
      const series = createSeries({ protocol, provider, model })
      if (known.push(series) === 1) byModel.set(model, known)
      all.push(series)
      return series
    },
  }
}

function createSeries(labels: CallLabels): CallSeries {
  return {
    labels,
    requests: new Map(),
    seconds: createHistogram(),
    firstByte: createHistogram(),
    firstToken: createHistogram(),
    tokens: new Map(),
    nanos: new Map(),
    losses: new Map(),
    errors: new Map(),
    upstreamErrors: new Map(),
  }
}

function createHistogram(): Histogram {
  return { counts: [], sum: 0 }
}

/** A counter never becomes less, and never infinite: an upstream can report any number of tokens. */
export function add<Key>(tally: Tally<Key>, key: Key, value = 1): void {
  if (value >= 0 && value < Number.POSITIVE_INFINITY) tally.set(key, (tally.get(key) ?? 0) + value)
}

export function observeMs(histogram: Histogram, ms: number): void {
  const { counts } = histogram
  if (counts.length === 0) for (let i = 0; i <= BOUNDS.length; i++) counts.push(0)
  const seconds = ms / 1000
  let index = 0
  while (index < BOUNDS.length && seconds > (BOUNDS[index] ?? 0)) index++
  counts[index] = (counts[index] ?? 0) + 1
  histogram.sum += seconds
}

const OUTCOMES: readonly Outcome[] = ['complete', 'failed', 'interrupted', 'aborted']

/** A number for the status and the outcome of an answer. */
export function answerIndex(status: number, outcome: Outcome): number {
  return status * OUTCOMES.length + OUTCOMES.indexOf(outcome)
}

export function answerLabels(index: number): { readonly status: number; readonly outcome: string } {
  return {
    status: Math.floor(index / OUTCOMES.length),
    outcome: OUTCOMES[index % OUTCOMES.length] ?? '',
  }
}

export const TOKEN_LABELS = [
  { kind: 'input', source: 'upstream' },
  { kind: 'output', source: 'upstream' },
  { kind: 'input', source: 'estimate' },
  { kind: 'output', source: 'estimate' },
] as const
