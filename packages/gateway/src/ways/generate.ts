import type { DragomanError } from '@dragoman/core'
import { allow } from '../admit.ts'
import { leaveOut, readBody, refuseMembers } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import { plan, type Plan } from '../plan.ts'
import { wayHeaders } from '../reply.ts'
import { bestOf } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { dispatch, type Dispatch } from './dispatch.ts'
import { createAsking } from './outbound.ts'
import { relay } from './relay.ts'
import { refuseLosses, translate } from './translate.ts'
import { isSealRefusal } from './upstream-error.ts'
import type { Way } from './way.ts'

/** From the body to the call. */
export function generate(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  const { head, protocol, meter, answer } = exchange
  const checked = readBody(protocol, bytes)
  if (settings.unsupportedFields === 'refuse') refuseMembers(protocol, checked)
  const { body, members: ignored, losses: unsupported } = leaveOut(protocol, checked)
  const { model, stream, providers, usage } = protocol.relay.peek(body, match)
  const route = bestOf(settings.models.routes({ model, bare: match.bare, providers }, protocol))
  allow(exchange.caller, route.id)
  const asking = createAsking(settings, head, protocol, route, stream)
  const strict = head.header('x-dragoman-strict')?.toLowerCase() === 'true'

  const ask = (chosen: Plan, way: Way, retry?: Dispatch['retry']): void => {
    const losses = unsupported.length === 0 ? way.losses : [...unsupported, ...way.losses]
    meter.planned(route, chosen, stream, losses)
    answer.add(wayHeaders(route, chosen, losses))
    if (strict) refuseLosses(losses)
    exchange.running = dispatch({
      settings,
      meter,
      answer,
      transport: route.provider.transport ?? settings.transport,
      redact: (text) => route.provider.redact?.(text) ?? text,
      way,
      stream,
      keepAlive: protocol.stream.keepAlive(match.framing),
      retry,
    })
  }
  /** The history may come from another model of the same domain: once more without what only its issuer can read. */
  const withoutSeals = (error: DragomanError): boolean => {
    if (strict || !isSealRefusal(error)) return false
    const way = translate(settings, protocol, match, body, route, asking, 'without seals')
    if (chosen.way === 'translate' && way.losses.length <= first.losses.length) return false
    ask({ way: 'translate', because: 'the upstream refused a seal of the history' }, way)
    return true
  }
  const chosen = plan(protocol, match, body, route)
  const first =
    chosen.way === 'translate'
      ? translate(settings, protocol, match, body, route, asking)
      : relay(settings, protocol, { bytes, json: body, ignored, usage }, route, asking)
  ask(chosen, first, withoutSeals)
}
