import { DragomanError, type Match } from '@dragoman/core'
import { explainRoutes } from '../explain/explain-routes.ts'
import { generate } from './generate.ts'
import type { LocalOperation } from './operation.ts'

/** What a call would do: its routes, the request that each would get, its losses and its price. Nobody is called. */
export const explain: LocalOperation = {
  name: 'explain',
  body: 'json',
  codec: 'request',
  needsKey: true,
  metered: 'nothing',
  createWork: (...given) => generate.createWork(...given),
  answer({ settings, exchange, match, work, body, fail }) {
    explainRoutes(settings, exchange, match, work, body)
      .then((explanation) => exchange.answer.json(200, explanation))
      .catch(fail)
  },
}

/** The operation that explains a call. Throws if the call cannot be explained. */
export function explainedBy({ operation }: Match): string {
  if (operation === generate.name) return explain.name
  throw new DragomanError('not-found', `Only calls that generate an answer can be explained, not "${operation}".`)
}
