import { redactError, type DragomanError, type Match } from '@dragoman/core'
import { allow } from '../admit.ts'
import { readRequest, type ReadRequest } from '../bodies/read-request.ts'
import type { Prepared } from '../bodies/request-work.ts'
import type { Exchange } from '../exchange.ts'
import type { Matched } from '../match.ts'
import { wayHeaders } from '../reply.ts'
import { bestOf } from '../resolve.ts'
import type { Settings } from '../settings.ts'
import { whenThere } from '../when-there.ts'
import { dispatch, type Dispatch } from './dispatch.ts'
import { createAsking } from './outbound.ts'
import { relay } from './relay.ts'
import { refuseLosses, translate } from './translate.ts'
import { isSealRefusal } from './upstream-error.ts'

/** From the body to the call. */
export function generate(settings: Settings, exchange: Exchange, { match }: Matched, bytes: Uint8Array): void {
  readRequest(settings, exchange, match, bytes, (request) => ask(settings, exchange, match, request))
}

function ask(settings: Settings, exchange: Exchange, match: Match, { work, body, fail }: ReadRequest): void {
  const { head, protocol, meter, answer } = exchange
  const { model, stream, providers, usage } = body.peek
  const route = bestOf(settings.models.routes({ model, bare: match.bare, providers }, protocol))
  allow(exchange.caller, route.id)
  const workRoute = { ...route, isRestricted: exchange.caller?.models !== undefined }
  const redact = (text: string): string => route.provider.redact?.(text) ?? text
  const asking = createAsking(settings, head, protocol, route, stream)
  const strict = head.header('x-dragoman-strict')?.toLowerCase() === 'true'

  const send = (prepared: Prepared, retry?: Dispatch['retry']): void => {
    if (answer.over) return
    const losses = body.losses.length === 0 ? prepared.losses : [...body.losses, ...prepared.losses]
    meter.planned(route, prepared.plan, stream, losses)
    answer.add(wayHeaders(route, prepared.plan, losses, body.losses.length + prepared.lossCount))
    if (strict) refuseLosses(losses)
    const way =
      prepared.facts === undefined
        ? relay(settings, protocol, prepared.body, usage, asking)
        : translate(settings, protocol, route, prepared.body, prepared.facts, asking)
    exchange.running = dispatch({
      settings,
      meter,
      answer,
      transport: route.provider.transport ?? settings.transport,
      redact,
      way,
      stream,
      keepAlive: protocol.stream.keepAlive(match.framing),
      retry,
      onAnswering: exchange.releaseBody,
      onHeld: exchange.lease?.add,
    })
  }
  /** The history may come from another model of the same domain: once more without what only its issuer can read. */
  const withoutSeals = (first: Prepared, error: DragomanError): boolean => {
    if (strict || !isSealRefusal(error)) return false
    const again = (prepared: Prepared): void => {
      const isSame = first.plan.way === 'translate' && prepared.lossCount <= first.lossCount
      if (isSame) answer.fail(redactError(error, redact))
      else send(prepared)
    }
    whenThere(work.prepare(workRoute, 'without seals'), again, fail)
    return true
  }
  const first = (prepared: Prepared): void => send(prepared, (error) => withoutSeals(prepared, error))
  whenThere(work.prepare(workRoute), first, fail)
}
