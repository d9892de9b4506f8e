import { DragomanError, isObject, type JsonObject, type Protocol } from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import { addHeaders, ESTIMATED, routeHeaders } from '../call/answer-head.ts'
import { countCodec, createCountWork, type CountFacts } from '../bodies/count-work.ts'
import { decodeText } from '../ports/collect.ts'
import { ownKind } from '@dragoman/core/media'
import type { Handler } from '../modes/handler.ts'
import { noStream } from '../modes/no-stream.ts'
import type { Plan } from '../models/plan.ts'
import type { Route } from '../models/route.ts'
import type { OperationCall, RoutedOperation } from '../pipeline/operation.ts'

/** Counts the tokens of a request: by the upstream if a route can count, otherwise by an estimate that is marked as one. */
export const count: RoutedOperation<CountFacts, undefined> = {
  name: 'count',
  body: 'json',
  codec: 'count',
  needsKey: true,
  metered: 'calls',
  serves: ({ protocol, provider, card }, inbound) =>
    protocol === inbound && ownKind(card) === undefined && provider.counts?.includes(inbound.name) === true,
  createWork: createCountWork,
  send: ({ exchange: { protocol } }, _route, { body }) => ({
    operation: count.name,
    body,
    stream: false,
    createHandler: (upstreamCall) => countHandler(protocol, upstreamCall),
  }),
  recover(call, route, { absence }) {
    // Without the endpoint, the upstream does not count.
    if (absence !== undefined) answerWithEstimate(call, route)
    return absence !== undefined
  },
  answerAlone: answerWithEstimate,
}

const RELAY: Plan = { mode: 'relay' }

function answerWithEstimate({ exchange, body }: OperationCall<CountFacts>, route: Route): void {
  const { protocol, answer, meter } = exchange
  meter.planned(route, RELAY, false, [])
  answer.front.described = routeHeaders(route, RELAY, [], 0, meter.attempts)
  addHeaders(answer.front, ESTIMATED)
  answer.json(200, countCodec(protocol).encode(body.estimate))
}

/** Reads the count of an upstream. */
function countHandler(inbound: Protocol, call: Call): Handler {
  const codec = countCodec(inbound)
  return {
    call,
    streamType: '',
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const text = decodeText(bytes)
      const counted = readObject(text)
      if (counted['error'] != null) return { error: text }
      const tokens = codec.decode(counted)
      if (tokens === undefined) throw new DragomanError('upstream', 'The upstream gave no count.')
      return { body: JSON.stringify(codec.encode(tokens)), losses: [] }
    },
    stream: noStream,
  }
}

function readObject(text: string): JsonObject {
  const body: unknown = JSON.parse(text)
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave no count.')
  return body
}
