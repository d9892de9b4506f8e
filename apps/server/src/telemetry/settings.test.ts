import { describe, expect, it } from 'vitest'
import { readTelemetry } from './settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:canary@collector.test:4318/base' }
const SIGNAL = { protocol: 'http/protobuf', origin: 'https://collector.test:4318' }

describe('the variables of OpenTelemetry', () => {
  it.each([
    ['there are none', {}],
    ['the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }],
    ['both exporters are none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
    ['the endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ])('send nothing if %s', (_what, environment) => {
    expect(readTelemetry(environment)).toBeUndefined()
  })

  it('send both signals to an endpoint, as protobuf, with the sampling of the parent', () => {
    expect(readTelemetry(ENDPOINT)).toEqual({
      traces: SIGNAL,
      metrics: SIGNAL,
      sampling: { isParentBased: true, ratio: 1 },
      spanDelayMs: 5000,
      metricIntervalMs: 60_000,
    })
  })

  it('can differ by signal', () => {
    const own = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.test/x',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    }
    const traces = { protocol: 'http/json', origin: 'http://t.test' }
    expect(readTelemetry(own)).toMatchObject({ traces, metrics: undefined })
    expect(readTelemetry({ ...ENDPOINT, ...own })).toMatchObject({ traces, metrics: SIGNAL })
    expect(readTelemetry({ OTEL_METRICS_EXPORTER: 'otlp' })).toMatchObject({
      traces: undefined,
      metrics: { origin: 'http://localhost:4318' },
    })
  })

  it.each([
    ['always_on', undefined, false, 1],
    ['always_off', undefined, false, 0],
    ['traceidratio', '0.25', false, 0.25],
    ['parentbased_always_on', '0.5', true, 1],
    ['parentbased_always_off', undefined, true, 0],
    ['parentbased_traceidratio', undefined, true, 1],
  ])('choose the sampler %s', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, isParentBased, ratio) => {
    const environment = { ...ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }
    expect(readTelemetry(environment)?.sampling).toEqual({ isParentBased, ratio })
  })

  it.each([
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      /^OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/protobuf, http\/json\.$/,
    ],
    [{ OTEL_TRACES_EXPORTER: 'jaeger' }, /^OTEL_TRACES_EXPORTER must be one of/],
    [{ OTEL_TRACES_SAMPLER: 'some' }, /^OTEL_TRACES_SAMPLER must be one of always_on, parentbased_always_on/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      /^OTEL_TRACES_SAMPLER_ARG must be a number/,
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'canary' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL\.$/],
    [{ OTEL_BSP_SCHEDULE_DELAY: 'soon' }, /^OTEL_BSP_SCHEDULE_DELAY must be a whole number/],
  ])('are refused by name if they are wrong: %o', (wrong, message) => {
    expect(() => readTelemetry({ ...ENDPOINT, ...wrong })).toThrow(message)
  })
})
