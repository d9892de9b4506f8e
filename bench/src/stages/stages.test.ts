import { chat } from '@dragoman/core/protocols'
import { expect, it } from 'vitest'
import { createExchange } from '../heap/exchange.ts'
import { emptyStage, measureStages } from './run.ts'

it('gives a figure for calls with and without stages', async () => {
  const { without, withStages } = await measureStages({ rounds: 2, calls: 5, warmUp: 1 })
  expect(without).toBeGreaterThan(0)
  expect(withStages).toBeGreaterThan(0)
})

it('measures stages whose hooks all run', async () => {
  const ran: string[] = []
  const hooks = Object.keys(emptyStage).map((hook) => [hook, () => void ran.push(hook)])
  await createExchange(chat, chat, 0, [Object.fromEntries(hooks)])()
  expect(ran).toEqual(['afterAdmission', 'beforeRoute', 'beforeCall', 'aroundAnswer', 'onAttempt', 'onSettle'])
})
