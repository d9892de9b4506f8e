import type { Batch } from './store.ts'

/** The error of a batch that comes after a later one of its instance. Its sender has given it up, and does not wait for an answer. */
export function lateBatch({ instance, number }: Pick<Batch, 'instance' | 'number'>): Error {
  return new Error(`Batch ${number} of the instance ${instance} ${LATE}, and has no effect.`)
}

const LATE = 'has come after a later one'

/** Known by its message, because errors of threads, databases and other processes lose everything else. */
export function isLateBatch(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes(LATE)
}
