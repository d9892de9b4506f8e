import { present, type Prepared } from '../bodies/request-work.ts'
import { acceptPlan } from '../operations/accept-plan.ts'
import { send } from '../modes/send.ts'
import type { OperationCall } from '../operations/operation.ts'
import type { Route } from '../route.ts'
import type { Next } from '../routing/next.ts'
import { callInParts } from './call-in-parts.ts'
import { relayVectors, translateVectors } from './embedding-answers.ts'
import { createEmbeddingWork, VECTORS } from './embedding-work.ts'
import type { MediaKind } from './media-kind.ts'
import type { MediaFacts } from './media-work.ts'

/** Calls that are answered with vectors. */
export const embeddingKind: MediaKind = {
  name: VECTORS,
  serves: ({ card, protocol }) => card.embedding !== undefined && protocol.embedding !== undefined,
  createWork: createEmbeddingWork,
  formOf: () => undefined,
  ask,
}

function ask(call: OperationCall<MediaFacts>, route: Route, prepared: Prepared, next: Next): void {
  const { settings, exchange, fail } = call
  if (exchange.answer.over || !acceptPlan(call, route, prepared, next)) return
  const { operation, parts } = present(prepared.media)
  const bill = { input: call.body.promptTokens ?? 0 }
  const sending = { operation, body: prepared.body, stream: false, next, fail, bill }
  if (parts.length > 0) return send(settings, exchange, route, { ...sending, ...callInParts(call, route, prepared) })
  send(settings, exchange, route, {
    ...sending,
    createHandler: (upstreamCall) =>
      prepared.plan.mode === 'relay'
        ? relayVectors(call, route, upstreamCall)
        : translateVectors(call, route, prepared, upstreamCall),
  })
}
