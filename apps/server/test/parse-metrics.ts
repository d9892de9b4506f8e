import { createRequire } from 'node:module'

/** One metric of the text format; histograms have buckets, without labels. */
export interface ParsedMetric {
  readonly name: string
  readonly metrics: readonly { readonly labels?: object; readonly value?: string; readonly buckets?: object }[]
}

const require = createRequire(import.meta.url)
// The package has no types.
const parse = require('parse-prometheus-text-format') as (text: string) => ParsedMetric[]

/** Reads the text format of Prometheus with a parser that is not ours. */
export function parseMetrics(text: string): { readonly [name: string]: ParsedMetric } {
  return Object.fromEntries(parse(text).map((metric) => [metric.name, metric]))
}
