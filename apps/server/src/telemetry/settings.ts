import type { Environment } from '@dragoman/core/provider'
import { choiceOf, numberOf, refuse, type Wrong } from '../settings.ts'

/** What is sent to OpenTelemetry. At least one of `traces` and `metrics` is set. */
export interface TelemetrySettings {
  readonly traces: Signal | undefined
  readonly metrics: Signal | undefined
  readonly sampling: Sampling
  /** How long finished spans are collected before they are sent. */
  readonly spanDelayMs: number
  readonly metricIntervalMs: number
}

/** Where and how one signal is sent. The exporters read addresses, headers, certificates and timeouts from the environment themselves. */
export interface Signal {
  readonly protocol: (typeof PROTOCOLS)[number]
  /** The collector, for the log. */
  readonly origin: string
}

/** Which traces are recorded: those that their parent wants, if it counts, and a share of the others. */
export interface Sampling {
  readonly isParentBased: boolean
  readonly ratio: number
}

const PROTOCOLS = ['http/protobuf', 'http/json'] as const
const EXPORTERS = ['', 'otlp', 'none'] as const
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const
const LONGEST_MS = 24 * 3600 * 1000

/** The standard variables of OpenTelemetry. Undefined unless an exporter is configured. */
export function readTelemetry(environment: Environment, wrong: Wrong = refuse): TelemetrySettings | undefined {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined
  const traces = readSignal(environment, 'TRACES', wrong)
  const metrics = readSignal(environment, 'METRICS', wrong)
  if (traces === undefined && metrics === undefined) return undefined
  return {
    traces,
    metrics,
    sampling: readSampling(environment, wrong),
    spanDelayMs: numberOf(environment, 'OTEL_BSP_SCHEDULE_DELAY', 5000, LONGEST_MS, wrong),
    // The exporter needs an interval above 0.
    metricIntervalMs: numberOf(environment, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, LONGEST_MS, wrong) || 1,
  }
}

function readSignal(environment: Environment, signal: 'TRACES' | 'METRICS', wrong: Wrong): Signal | undefined {
  const exporter = choiceOf(environment, `OTEL_${signal}_EXPORTER`, EXPORTERS, '', wrong)
  const named = firstOf(environment, [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  if (exporter === 'none' || (exporter === '' && named === undefined)) return undefined
  const protocol = firstOf(environment, [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL'])
  return {
    protocol: protocol === undefined ? PROTOCOLS[0] : choiceOf(environment, protocol, PROTOCOLS, PROTOCOLS[0], wrong),
    origin: named === undefined ? 'http://localhost:4318' : originOf(environment, named, wrong),
  }
}

function readSampling(environment: Environment, wrong: Wrong): Sampling {
  const name = 'OTEL_TRACES_SAMPLER'
  const choices = SAMPLERS.flatMap((sampler) => [sampler, `parentbased_${sampler}` as const])
  const sampler = choiceOf(environment, name, choices, 'parentbased_always_on', wrong)
  const isParentBased = sampler.startsWith('parentbased_')
  if (!sampler.endsWith('traceidratio')) return { isParentBased, ratio: sampler.endsWith('always_on') ? 1 : 0 }
  const text = environment[`${name}_ARG`]?.trim() ?? ''
  const ratio = text === '' ? 1 : Number(text)
  if (!(ratio >= 0 && ratio <= 1)) wrong(`${name}_ARG must be a number from 0 to 1.`)
  return { isParentBased, ratio }
}

/** The first of these variables that has a value. */
function firstOf(environment: Environment, names: readonly string[]): string | undefined {
  return names.find((name) => (environment[name]?.trim() ?? '') !== '')
}

/** The value is not shown: it may contain a password. */
function originOf(environment: Environment, name: string, wrong: Wrong): string {
  const url = URL.parse(environment[name] ?? '')
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin
  wrong(`${name} must be an http or https URL.`)
  return ''
}
