import { describe, expect, it } from 'vitest'
import { isAway } from './errors.ts'

const coded = (code: string): Error => Object.assign(new Error('PostgreSQL: something'), { code })

describe('a database that cannot be opened', () => {
  it.each(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', '57P03', '57P01', '53300', '08006'])(
    'is away with %s',
    (code) => expect(isAway(coded(code))).toBe(true),
  )

  it.each([
    ['a wrong password', '28P01'],
    ['a user who may not connect', '28000'],
    ['a database that does not exist', '3D000'],
    ['a user who may not create tables', '42501'],
    ['a certificate that is not trusted', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ])('is not away because of %s', (_, code) => expect(isAway(coded(code))).toBe(false))

  it('is away if the package pg says so without a code', () => {
    expect(isAway(new Error('PostgreSQL: timeout exceeded when trying to connect'))).toBe(true)
    expect(isAway(new Error('PostgreSQL: Connection terminated due to connection timeout'))).toBe(true)
    expect(isAway(new Error('The schema "dragoman" has version 9, and this dragoman knows 2.'))).toBe(false)
    expect(isAway('timeout')).toBe(false)
  })
})
