import type { Billed, Call } from '@dragoman/core/provider'
import { present, type Prepared } from '../bodies/request-work.ts'
import type { Handler } from '../modes/handler.ts'
import { send, type Sending } from '../modes/send.ts'
import { acceptPlan } from '../operations/accept-plan.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import { composeMedia } from './compose-media.ts'
import type { MediaFacts } from './media-work.ts'
import { outgoingOf } from './outgoing-media.ts'
import { relayMedia } from './relay-media.ts'
import type { MediaRequest, MediaRules } from './rules.ts'
import { translateMedia } from './translate-media.ts'

/** Calls the upstream of a route with a prepared media request. */
export function askMedia<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: OperationCall<MediaFacts>,
  route: Route,
  prepared: Prepared,
  next: Next,
): void {
  const { settings, exchange, fail } = call
  if (exchange.answer.over || !acceptPlan(call, route, prepared, next)) return
  const media = present(prepared.media)
  const asked = media.asked as Request // by the work of the same kind
  const sending: Omit<Sending, 'createHandler'> = {
    operation: media.operation,
    body: outgoingOf(media, prepared.body),
    stream: media.stream !== false,
    isWhole: media.stream === 'emulated',
    bill: withInput(rules.expect?.(asked), media.input, route),
    next,
    fail,
  }
  if (media.mode === 'driver' || media.parts.length > 0)
    return send(settings, exchange, route, composeMedia(rules, call, route, prepared, asked, sending))
  const createHandler = (upstreamCall: Call): Handler =>
    prepared.plan.mode === 'relay'
      ? relayMedia(rules, call, route, upstreamCall, asked)
      : translateMedia(rules, call, route, upstreamCall, media, asked)
  send(settings, exchange, route, { ...sending, createHandler })
}

/** Pictures that are sold by the piece have no price for the request. */
function withInput(bill: Billed | undefined, input: number | undefined, { card }: Route): Billed | undefined {
  const isBilled = bill !== undefined && input !== undefined && card.prices?.['prompt'] !== undefined
  return isBilled ? { ...bill, input } : bill
}
