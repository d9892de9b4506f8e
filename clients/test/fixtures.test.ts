import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FIXTURES } from '../src/fixture.ts'
import { OWN } from '../src/sanitize.ts'

const ZEROS = '00000000-0000-4000-8000-000000000000'

/** What may not be in a fixture, wherever it is. */
const FORBIDDEN: readonly (readonly [string, RegExp])[] = [
  ['a path of a machine', /(^|[^\w.:/-])(\/(tmp|root|home|Users|private|var|opt|usr|mnt|work)\/|[A-Z]:\\)/],
  ['a key', /\b(sk-|AIza|ya29\.|gh[opsu]_|xox[bp]-|AKIA)[\w-]{4,}|Bearer (?!KEY\b)/],
  ['an address of a person', /[\w.+-]+@[\w-]+\.\w{2,}/],
  ['an id of a machine or session', new RegExp(`(?!${ZEROS})[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)],
  ['a digest', /\b(?!0+\b)[0-9a-f]{32,}\b/],
]
/** A prompt is longer than the names and formats that schemas consist of. */
const PROMPT = /(\S+\s+){6}\S/

describe.each(globSync('*.json', { cwd: FIXTURES }).sort())('%s', (file) => {
  it('has no secrets, paths of machines, ids or prompts', () => {
    const fixture: unknown = JSON.parse(readFileSync(join(FIXTURES, file), 'utf8'))
    expect(stringsOf(fixture).flatMap(findForbidden)).toEqual([])
  })
})

it.each([
  ['/tmp/dragoman-x/home/.claude'],
  ['Read "/root/notes.txt".'],
  ['C:\\Users\\somebody'],
  ['Bearer sk-ant-oat01-abcdef'],
  ['AIzaSyA1234567'],
  ['somebody@example.com'],
  ['6668aa2c-5e9b-47c4-a9f8-2ebce995f7d8'],
  ['9f309c9a5dce886a234285bb8fd2699e'],
  ['You are an agent of somebody, and you are helpful.'],
])('%s would be found', (text) => {
  expect(findForbidden(text)).not.toEqual([])
})

function findForbidden(text: string): string[] {
  const found = FORBIDDEN.filter(([, pattern]) => pattern.test(text)).map(([name]) => `${name}: ${text}`)
  const isOwn = OWN.some((own) => own.includes(text) || text.includes(own))
  return PROMPT.test(text) && !isOwn ? [...found, `a prompt: ${text}`] : found
}

/** Every string of a value, and the names of its members. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(stringsOf)]
}
