import {
  DragomanError,
  editTopLevel,
  isObject,
  type CountCodec,
  type JsonObject,
  type Match,
  type Protocol,
} from '@dragoman/core'
import type { Route } from '../resolve.ts'
import { estimateTokens } from './estimate.ts'
import { upstreamName, type Asking } from './outbound.ts'
import type { Body } from './relay.ts'
import type { Way } from './way.ts'

/** Says that nobody counted. */
export const ESTIMATED = { 'x-dragoman-estimated': 'true' }

/** The count of an upstream that has one, asked with the client's own bytes; undefined where it has none. */
export function countUpstream(
  inbound: Protocol,
  count: CountCodec,
  body: Body,
  route: Route,
  asking: Asking,
): Way | undefined {
  if (route.protocol !== inbound || route.provider.counts?.includes(inbound.name) !== true) return undefined
  return {
    call: asking.count(editTopLevel(body.bytes, inbound.relay.edits(body.json, upstreamName(route)))),
    streamType: '',
    error: (status, text) => inbound.error.decode(status, text),
    whole(bytes) {
      const tokens = count.decode(readObject(bytes))
      if (tokens === undefined) throw new DragomanError('upstream', 'The upstream gave no count.')
      return { body: JSON.stringify(count.encode(tokens)), losses: [] }
    },
    stream: () => {
      throw new DragomanError('internal', 'A count is no stream.')
    },
  }
}

/** A count by rule of thumb, of everything that the request says. */
export function countHere(inbound: Protocol, count: CountCodec, body: JsonObject, match: Match): JsonObject {
  const request = inbound.request.decode(inbound.request.check(count.request(body)), {
    issuer: inbound.issuer,
    path: match,
  })
  return count.encode(estimateTokens(request))
}

function readObject(bytes: Uint8Array): JsonObject {
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (!isObject(body)) throw new DragomanError('upstream', 'The upstream gave no count.')
  return body
}
