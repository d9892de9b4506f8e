import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeRecord } from './record.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'dragoman-record-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const SERVER = {
  name: 'Half the cost!',
  part: 'Server',
  date: '2026-11-17',
  machine: 'Node 24, x64',
  text: '| 1 |\n',
} as const

it('writes the figures of several commands into one file', () => {
  writeRecord(SERVER, folder)
  const file = writeRecord({ ...SERVER, part: 'Converters', date: '2026-11-18', text: '| 2 |' }, folder)
  expect(readdirSync(folder)).toEqual(['2026-11-17-half-the-cost.md'])
  expect(readFileSync(file, 'utf8')).toBe(
    '# Half the cost!\n\n## Server\n\n2026-11-17. Node 24, x64\n\n| 1 |\n\n## Converters\n\n2026-11-18. Node 24, x64\n\n| 2 |\n',
  )
})

it('replaces the figures of the same command, and keeps other names apart', () => {
  writeRecord(SERVER, folder)
  writeRecord({ ...SERVER, part: 'Converters' }, folder)
  const file = writeRecord({ ...SERVER, date: '2026-12-01', text: '| 3 |' }, folder)
  const text = readFileSync(file, 'utf8')
  expect(text.match(/## Server/g)).toHaveLength(1)
  expect(text).toContain('2026-12-01. Node 24, x64\n\n| 3 |')
  expect(text).not.toContain('## Server\n\n2026-11-17')
  writeRecord({ ...SERVER, name: 'Another' }, folder)
  expect(readdirSync(folder)).toHaveLength(2)
})

it('needs a name', () => {
  expect(() => writeRecord({ ...SERVER, name: ' ' }, folder)).toThrow('--record needs a name')
})
