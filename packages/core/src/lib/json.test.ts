import { describe, expect, it } from 'vitest'
import { isEmpty, isObject, listOf, merge, objectOf, parseJson, stringOf, type JsonObject } from './json.ts'

describe('merge', () => {
  it('adds missing members, and the upper side wins', () => {
    expect(merge({ a: 1, b: { c: 2 } }, { a: 9, b: { c: 9, d: 3 }, f: 4 })).toEqual({ a: 1, b: { c: 2, d: 3 }, f: 4 })
  })

  it('never merges lists', () => {
    expect(merge({ a: [{ b: 1 }] }, { a: [{ c: 2 }, { d: 3 }] })).toEqual({ a: [{ b: 1 }] })
  })

  it('keeps null of the upper side', () => {
    expect(merge({ a: null }, { a: { b: 1 } })).toEqual({ a: null })
  })

  it('changes neither side', () => {
    const over = { a: { b: 1 } }
    const under = { a: { c: 2 } }
    merge(over, under)
    expect([over, under]).toEqual([{ a: { b: 1 } }, { a: { c: 2 } }])
  })

  it('keeps a __proto__ key as a key and pollutes nothing', () => {
    const under = parseJson('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":2}}}') as JsonObject
    const merged = merge({ a: { b: 1 } }, under)
    expect(Object.hasOwn(merged, '__proto__')).toBe(true)
    expect(JSON.parse(JSON.stringify(merged))).toEqual(
      JSON.parse('{"a":{"b":1,"__proto__":{"polluted":2}},"__proto__":{"polluted":1}}'),
    )
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('ignores inherited members', () => {
    expect(merge({}, { constructor: 'mine', toString: 1 })).toEqual({ constructor: 'mine', toString: 1 })
  })
})

describe('reading unknown values', () => {
  it('parses JSON, and returns undefined for other text', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ a: [1] })
    for (const text of ['', '{', 'nope', '{"a":1}}', undefined]) expect(parseJson(text as string)).toBeUndefined()
  })

  it('does not count lists and null as objects', () => {
    expect([{}, [], null, 'a', 1].map(isObject)).toEqual([true, false, false, false, false])
    expect([objectOf([]), objectOf(null), objectOf({ a: 1 })]).toEqual([{}, {}, { a: 1 }])
  })

  it('returns an empty list or string for anything else', () => {
    expect([listOf(null), listOf([1]), listOf('abc' as never)]).toEqual([[], [1], []])
    expect([stringOf(1), stringOf('a'), stringOf(undefined)]).toEqual(['', 'a', ''])
    expect([isEmpty({}), isEmpty({ a: undefined })]).toEqual([true, false])
  })
})
