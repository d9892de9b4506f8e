import type { AnswerFacts } from '@dragoman/core'
import { redactError } from '@dragoman/core/provider'
import { relayAnswer, translateWhole } from '../bodies/answer-work.ts'
import { createConversationWork } from '../bodies/conversation-work.ts'
import { present, workRouteOf, type BodyFacts, type Prepared } from '../bodies/request-work.ts'
import { ownKind } from '@dragoman/core/media'
import { rememberItems } from '../pipeline/remember-items.ts'
import { relay } from '../modes/relay.ts'
import { translate } from '../modes/translate.ts'
import { isSealRefusal } from '../routing/upstream-error.ts'
import { answerModel, redactOf } from '../models/route-facts.ts'
import { allowsWithoutSeals } from '../routing/fidelity.ts'
import { unpricedTier } from '../modes/unpriced.ts'
import { whenThere } from '../ports/when-there.ts'
import type { RoutedOperation } from '../pipeline/operation.ts'

/** Generates the next turn of a conversation, whole or streamed. */
export const generate: RoutedOperation<BodyFacts, AnswerFacts | undefined> = {
  name: 'generate',
  body: 'json',
  codec: 'request',
  needsKey: true,
  metered: 'usage',
  serves: ({ card }) => ownKind(card) === undefined,
  createWork: createConversationWork,
  send({ settings, exchange, match, body }, route, { body: outgoing, asked }) {
    const { protocol } = exchange
    const { stream, usage, cost } = body.peek
    const pricing = cost === true ? protocol.relay.pricing : undefined
    const facts = pricing === undefined ? asked : withUsage(asked)
    const model = answerModel(route, match, body.peek)
    return {
      operation: match.operation,
      body: outgoing,
      stream,
      createHandler: (upstreamCall) =>
        rememberItems(
          settings,
          exchange,
          body,
          facts === undefined
            ? relay(settings, protocol, route, upstreamCall, { usage, model, pricing })
            : translate(settings, protocol, route, upstreamCall, { facts, model, pricing }),
        ),
    }
  },
  answers: {
    relay: (caller, model, _facts, bytes) => relayAnswer(caller, model, bytes),
    translate: (caller, upstream, facts, options, [bytes]) =>
      translateWhole(caller, upstream, present(facts), options, present(bytes)),
  },
  /** Tries again without seals. The history may come from another model of the same domain, whose seals the upstream cannot read. */
  recover({ exchange, work, fail }, route, { error }, { policy, send }) {
    if (!isSealRefusal(error) || !allowsWithoutSeals(policy)) return false
    const again = (prepared: Prepared<AnswerFacts | undefined>): void => {
      if (prepared.isUnchanged === true) exchange.answer.fail(redactError(error, redactOf(route)))
      else send(prepared)
    }
    const workRoute = workRouteOf(route, exchange.caller, unpricedTier(exchange, route))
    whenThere(work.prepare(workRoute, 'without seals'), again, fail)
    return true
  },
}

/** A stream has its price beside its usage. */
function withUsage(facts: AnswerFacts | undefined): AnswerFacts | undefined {
  return facts === undefined ? undefined : { ...facts, asked: { ...facts.asked, usage: true } }
}
