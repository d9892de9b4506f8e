import {
  checkCounts,
  DragomanError,
  isObject,
  refuseDepth,
  type CountCodec,
  type JsonObject,
  type Match,
  type Protocol,
  type ModelRequest,
} from '@dragoman/core'
import type { Call } from '@dragoman/core/provider'
import { readJson } from '../body.ts'
import { estimateTokens } from '../bodies/estimate.ts'
import { relayBody } from '../bodies/relay-body.ts'
import {
  present,
  workRouteOf,
  type BodyFacts,
  type LocalWork,
  type Prepared,
  type WorkOptions,
} from '../bodies/request-work.ts'
import { decodeText } from '../collect.ts'
import { fillReferences, referencesOf } from '../memory/fill-references.ts'
import type { Plan } from '../plan.ts'
import type { Route } from '../route.ts'
import { addHeaders, ESTIMATED, routeHeaders } from '../answer-head.ts'
import { whenThere } from '../when-there.ts'
import { hasConversations } from '../media/media-mode.ts'
import { send } from '../modes/send.ts'
import type { Handler } from '../modes/handler.ts'
import type { Failed } from '../routing/failed.ts'
import type { JsonOperation, OperationCall } from './operation.ts'

interface CountFacts extends BodyFacts {
  readonly estimate: number
}

/** Counts the tokens of a request: by the upstream if a route can count, otherwise by an estimate that is marked as one. */
export const count: JsonOperation<CountFacts> = {
  name: 'count',
  body: 'json',
  codec: 'count',
  needsKey: true,
  metered: 'calls',
  serves: ({ protocol, provider, card }, inbound) =>
    protocol === inbound && hasConversations(card) && provider.counts?.includes(inbound.name) === true,
  createWork: createCountWork,
  ask(call, route, next) {
    const { settings, exchange, work, fail } = call
    const { protocol } = exchange
    describe(call, route)
    const sendBody = ({ body }: Prepared): void => {
      if (exchange.answer.over) return
      send(settings, exchange, route, {
        operation: count.name,
        body,
        stream: false,
        createHandler: (upstreamCall) => countHandler(protocol, codecOf(protocol), upstreamCall),
        // Without the endpoint, the upstream does not count.
        next: { ...next, failed: (failed) => estimateInstead(call, route, failed) || next.failed(failed) },
        fail,
      })
    }
    whenThere(work.prepare(workRouteOf(route, exchange.caller)), sendBody, fail)
  },
  answerAlone: answerWithEstimate,
}

function answerWithEstimate(call: OperationCall<CountFacts>, route: Route): void {
  const { protocol, answer } = call.exchange
  describe(call, route)
  addHeaders(answer.front, ESTIMATED)
  answer.json(200, codecOf(protocol).encode(call.body.estimate))
}

function estimateInstead(call: OperationCall<CountFacts>, route: Route, { absence }: Failed): boolean {
  if (absence === undefined) return false
  answerWithEstimate(call, route)
  return true
}

const RELAY: Plan = { mode: 'relay' }

function describe({ exchange }: OperationCall, route: Route): void {
  exchange.meter.planned(route, RELAY, false, [])
  exchange.answer.front.described = routeHeaders(route, RELAY, [], 0, exchange.meter.attempts)
}

function codecOf({ count: codec }: Protocol): CountCodec {
  if (codec === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
  return codec
}

/** The work on a body to count. It is relayed, never translated. */
function createCountWork(
  inbound: Protocol,
  match: Match,
  bytes: Uint8Array,
  { counts }: WorkOptions,
): LocalWork<CountFacts> {
  let held: JsonObject | undefined
  let source: Uint8Array | undefined = bytes
  const decode = (json: JsonObject): ModelRequest => {
    const { request, issuer } = inbound
    return request.decode(request.check(codecOf(inbound).request(json)), { issuer, path: match })
  }
  const read = (json: unknown): CountFacts => {
    const { request, relay } = inbound
    if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
    checkCounts(codecOf(inbound).request(json), request.history, bytes.length, counts)
    const estimate = refuseDepth(() => estimateTokens(decode(json)))
    held = json
    return { peek: relay.peek(json, match), estimate }
  }
  return {
    read() {
      const json = readJson(present(source))
      const references = referencesOf(inbound, json)
      return references === undefined ? read(json) : { peek: { model: '', stream: false }, references, estimate: 0 }
    },
    fill(texts) {
      source = fillReferences(inbound, present(source), texts)
      return read(readJson(source))
    },
    prepare: (route) => relayBody(inbound, { bytes: present(source), json: present(held) }, route),
    decode: () => decode(present(held)),
    close() {
      held = undefined
      source = undefined
    },
  }
}

/** Reads the count of an upstream. */
function countHandler(inbound: Protocol, codec: CountCodec, call: Call): Handler {
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
    stream: () => {
      throw new DragomanError('internal', 'A count is no stream.')
    },
  }
}

function readObject(text: string): JsonObject {
  const body: unknown = JSON.parse(text)
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave no count.')
  return body
}
