import { DragomanError } from '@dragoman/core'
import type { HeadOperation } from '../pipeline/operation.ts'

/** One model, with the sources of its facts. */
export const model: HeadOperation = {
  name: 'model',
  body: 'none',
  codec: 'models',
  needsKey: 'if private',
  metered: 'nothing',
  run({ models }, { protocol, answer, caller }, { match: { model: name, withoutPublisher } }) {
    if (name === undefined) throw new DragomanError('not-found', 'No model was named.')
    const shown = models.show({ model: name, withoutPublisher }, caller)
    const { sources } = shown.card
    answer.json(200, { ...protocol.models.one(shown), ...(sources === undefined ? {} : { sources }) })
  },
}
