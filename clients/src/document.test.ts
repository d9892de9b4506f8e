import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { CLIENTS } from './all-clients.ts'
import { DOCUMENT, renderDocument } from './document.ts'

it('docs/clients.md shows the recorded results', () => {
  const text = readFileSync(DOCUMENT, 'utf8')
  expect(renderDocument(text, CLIENTS)).toBe(text)
})

it('every client has a name of its own', () => {
  expect(new Set(CLIENTS.map(({ name }) => name)).size).toBe(CLIENTS.length)
})
