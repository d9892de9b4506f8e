import type { Batch } from './store.ts'

/** The error of a batch that comes after a later one of its instance. Its sender has given it up, and does not wait for an answer. */
export function lateBatch({ instance, number }: Pick<Batch, 'instance' | 'number'>): Error {
  return new Error(`Batch ${number} of the instance ${instance} has come after a later one, and has no effect.`)
}
