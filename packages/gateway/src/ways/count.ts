import {
  DragomanError,
  isObject,
  type CountCodec,
  type JsonObject,
  type Match,
  type OutgoingBody,
  type Protocol,
} from '@dragoman/core'
import { allow } from '../admit.ts'
import { readRequest, type ReadRequest } from '../bodies/read-request.ts'
import { decodeText } from '../collect.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import type { Plan } from '../plan.ts'
import { wayHeaders } from '../reply.ts'
import { bestOf, type Route } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { whenThere } from '../when-there.ts'
import { dispatch } from './dispatch.ts'
import { createAsking } from './outbound.ts'
import type { Way } from './way.ts'

/** Says that nobody counted. */
const ESTIMATED = { 'x-dragoman-estimated': 'true' }
const RELAY: Plan = { way: 'relay' }

/** The upstream's own count where it has one, an estimate that says so elsewhere. */
export function count(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  readRequest(settings, exchange, match, bytes, (request) => answerCount(settings, exchange, match, request))
}

function answerCount(settings: Settings, exchange: Exchange, match: Match, { work, body, fail }: ReadRequest): void {
  const { head, protocol, meter, answer } = exchange
  const { count: codec } = protocol
  if (codec === undefined) throw new DragomanError('not-found', 'This protocol does not count tokens.')
  const route = bestOf(settings.models.routes({ model: body.peek.model, bare: match.bare }, protocol))
  allow(exchange.caller, route.id)
  const workRoute = { ...route, isRestricted: exchange.caller?.models !== undefined }
  meter.planned(route, RELAY, false, [])
  answer.add(wayHeaders(route, RELAY, [], 0))
  if (!isCountedUpstream(protocol, route)) {
    answer.add(ESTIMATED)
    return answer.json(200, codec.encode(body.estimate ?? 0))
  }
  const asking = createAsking(settings, head, protocol, route, false)
  const send = (outgoing: OutgoingBody): void => {
    if (answer.over) return
    exchange.running = dispatch({
      settings,
      meter,
      answer,
      transport: route.provider.transport ?? settings.transport,
      redact: (text) => route.provider.redact?.(text) ?? text,
      way: countWay(protocol, codec, asking.count(outgoing)),
      stream: false,
      keepAlive: '',
      onAnswering: exchange.releaseBody,
    })
  }
  whenThere(work.prepare(workRoute), (prepared) => send(prepared.body), fail)
}

function isCountedUpstream(inbound: Protocol, route: Route): boolean {
  return route.protocol === inbound && route.provider.counts?.includes(inbound.name) === true
}

/** Asked with the client's own bytes. */
function countWay(inbound: Protocol, codec: CountCodec, call: Way['call']): Way {
  return {
    call,
    streamType: '',
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const text = decodeText(bytes)
      const said = readObject(text)
      if (said['error'] != null) return { error: text }
      const tokens = codec.decode(said)
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
