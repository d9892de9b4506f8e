import { describe, expect, it } from 'vitest'
import { editTopLevel, type Edits } from './top-level.ts'

function edit(text: string, edits: Edits): string {
  return new TextDecoder().decode(editTopLevel(new TextEncoder().encode(text), edits))
}

describe('editTopLevel', () => {
  it('edits both of two model members (trap 42)', () => {
    const edited = edit('{"model":"cheap","messages":[],"model":"dear"}', { model: '"sent"' })
    expect(edited).not.toContain('cheap')
    expect(edited).not.toContain('dear')
    expect(JSON.parse(edited)).toEqual({ model: 'sent', messages: [] })
    expect(edited.match(/model/g)).toHaveLength(1)
  })

  it('edits a model member that is spelled with escapes (trap 42)', () => {
    const edited = edit(String.raw`{"mod\u0065l":"dear","messages":[]}`, { model: '"sent"' })
    expect(edited).not.toContain('dear')
    expect(JSON.parse(edited)).toEqual({ model: 'sent', messages: [] })
  })

  it('takes out every occurrence of a member', () => {
    const text = String.raw`{"provider":{"a":[1,"}"]},"x":1,"provider":null,"pro\u0076ider":"\\"}`
    expect(edit(text, { provider: null })).toBe('{"x":1}')
  })

  it('keeps numbers, spacing, escapes and order of everything else byte for byte', () => {
    const rest = String.raw`"n": 1.0e+2 , "big":12345678901234567890,"s":"\u00e9\/\"é" , "o":{ "model" : "inner" }`
    const edited = edit(`{ "model" : "a" , ${rest} }`, { model: '"b"' })
    for (const piece of ['1.0e+2', '12345678901234567890', String.raw`"\u00e9\/\"é"`, '{ "model" : "inner" }']) {
      expect(edited).toContain(piece)
    }
    expect(Object.keys(JSON.parse(edited) as object)).toEqual(['model', 'n', 'big', 's', 'o'])
    expect(edited).toContain('"model" : "b"')
  })

  it('leaves a member of the same name deeper down alone', () => {
    expect(edit('{"a":{"model":"x"},"b":[{"model":"y"}]}', { model: null })).toBe(
      '{"a":{"model":"x"},"b":[{"model":"y"}]}',
    )
  })

  it('gives back the very bytes when there is nothing to edit', () => {
    const bytes = new TextEncoder().encode(' { "a" : 1e2 , "a" : 2 }\n')
    expect(editTopLevel(bytes, {})).toBe(bytes)
  })

  it('adds what was not there', () => {
    expect(JSON.parse(edit('{}', { a: '1', gone: null }))).toEqual({ a: 1 })
    expect(JSON.parse(edit('{"b":2}', { a: '{"c":[]}' }))).toEqual({ b: 2, a: { c: [] } })
  })

  it('is not led astray by braces, commas and backslashes inside strings', () => {
    const text = String.raw`{"a":"},{\\\"model\\\":1","b\\":"\\\\","model":"x","c":["]",{"d":"}"}]}`
    const before = JSON.parse(text) as object
    expect(JSON.parse(edit(text, { model: '"y"' }))).toEqual({ ...before, model: 'y' })
  })

  it('does not touch the prototype for a member named __proto__', () => {
    const edited = edit('{"__proto__":{"polluted":1},"model":"x"}', { model: '"y"' })
    expect(edited).toBe('{"__proto__":{"polluted":1},"model":"y"}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('is done with a megabyte of backslashes and with a body cut short', () => {
    const long = `{"a":"${'\\\\'.repeat(500_000)}","model":"x"}`
    expect(edit(long, { model: '"y"' }).endsWith('"model":"y"}')).toBe(true)
    expect(() => edit('{"model":"x', { other: '1' })).not.toThrow(RangeError)
  })
})
