import { findCuts, type Edits, type JsonObject } from '@dragoman/core'
import { joinBody } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { withCuts } from './relay-body.ts'

function edited(text: string, edits: Edits) {
  const bytes = new TextEncoder().encode(text)
  const cuts = findCuts(bytes, edits, { text, json: JSON.parse(text) as JsonObject }) ?? []
  const body = withCuts(bytes, cuts)
  const whole = joinBody(body)
  return { bytes, body, text: typeof whole === 'string' ? whole : new TextDecoder().decode(whole) }
}

describe('a relayed body', () => {
  const EDITS = { model: '"größe"', n: null }

  it.each([
    ['small', 10, 'a'],
    ['small, with other characters', 10, 'é'],
    ['large', 20_000, 'a'],
    ['large, with other characters', 20_000, 'é'],
  ])('that is %s has its members edited', (_what, size, letter) => {
    const rest = (model: string) => `{"model": ${model}, "messages":"${letter.repeat(size)}"`
    expect(edited(`${rest('"m"')} ,"n":1}`, EDITS).text).toBe(`${rest('"größe"')} }`)
  })

  it('that is large is not copied for a small edit', () => {
    const { bytes, body } = edited(`{"model":"a","messages":"${'x'.repeat(20_000)}"}`, { model: '"b"' })
    const views = (body as readonly Uint8Array[]).filter(({ buffer }) => buffer === bytes.buffer)
    expect(views.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(20_000)
  })

  it('that is large has one piece for the model and what is before it', () => {
    const { body } = edited(`{"x":1,"model":"a","messages":"${'x'.repeat(20_000)}"}`, { model: '"b"' })
    const [first, ...others] = body as readonly Uint8Array[]
    expect(new TextDecoder().decode(first)).toBe('{"x":1,"model":"b"')
    expect(others).toHaveLength(1)
  })

  it('that needs no edit stays as it is', () => {
    const { bytes, body } = edited('{"a":1}', { gone: null })
    expect(body).toBe(bytes)
  })
})
