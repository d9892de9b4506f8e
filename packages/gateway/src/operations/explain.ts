import { DragomanError, type Match } from '@dragoman/core'
import { explainRoutes } from '../explain/explain-routes.ts'
import { generate } from './generate.ts'
import { mediaOperations } from './media-operations.ts'
import type { LocalOperation, RoutedOperation } from '../pipeline/operation.ts'

/** What a call would do: its routes, the request that each would get, its losses and its price. No upstream is called. */
export const explain: LocalOperation = {
  name: 'explain',
  body: 'json',
  codec: 'request',
  needsKey: true,
  metered: 'nothing',
  createWork: (inbound, match, sent, options) => explainedCall(match).createWork(inbound, match, sent, options),
  answer({ settings, exchange, match, work, body, fail }) {
    explainRoutes(settings, exchange, match, work, body, explainedCall(match))
      .then((explanation) => exchange.answer.json(200, explanation))
      .catch(fail)
  },
}

/** The operation whose call is explained. Throws if the call cannot be explained. */
export function explainedCall({ operation }: Match): RoutedOperation {
  const found = [generate, ...mediaOperations].find(({ name }) => name === operation)
  if (found !== undefined) return found
  throw new DragomanError('not-found', `Only calls that generate an answer can be explained, not "${operation}".`)
}
