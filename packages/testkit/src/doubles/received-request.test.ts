import { expect, it } from 'vitest'
import { readChat, readMessages } from './received-request.ts'

const MESSAGES = [
  { role: 'user', content: 'Read the files.' },
  { role: 'system', content: 'Be brief.' },
]

it.each([
  ['chat', readChat],
  ['messages', readMessages],
])('instructions in the middle are not a turn of %s', (_name, read) => {
  const { system, turns } = read({ messages: MESSAGES })
  expect(system).toBe('Be brief.')
  expect(turns.map(({ role, text }) => [role, text])).toEqual([['user', 'Read the files.']])
})
