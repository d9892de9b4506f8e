import { describe, expect, it } from 'vitest'
import { DragomanError } from '../ir/error.ts'
import { createRedact, redactError, secretsOf } from './redact.ts'

const KEY = 'sk-first-0123456789'

describe('the redaction of a text', () => {
  it('removes every copy of every secret', () => {
    const redact = createRedact([KEY, 'second-secret'])
    expect(redact(`${KEY} and ${KEY}, second-secret, ${KEY}`)).toBe('[secret] and [secret], [secret], [secret]')
  })

  it('removes a longer secret whole if it begins with a shorter one', () => {
    expect(createRedact([KEY, `${KEY}-long`])(`x ${KEY}-long y`)).toBe('x [secret] y')
  })

  it('removes what has the form of secrets that are made for each call', () => {
    expect(createRedact([], /tok_\w+/g)('tok_a, tok_b')).toBe('[secret], [secret]')
  })
})

it('headers count with and without their scheme, and short values do not count', () => {
  expect(secretsOf([KEY], { authorization: 'Bearer abcdefgh', 'x-team': 'blue' })).toEqual([
    KEY,
    'Bearer abcdefgh',
    'abcdefgh',
  ])
})

it('an error is redacted in every member, also in its cause', () => {
  const cause = new Error(`cause ${KEY}`)
  const given = new DragomanError('upstream', `message ${KEY}`, { param: KEY, code: KEY, details: { a: KEY }, cause })
  const { message, param, code, details, cause: clean } = redactError(given, createRedact([KEY]))
  expect(JSON.stringify({ message, param, code, details, cause: String(clean) })).not.toContain(KEY)
})
