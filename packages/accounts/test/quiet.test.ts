import { createManualClock } from '@dragoman/gateway'
import { expect, it } from 'vitest'
import { createAccounts, createMemoryStore } from '../src/index.ts'

const FAULTS: readonly (readonly [fault: string, broken: () => unknown])[] = [
  [
    'throws',
    () => {
      throw new Error('the log is broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('the log is broken'))],
]

it.each(FAULTS)('accounts go on if the function that is told of failures %s', async (_title, broken) => {
  const store = createMemoryStore()
  const tell = (): void => broken() as undefined // whatever it returns
  let isDown = true
  const clock = createManualClock()
  const stray: unknown[] = []
  const note = (thrown: unknown): void => void stray.push(thrown)
  process.on('unhandledRejection', note)
  try {
    const accounts = createAccounts({
      store: {
        ...store,
        commit: (batch) => (isDown ? Promise.reject(new Error('away')) : store.commit(batch)),
      },
      clock,
      onFailed: tell,
      onRestored: tell,
    })
    await expect(accounts.flush()).rejects.toThrow('away')
    isDown = false
    clock.advance(10_000)
    await expect(accounts.flush()).resolves.toBeUndefined()
    await accounts.close()
    await new Promise((resolve) => void setImmediate(resolve))
    expect(stray).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
