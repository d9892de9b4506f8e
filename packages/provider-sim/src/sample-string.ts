import type { JsonObject } from '@dragoman/core'
import { samplePattern } from './sample-pattern.ts'

const VALUE_OF: { readonly [format: string]: string } = {
  date: '2026-01-15',
  'date-time': '2026-01-15T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000001',
}
const LONGEST = 4000

/** A string of the required format and length, with words of the prompt if any string is valid. */
export function sampleString(schema: JsonObject, words: readonly string[], variant: number): string {
  const { format, pattern, minLength, maxLength } = schema
  if (typeof pattern === 'string') return samplePattern(pattern)
  if (typeof format === 'string' && Object.hasOwn(VALUE_OF, format)) return VALUE_OF[format] ?? ''
  const word = words[variant % words.length] ?? 'example'
  const text = variant < words.length ? word : `${word}${variant}`
  const least = Math.min(typeof minLength === 'number' ? minLength : 0, LONGEST)
  const most = typeof maxLength === 'number' ? maxLength : LONGEST
  return Array.from(text.padEnd(least, 'x')).slice(0, most).join('')
}
