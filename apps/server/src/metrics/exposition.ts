/** A metric in the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
}

/** One line of a metric. */
export interface Sample {
  /** What follows the name of the metric, for histograms. */
  readonly suffix?: string
  readonly labels: { readonly [name: string]: string | number }
  readonly value: number
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function familyText({ name, help, type }: Family, samples: Iterable<Sample>): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
  for (const { suffix = '', labels, value } of samples) lines.push(`${name}${suffix}{${labelText(labels)}} ${value}`)
  return `${lines.join('\n')}\n`
}

function labelText(labels: Sample['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(String(value))}"`)
    .join(',')
}

const ESCAPE_OF: { readonly [character: string]: string } = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => ESCAPE_OF[character] ?? character)
}
