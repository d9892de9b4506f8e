import { createLosses, type EncodeContext, type JsonObject, type Loss } from '@dragoman/core'
import { joinBody, type Bytes } from '@dragoman/core/provider'
import type { Outgoing } from '../bodies/answer-work.ts'
import type { ShortBody } from '../bodies/long-strings.ts'
import type { OperationCall } from '../operations/operation.ts'
import { codecOf } from './media-work.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** An answer for the caller, in its protocol. `short` puts back long strings that were cut out of the upstream's answer. */
export function writeAnswer<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { settings, exchange, match, body }: Pick<OperationCall, 'settings' | 'exchange' | 'match' | 'body'>,
  answer: Answer,
  asked: Request,
  losses: readonly Loss[],
  short?: ShortBody,
): Outgoing {
  const ofAnswer = createLosses()
  const context: EncodeContext = {
    issuer: exchange.protocol.issuer,
    toward: 'client',
    id: settings.ids,
    now: Math.floor(settings.clock.now() / 1000),
    asked: { model: body.peek.model },
    losses: ofAnswer,
  }
  const wire = codecOf(rules, exchange.protocol).answer.encode(answer, { ...context, operation: match.operation })
  return {
    body: textOf(wire, short),
    usage: rules.bill(answer, asked),
    losses: [...losses, ...ofAnswer.entries()],
  }
}

function textOf(wire: JsonObject, short: ShortBody | undefined): Bytes {
  const text = JSON.stringify(wire)
  return short === undefined ? text : joinBody(short.fill(text))
}
