import { expect, it } from 'vitest'
import type { Card } from '../../ir/model.ts'
import { showModel } from './models.ts'

const show = (more: Partial<Card>) =>
  showModel({ id: 'a/m', provider: 'a', card: { name: 'm', input: ['text'], output: ['text'], ...more } })

it('[models.retiring] a retiring model is deprecated, with the time at which it retires', () => {
  expect(show({ retires: '2027-03-01' })).toMatchObject({
    lifecycle: 'deprecated',
    retires_at: '2027-03-01T00:00:00Z',
    display_name: 'm (retiring 2027-03-01)',
  })
})

it('[models.messages] a model with unknown facts has null for them, and claims nothing', () => {
  const { capabilities, ...entry } = show({})
  expect(entry).toMatchObject({ max_input_tokens: null, max_tokens: null, line: null, lifecycle: 'active' })
  expect(capabilities).toMatchObject({
    image_input: { supported: false },
    thinking: { supported: false, types: { enabled: { supported: false }, disabled: { supported: true } } },
    effort: { supported: false, high: { supported: false } },
  })
})
