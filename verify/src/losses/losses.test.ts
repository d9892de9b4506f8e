import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeLosses } from './document.ts'

it('docs/losses.md lists the codes that are reported', () => {
  const file = join(import.meta.dirname, '../../../docs/losses.md')
  expect(readFileSync(file, 'utf8'), 'out of date; run `npm run verify -- losses`').toBe(writeLosses())
})
