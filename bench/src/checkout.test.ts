import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkoutOf } from './checkout.ts'

const ROOT = join(import.meta.dirname, '../..')

it('takes the folder of a checkout as it is', () => {
  expect(checkoutOf(ROOT)).toBe(ROOT)
  expect(checkoutOf(`${ROOT}/docs/..`)).toBe(ROOT)
})

it('refuses what is neither a checkout nor a commit, before anything is copied', () => {
  expect(() => checkoutOf('no-such-commit')).toThrow(
    'no-such-commit is neither a checkout of this repository nor a commit',
  )
  expect(() => checkoutOf('--output=x')).toThrow('is neither a checkout')
  expect(() => checkoutOf(join(ROOT, 'docs'))).toThrow('is neither a checkout')
})
