import { messages } from '@dragoman/core/protocols'
import { expect, it } from 'vitest'
import { mustNameLostFeatures } from './features.ts'

const content = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]
const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content }] }

it('holds for the right features', () => {
  expect(() => mustNameLostFeatures(messages, body)).not.toThrow()
})

it('finds a feature that is lost and not named', () => {
  expect(() => mustNameLostFeatures(messages, body, () => [])).toThrow('cache is lost toward chat')
})

it('finds a feature that is named and not lost', () => {
  expect(() => mustNameLostFeatures(messages, body, () => ['cache', 'images'])).toThrow(
    'images is not lost toward chat',
  )
})
