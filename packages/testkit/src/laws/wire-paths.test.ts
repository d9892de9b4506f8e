import type { Protocol } from '@dragoman/core'
import { chat } from '@dragoman/core/protocols'
import type { SiteRules } from '@dragoman/core/codec'
import { expect, it } from 'vitest'
import { mustPointAtLosses } from './wire-paths.ts'

const sites = chat.request.sites as SiteRules // chat has them
const withSites = (rules: Partial<SiteRules>): Protocol => ({
  ...chat,
  request: { ...chat.request, sites: { ...sites, ...rules } },
})
const body = { model: 'm', seed: 7, temperature: 1, messages: [{ role: 'user', name: 'ann', content: 'Hi' }] }

it('holds for the right paths', () => {
  expect(() => mustPointAtLosses(chat, body)).not.toThrow()
})

it('finds a path to another value', () => {
  const misled = withSites({ request: new Map([...sites.request, ['settings.seed', [['temperature']]]]) })
  expect(() => mustPointAtLosses(misled, body)).toThrow('settings.seed does not depend on "temperature"')
})

it('finds a path to another message', () => {
  const misled = withSites({ messages: () => [{ at: ['messages', 1] }] })
  const { messages } = body
  expect(() => mustPointAtLosses(misled, { ...body, messages: [...messages, ...messages] })).toThrow(
    'messages.0.name does not depend on "messages[1].name"',
  )
})
