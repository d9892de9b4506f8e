import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  serviceNameEnvDetector,
  type Resource,
} from '@opentelemetry/resources'
import type { BreakerState } from '@dragoman/gateway'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { ServerLog } from '../log.ts'
import type { Observer } from '../observer.ts'
import { noteFailures } from './export-notes.ts'
import type { Sampling, Signal, TelemetrySettings } from './settings.ts'

const SCOPE = 'dragoman'
/** A longer attribute is cut off: callers can name models. */
const LONGEST_VALUE = 256

/** The observers for the configured signals. Only their packages are loaded. */
export async function startTelemetry(
  settings: TelemetrySettings,
  log: ServerLog,
  breakers: () => readonly BreakerState[],
): Promise<readonly Observer[]> {
  const { traces, metrics } = settings
  const resource = createResource()
  const observers: Observer[] = []
  if (traces !== undefined) observers.push(await createTraces(traces, settings, resource, log))
  if (metrics !== undefined) observers.push(await createMetrics(metrics, settings, resource, log, breakers))
  return observers
}

async function createTraces(
  signal: Signal,
  { sampling, spanDelayMs }: TelemetrySettings,
  resource: Resource,
  log: ServerLog,
): Promise<Observer> {
  const [{ BatchSpanProcessor, TracerProvider }, { createSpans }, exporter, sampler] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('./spans.ts'),
    createSpanExporter(signal),
    createSampler(sampling),
  ])
  noteFailures(exporter, `traces for ${signal.origin}`, log)
  const spanProcessors = [new BatchSpanProcessor({ exporter, scheduledDelayMillis: spanDelayMs })]
  const spanLimits = { attributeValueLengthLimit: LONGEST_VALUE }
  const provider = new TracerProvider({ resource, sampler, spanProcessors, spanLimits })
  log.note('info', `traces are sent to ${signal.origin}`)
  return { ...createSpans(provider.getTracer(SCOPE)), close: () => provider.shutdown() }
}

async function createMetrics(
  signal: Signal,
  { metricIntervalMs }: TelemetrySettings,
  resource: Resource,
  log: ServerLog,
  breakers: () => readonly BreakerState[],
): Promise<Observer> {
  const [{ MeterProvider, PeriodicExportingMetricReader }, { createInstruments }, exporter] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('./instruments.ts'),
    createMetricExporter(signal),
  ])
  noteFailures(exporter, `metrics for ${signal.origin}`, log)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: metricIntervalMs })
  const provider = new MeterProvider({ resource, readers: [reader] })
  log.note('info', `metrics are sent to ${signal.origin}`)
  return { ...createInstruments(provider.getMeter(SCOPE), breakers), close: () => provider.shutdown() }
}

async function createSpanExporter({ protocol }: Signal): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

async function createMetricExporter({ protocol }: Signal): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}

async function createSampler({ isParentBased, ratio }: Sampling) {
  const { ParentBasedSampler, TraceIdRatioBasedSampler } = await import('@opentelemetry/sdk-trace')
  const root = new TraceIdRatioBasedSampler(ratio)
  return isParentBased ? new ParentBasedSampler({ root }) : root
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
function createResource(): Resource {
  const detectors = [serviceInstanceIdDetector, resourceAttributesEnvDetector, serviceNameEnvDetector]
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'dragoman' }))
    .merge(detectResources({ detectors }))
}
