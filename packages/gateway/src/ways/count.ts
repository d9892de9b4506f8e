import {
  DragomanError,
  editTopLevel,
  isObject,
  type CountCodec,
  type JsonObject,
  type Match,
  type Protocol,
} from '@dragoman/core'
import { allow } from '../admit.ts'
import { readJson } from '../body.ts'
import { decodeText } from '../collect.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import type { Plan } from '../plan.ts'
import { wayHeaders } from '../reply.ts'
import { bestOf, type Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { dispatch } from './dispatch.ts'
import { estimateTokens } from './estimate.ts'
import { createAsking, upstreamName, type Asking } from './outbound.ts'
import type { Body } from './relay.ts'
import type { Way } from './way.ts'

/** Says that nobody counted. */
const ESTIMATED = { 'x-dragoman-estimated': 'true' }
const RELAY: Plan = { way: 'relay' }

/** The upstream's own count where it has one, an estimate that says so elsewhere. */
export function count(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  const { head, protocol, meter, answer } = exchange
  const json = readJson(bytes)
  if (protocol.count === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
  if (!isObject(json)) throw new DragomanError('invalid-request', 'The body must be a JSON object.')
  const estimate = countHere(protocol, protocol.count, json, match)
  const { model } = protocol.relay.peek(json, match)
  const route = bestOf(settings.models.routes({ model, bare: match.bare }, protocol))
  allow(exchange.caller, route.id)
  meter.planned(route, RELAY, false, [])
  answer.add(wayHeaders(route, RELAY, []))
  const asking = createAsking(settings, head, protocol, route, false)
  const way = countUpstream(protocol, protocol.count, { bytes, json }, route, asking)
  if (way === undefined) {
    answer.add(ESTIMATED)
    return answer.json(200, estimate)
  }
  const transport = route.provider.transport ?? settings.transport
  const redact = (text: string): string => route.provider.redact?.(text) ?? text
  exchange.running = dispatch({ settings, meter, answer, transport, redact, way, stream: false, keepAlive: '' })
}

/** Asked with the client's own bytes; undefined where the upstream has no count. */
function countUpstream(
  inbound: Protocol,
  codec: CountCodec,
  body: Body,
  route: Route,
  asking: Asking,
): Way | undefined {
  if (route.protocol !== inbound || route.provider.counts?.includes(inbound.name) !== true) return undefined
  return {
    call: asking.count(editTopLevel(body.bytes, inbound.relay.edits(body.json, upstreamName(route)))),
    losses: [],
    streamType: '',
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const said = readObject(bytes)
      if (said['error'] != null) return undefined
      const tokens = codec.decode(said)
      if (tokens === undefined) throw new DragomanError('upstream', 'The upstream gave no count.')
      return { body: JSON.stringify(codec.encode(tokens)), losses: [] }
    },
    stream: () => {
      throw new DragomanError('internal', 'A count is no stream.')
    },
  }
}

/** A count by rule of thumb, of everything that the request says. */
function countHere(inbound: Protocol, codec: CountCodec, body: JsonObject, match: Match): JsonObject {
  const request = inbound.request.decode(inbound.request.check(codec.request(body)), {
    issuer: inbound.issuer,
    path: match,
  })
  return codec.encode(estimateTokens(request))
}

function readObject(bytes: Uint8Array): JsonObject {
  const body: unknown = JSON.parse(decodeText(bytes))
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave no count.')
  return body
}
