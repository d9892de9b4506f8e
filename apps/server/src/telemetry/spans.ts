import {
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type TextMapGetter,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { lossCode, type Usage } from '@dragoman/core'
import type { CallEnd, RoutedCall, StageCall } from '@dragoman/gateway'
import { errorTypeOf } from '../labels.ts'
import type { Observer } from '../observer.ts'
import { operationName, providerName, routeOf, serverOf } from './names.ts'

/** The spans of a running call. */
interface CallSpans {
  readonly server: Span
  readonly context: Context
  /** The span of the attempt that is under way. */
  client: Span | undefined
  attempts: number
}

const propagator = new W3CTraceContextPropagator()
const headersOf: TextMapGetter<StageCall> = { get: ({ header }, name) => header(name), keys: () => [] }

/** A server span for every admitted call, and in it a client span for every attempt. They contain no text of requests and answers. */
export function createSpans(tracer: Tracer): Pick<Observer, 'stage' | 'observe'> {
  const calls = new Map<string, CallSpans>()
  return {
    stage: {
      afterAdmission(call) {
        calls.set(call.requestId, openCall(tracer, call))
      },
      beforeRoute({ requestId, operation, protocol, model, stream }) {
        calls.get(requestId)?.server.setAttributes({
          'gen_ai.operation.name': operationName(operation, protocol),
          'gen_ai.request.model': model,
          ...streamOf(stream),
        })
      },
      beforeCall(call) {
        const spans = calls.get(call.requestId)
        if (spans !== undefined) openAttempt(tracer, call, spans)
      },
      onAttempt({ requestId }, attempt) {
        const { client } = calls.get(requestId) ?? {}
        if (client === undefined) return
        const { status, stream, firstByteMs, usage } = attempt
        client.setAttributes({
          ...serverOf(attempt),
          ...(status === undefined ? {} : { 'http.response.status_code': status }),
          ...(stream && firstByteMs !== undefined ? { 'gen_ai.response.time_to_first_chunk': firstByteMs / 1000 } : {}),
          ...(usage === undefined ? {} : usageOf(usage)),
        })
        close(client, errorTypeOf(attempt), attempt.startedAt + attempt.ms)
      },
      aroundAnswer({ requestId }, { status }) {
        calls.get(requestId)?.server.setAttribute('http.response.status_code', status)
      },
      onSettle({ requestId, startedAt }, end) {
        const spans = calls.get(requestId)
        calls.delete(requestId)
        if (spans === undefined) return
        // Still open if a later stage has refused the attempt. Otherwise this has no effect.
        if (spans.client?.isRecording() === true) close(spans.client, end.error ?? end.outcome, startedAt + end.ms)
        close(spans.server, serverError(end), startedAt + end.ms)
      },
    },
    observe({ requestId, mode, cost, losses }) {
      calls.get(requestId)?.server.setAttributes({
        ...(mode === undefined ? {} : { 'dragoman.mode': mode }),
        ...(cost === undefined ? {} : { 'dragoman.cost': cost.total / 1e9 }),
        ...(losses.length === 0 ? {} : { 'dragoman.losses': [...new Set(losses.map(lossCode))] }),
      })
    },
  }
}

/** Continues the client's trace, if it sends one. */
function openCall(tracer: Tracer, call: StageCall): CallSpans {
  const { method, path, protocol, requestId, caller, startedAt } = call
  const parent = propagator.extract(ROOT_CONTEXT, call, headersOf)
  const route = routeOf(method, path, protocol)
  const attributes: Attributes = {
    'http.request.method': method,
    'http.route': route,
    'url.path': path,
    'url.scheme': 'http',
    'dragoman.protocol': protocol,
    'dragoman.request_id': requestId,
    ...(caller === undefined ? {} : { 'dragoman.caller': caller.id }),
  }
  const options = { kind: SpanKind.SERVER, startTime: startedAt, attributes }
  const server = tracer.startSpan(`${method} ${route}`, options, parent)
  return { server, context: trace.setSpan(parent, server), client: undefined, attempts: 0 }
}

/** The upstream gets the client span as the parent of its own spans. */
function openAttempt(tracer: Tracer, call: RoutedCall, spans: CallSpans): void {
  const { provider, model, upstreamModel, protocol } = call.route
  const operation = operationName(call.operation, protocol)
  const attributes: Attributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerName(provider),
    'gen_ai.request.model': upstreamModel,
    ...streamOf(call.stream),
    ...(spans.attempts === 0 ? {} : { 'http.request.resend_count': spans.attempts }),
    'dragoman.protocol': protocol,
    'dragoman.model': model,
  }
  const name = `${operation} ${upstreamModel.slice(0, LONGEST_NAME)}`
  const options = { kind: SpanKind.CLIENT, startTime: Date.now(), attributes }
  spans.client = tracer.startSpan(name, options, spans.context)
  spans.attempts++
  spans.server.setAttribute('gen_ai.response.model', upstreamModel)
  const headers: { [name: string]: string } = {}
  propagator.inject(trace.setSpan(spans.context, spans.client), headers, defaultTextMapSetter)
  call.addUpstreamHeaders(headers)
}

/** Models can be named by callers. */
const LONGEST_NAME = 128

function close(span: Span, errorType: string | undefined, time: number): void {
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end(time)
}

/** A mistake of the client is not an error of the server. */
function serverError({ status, outcome, error }: CallEnd): string | undefined {
  if (outcome === 'interrupted' || outcome === 'aborted' || status >= 500) return error ?? outcome
  return undefined
}

/** The conventions leave it out if there is no stream. */
function streamOf(stream: boolean): Attributes {
  return stream ? { 'gen_ai.request.stream': true } : {}
}

function usageOf(usage: Usage): Attributes {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, reasoning, estimated, clamped } = usage
  const written = (cacheWrite5m ?? 0) + (cacheWrite1h ?? 0)
  return {
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': written === 0 ? undefined : written,
    'gen_ai.usage.reasoning.output_tokens': reasoning,
    'dragoman.estimated': estimated,
    'dragoman.clamped': clamped,
  }
}
