import { DragomanError } from '@dragoman/core'
import { admit } from './admit.ts'
import type { BodyLease, BodyMemory } from './body-memory.ts'
import { corsHeaders, isPreflight, preflightHeaders } from './cors.ts'
import type { Pending, Refusal } from './door.ts'
import type { Exchange } from './exchange.ts'
import { faultOf } from './fault.ts'
import { decodeModel, type Matched } from './match.ts'
import type { Places } from './places.ts'
import type { Settings } from './settings.ts'
import { count } from './ways/count.ts'
import { generate } from './ways/generate.ts'
import { describeModels } from './ways/models.ts'

/** Everything that is decided before the body. Undefined: it is answered, or the client is gone. */
export async function enter(
  settings: Settings,
  places: Places,
  memory: BodyMemory,
  exchange: Exchange,
): Promise<Pending | undefined> {
  const { head, protocol, answer, meter } = exchange
  if (settings.cors !== undefined) answer.add(corsHeaders(settings.cors, head))
  if (isPreflight(settings.cors, head)) {
    answer.whole(204, preflightHeaders(head), '')
    return undefined
  }
  const { match, query } = exchange.found
  if (match === undefined) throw settings.paths.unknown(head)
  if (match === 'method') {
    const allow = settings.paths.methods(head)
    answer.fail(new DragomanError('method', `This path takes ${allow} only.`), { allow })
    return undefined
  }
  const matched = { match: decodeModel(match), query }
  exchange.matched = matched
  const { operation } = matched.match
  if (operation === 'models' || operation === 'model') {
    protocol.http.admit(matched.match, head)
    answer.json(200, describeModels(settings.models, protocol, matched))
    return undefined
  }
  const caller = await admit(settings.keys, head, matched.query)
  meter.admitted(caller)
  protocol.http.admit(matched.match, head)
  // A place that is taken for a client who left while its key was looked up would never come free.
  if (answer.over) return undefined
  places.take(caller.id)
  exchange.caller = caller
  exchange.deadline = settings.clock.now() + settings.deadlines.total
  exchange.lease = memory.lease()
  return pend(settings, exchange, exchange.lease, matched, operation === 'count' ? count : generate)
}

/** What is done with the body once it is there. */
type Step = (settings: Settings, exchange: Exchange, matched: Matched, bytes: Uint8Array) => void

function pend(settings: Settings, exchange: Exchange, lease: BodyLease, matched: Matched, step: Step): Pending {
  const { answer } = exchange
  let taken = false
  const once = (run: () => void): void => {
    if (taken || answer.over) return
    taken = true
    try {
      run()
    } catch (thrown) {
      answer.fail(faultOf(thrown))
    }
  }
  const pending: Pending = {
    takes: 'json',
    limit: settings.limits.body,
    // What is handed to another thread is there twice: as it came, and as it goes out.
    reserve: (bytes) => lease.reserve(bytes < (settings.offload?.from ?? Number.POSITIVE_INFINITY) ? bytes : bytes * 2),
    onRoom: undefined,
    proceed: (bytes) => once(() => step(settings, exchange, matched, bytes)),
    refuse: (why) => once(() => answer.fail(refusalOf(why, settings.limits.body))),
  }
  const onRoom = (): void => pending.onRoom?.()
  lease.onRoom = onRoom
  return pending
}

/** What a door could not read, in the one language of errors. */
export function refusalOf(why: Refusal, limit: number): DragomanError {
  switch (why) {
    case 'too-large':
      return new DragomanError('too-large', `The body is larger than ${limit} bytes.`)
    case 'malformed':
      return new DragomanError('invalid-request', 'The body could not be read.')
    case 'timeout':
      return new DragomanError('request-timeout', 'The body did not arrive in time.')
    case 'encoding':
      return new DragomanError('media-type', 'The content-encoding of the body is not supported.')
    case 'no-room':
      return new DragomanError('overloaded', 'The gateway holds as many request bodies as it has room for.', {
        code: 'too_many_large_requests',
        retryAfter: 5,
      })
    case 'malformed-head':
      return new DragomanError('invalid-request', 'The request is not valid HTTP.')
    case 'large-head':
      return new DragomanError('headers-too-large', 'The headers of the request are too large.')
    case 'no-host':
      return new DragomanError('invalid-request', 'The request has no Host header.')
    case 'expectation':
      return new DragomanError('expectation', 'The request expects something other than 100-continue.')
    case 'slow-head':
      return new DragomanError('request-timeout', 'The request did not arrive in time.')
    default:
      return why satisfies never
  }
}
