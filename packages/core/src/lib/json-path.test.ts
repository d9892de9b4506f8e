import { describe, expect, it } from 'vitest'
import { createPathObject } from './json-path.ts'

describe('an object that is built from paths', () => {
  it('accepts names, indexes and quoted names', () => {
    const object = createPathObject()
    expect(object.put('$.a.b[0]', 1)).toBe(true)
    expect(object.put("$['c d'].ee", true)).toBe(true)
    expect(object.put('$["f\\"g"]', null)).toBe(true)
    expect(object.put("$['it\\'s \"so\"']", 'x')).toBe(true)
    expect(object.value()).toEqual({ a: { b: [1] }, 'c d': { ee: true }, 'f"g': null, 'it\'s "so"': 'x' })
  })

  it('appends to a string, and replaces anything else', () => {
    const object = createPathObject()
    for (const piece of ['a', 'b']) object.put('$.s', piece)
    for (const value of [1, 2]) object.put('$.n', value)
    expect(object.value()).toEqual({ s: 'ab', n: 2 })
  })

  it.each(['', '$', 'a', '$..a', '$.*', '$[?(@.a)]', '$.a[5]', `$${'.a'.repeat(200)}`, '$.s.t'])(
    'refuses %s',
    (path) => {
      const object = createPathObject()
      object.put('$.s', 'text')
      expect(object.put(path, 1)).toBe(false)
    },
  )

  it('has no special keys', () => {
    const object = createPathObject()
    object.put('$.__proto__.polluted', true)
    expect(Object.hasOwn(object.value(), '__proto__')).toBe(true)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})
