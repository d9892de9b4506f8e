import { createLosses, type JsonObject, type Loss } from '@dragoman/core'
import type { MediaEncoding } from '@dragoman/core/media'
import { joinBody, type Bytes } from '@dragoman/core/provider'
import type { Outgoing } from '../bodies/answer-work.ts'
import type { ShortBody } from '../bodies/short-body.ts'
import type { OperationCall } from '../operations/operation.ts'
import { codecOf } from './media-codec.ts'
import type { MediaRequest, MediaRules } from './rules.ts'

/** The call that is answered. */
export type AnsweredCall = Pick<OperationCall, 'settings' | 'exchange' | 'match' | 'body'>

/** What encoders of answers need to know. */
export function writingFor<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  { settings, exchange, match, body }: AnsweredCall,
  asked: Request,
): Omit<MediaEncoding, 'losses'> {
  return {
    issuer: exchange.protocol.issuer,
    toward: 'client',
    id: settings.ids,
    now: Math.floor(settings.clock.now() / 1000),
    asked: { model: body.peek.model },
    operation: match.operation,
    requested: rules.requested?.(asked),
  }
}

/** An answer for the caller, in its protocol. `short` puts back long strings that were cut out of the upstream's answer. */
export function writeAnswer<Request extends MediaRequest, Answer>(
  rules: MediaRules<Request, Answer>,
  call: AnsweredCall,
  answer: Answer,
  asked: Request,
  before: readonly Loss[],
  short?: ShortBody,
): Outgoing {
  const losses = createLosses()
  const context = { ...writingFor(rules, call, asked), losses }
  const wire = codecOf(rules, call.exchange.protocol).answer.encode(answer, context)
  return {
    body: textOf(wire, short),
    usage: rules.bill(answer, asked),
    losses: [...before, ...losses.entries()],
  }
}

function textOf(wire: JsonObject, short: ShortBody | undefined): Bytes {
  const text = JSON.stringify(wire)
  return short === undefined ? text : joinBody(short.fill(text))
}
