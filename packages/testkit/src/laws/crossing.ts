import {
  createLosses,
  type JsonObject,
  type Limits,
  type Protocol,
  type ModelRequest,
  type ModelResponse,
  type StreamEvent,
} from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { namesIn } from '../generators/request.ts'
import { foldOf } from '../generators/stream.ts'
import { mustExplain } from './honesty.ts'
import { bytesOf, decodeStream, encodeStream } from './streams.ts'
import { checkedAsSent, createExchange, sent, type Exchange, type Subject } from './subject.ts'

/** Honesty of requests: an upstream understands the original request, except for the losses in the report. */
export function mustEncodeRequestHonestly(
  protocol: Protocol,
  subject: Subject,
  request: ModelRequest,
  limits?: Limits,
  dialect?: JsonObject,
): void {
  const losses = createLosses()
  const exchange = createExchange(protocol, subject, {
    toward: 'upstream',
    names: namesIn(request),
    dialect,
    ...(limits === undefined ? {} : { limits }),
  })
  const wire = sent(protocol.request.encode(request, exchange.encode(losses)))
  subject.accepts.request(wire)
  const path = { model: request.model, stream: request.delivery.stream } // protocols without these members read them from the path
  const understood = protocol.request.decode(checkedAsSent(protocol, subject, wire), { ...exchange.decode, path })
  mustExplain(losses.entries(), request, understood)
}

/** Honesty of whole responses, toward a client. */
export function mustEncodeResponseHonestly(protocol: Protocol, subject: Subject, response: ModelResponse): void {
  const losses = createLosses()
  const exchange = exchangeOf(protocol, subject, response)
  const wire = sent(protocol.response.encode(response, exchange.encode(losses)))
  subject.accepts.response(wire)
  mustExplain(
    losses.entries(),
    response,
    understood(protocol.response.decode(wire, exchange.decode), subject, exchange),
  )
}

/** Honesty of streamed answers: paths of the report refer to the fold of the events. */
export function mustEncodeStreamHonestly(protocol: Protocol, subject: Subject, events: readonly StreamEvent[]): void {
  const losses = createLosses()
  const original = foldOf(events)
  const exchange = exchangeOf(protocol, subject, original)
  const text = encodeStream(protocol, events, exchange.encode(losses))
  subject.accepts.stream(text)
  const read = foldOf(decodeStream(protocol, [bytesOf(text)], exchange.decode))
  mustExplain(losses.entries(), original, understood(read, subject, exchange))
}

/** What a client understands is what it sends back. */
export function understood(response: ModelResponse, subject: Subject, exchange: Exchange): ModelResponse {
  return subject.echoed?.(response, exchange) ?? response
}

/** Limits as in model cards. */
export function limits(): Arbitrary<Limits | undefined> {
  const range = fc.record({ min: fc.constant(1024), max: fc.integer({ min: 2048, max: 32_000 }) })
  return fc.option(
    fc.record({ maxTokens: fc.integer({ min: 1, max: 64_000 }), reasoning: range }, { requiredKeys: [] }),
    { nil: undefined },
  )
}

function exchangeOf(protocol: Protocol, subject: Subject, response: ModelResponse) {
  const stop = response.candidates.flatMap(({ finish }) => (finish.sequence === undefined ? [] : [finish.sequence]))
  return createExchange(protocol, subject, { toward: 'client', stop })
}
