import { expect, it } from 'vitest'
import { messages } from './index.ts'

it("answers Claude Code's first request like the base", () => {
  const match = (method: string) => messages.http.match(method, '/api/hello', new URLSearchParams())
  expect(match('GET')).toEqual({ operation: 'base' })
  expect(match('POST')).toBe('method')
})
