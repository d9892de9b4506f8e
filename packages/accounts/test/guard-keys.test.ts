import { createManualClock, createMemoryKeys } from '@dragoman/gateway'
import { expect, it } from 'vitest'
import { guardKeys } from '../src/keys/guard-keys.ts'

const ADDRESS = '203.0.113.7'

it('guesses of configured keys are refused while many of them wait, and a key in use is not', async () => {
  const clock = createManualClock()
  const keys = guardKeys(createMemoryKeys([{ id: 'own', secret: 'the-right-secret' }]), clock)
  expect(await keys.find('the-right-secret', ADDRESS)).toMatchObject({ id: 'own' })
  // Five are free, and eight may wait.
  for (let guess = 0; guess < 13; guess++) void keys.onWrong?.(ADDRESS, 1)
  await expect(keys.find('a-wrong-secret', ADDRESS)).rejects.toMatchObject({ kind: 'rate-limit' })
  expect(await keys.find('a-wrong-secret', '198.51.100.1')).toBeUndefined()
  expect(await keys.find('the-right-secret', ADDRESS)).toMatchObject({ id: 'own' })
})
