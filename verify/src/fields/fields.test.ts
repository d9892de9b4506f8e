import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeFields } from './document.ts'

it('docs/fields.md matches the converters', async () => {
  const file = join(import.meta.dirname, '../../../docs/fields.md')
  expect(readFileSync(file, 'utf8'), 'out of date; this writes it anew: npm run verify -- fields').toBe(
    await writeFields(),
  )
})
