import { createRing } from './ring.ts'

/** What the calls of the last five minutes showed. Calls that say nothing about the upstream are not counted. */
export interface Measured {
  readonly calls: number
  readonly faults: number
  /** The median time to the first byte of good answers; absent without any. */
  readonly latencyMs?: number
  /** The median of output tokens per second; absent without any. */
  readonly tokensPerSecond?: number
}

export interface Window {
  success(now: number, latencyMs?: number, tokensPerSecond?: number): void
  fault(now: number): void
  measured(now: number): Measured
}

interface Bucket {
  calls: number
  faults: number
  readonly latencies: number[]
  readonly rates: number[]
}

const SPAN_MS = 10_000
const SPANS = 30
/** The samples that are kept per span: the first ones. */
const SAMPLES = 8

/** A median of more samples than this hardly changes with the next one: it is computed at most every `REFRESH_MS`. */
const FEW_CALLS = 64
const REFRESH_MS = 250

/** Measures one route. */
export function createWindow(): Window {
  const ring = createRing({ spanMs: SPAN_MS, spans: SPANS, create: createBucket, clear: clearBucket })
  let latest: Measured = { calls: 0, faults: 0 }
  let latestAt = -Infinity
  let isStale = true
  const isCurrent = (now: number): boolean =>
    Math.floor(now / SPAN_MS) === Math.floor(latestAt / SPAN_MS) &&
    (!isStale || (latest.calls > FEW_CALLS && now - latestAt < REFRESH_MS))
  return {
    success(now, latencyMs, tokensPerSecond) {
      const { latencies, rates } = count(ring.at(now))
      if (latencyMs !== undefined && latencies.length < SAMPLES) latencies.push(latencyMs)
      if (tokensPerSecond !== undefined && rates.length < SAMPLES) rates.push(tokensPerSecond)
      isStale = true
    },
    fault(now) {
      count(ring.at(now)).faults++
      isStale = true
    },
    measured(now) {
      if (isCurrent(now)) return latest
      const sum = createBucket()
      ring.each(now, (bucket) => addBucket(sum, bucket))
      latest = summarize(sum)
      latestAt = now
      isStale = false
      return latest
    },
  }
}

function createBucket(): Bucket {
  return { calls: 0, faults: 0, latencies: [], rates: [] }
}

function clearBucket(bucket: Bucket): void {
  bucket.calls = 0
  bucket.faults = 0
  bucket.latencies.length = 0
  bucket.rates.length = 0
}

function count(bucket: Bucket): Bucket {
  bucket.calls++
  return bucket
}

function addBucket(sum: Bucket, { calls, faults, latencies, rates }: Bucket): void {
  sum.calls += calls
  sum.faults += faults
  for (const latency of latencies) sum.latencies.push(latency)
  for (const rate of rates) sum.rates.push(rate)
}

function summarize({ calls, faults, latencies, rates }: Bucket): Measured {
  const latencyMs = median(latencies)
  const tokensPerSecond = median(rates)
  return {
    calls,
    faults,
    ...(latencyMs === undefined ? {} : { latencyMs }),
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
  }
}

function median(values: number[]): number | undefined {
  values.sort((left, right) => left - right)
  const upper = values[values.length >> 1]
  const lower = values[(values.length - 1) >> 1]
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2
}
