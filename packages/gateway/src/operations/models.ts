import type { HeadOperation } from './operation.ts'

/** The list of models. */
export const models: HeadOperation = {
  name: 'models',
  body: 'none',
  codec: 'models',
  needsKey: false,
  metered: 'nothing',
  run({ models }, { protocol, answer, caller }, { query }) {
    answer.json(200, protocol.models.list(models.listed(caller), query))
  },
}
