import type { Call, Fields, Head, OutgoingBody, Protocol } from '@dragoman/core'
import type { Route } from '../resolve.ts'
import { upstreamName } from '../route-facts.ts'
import type { Settings } from '../settings.ts'

/** What both ways of asking an upstream have in common. */
export interface Asking {
  readonly stream: boolean
  call(body: OutgoingBody): Call
  /** The call that counts the tokens of a body. */
  count(body: OutgoingBody): Call
}

export function createAsking(settings: Settings, head: Head, inbound: Protocol, route: Route, stream: boolean): Asking {
  const { protocol, provider } = route
  const forwarded = protocol === inbound ? inbound.http.forward(head) : {}
  // Compressed streams arrive late and in lumps.
  const headers: Fields = {
    accept: stream ? protocol.stream.contentType(undefined) : 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'dragoman',
    ...forwarded,
  }
  const callTo = (operation: 'generate' | 'count', body: OutgoingBody): Call => {
    const target = protocol.http.target(operation, upstreamName(route), stream)
    return provider.call(protocol.name, target, { headers, body, deadlines: settings.deadlines })
  }
  return { stream, call: (body) => callTo('generate', body), count: (body) => callTo('count', body) }
}
