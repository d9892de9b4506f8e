import type { HeadOperation } from '../pipeline/operation.ts'

/** The list of models: those that the caller may use, all of them without a key. */
export const models: HeadOperation = {
  name: 'models',
  body: 'none',
  codec: 'models',
  needsKey: 'if private',
  metered: 'nothing',
  run({ models }, { protocol, answer, caller }, { query }) {
    answer.json(200, protocol.models.list(models.listed(caller), query))
  },
}
