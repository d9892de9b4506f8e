import { describe, expect, it } from 'vitest'
import { camelKeys, namesOf } from './camel.ts'
import type { JsonObject } from '../json.ts'
import { kept, jsonLike, lazy, list, mapOf, object, optional, type json, type Schema } from './schema.ts'

const schema: typeof json = jsonLike(() => names)
const names = object({
  someName: kept,
  innerList: optional(list(object({ aB: kept }))),
  properties: optional(mapOf(schema)),
})
const shape = namesOf(schema)

describe('snake_case members', () => {
  it('are renamed to camelCase if that name is known', () => {
    expect(camelKeys({ some_name: { keep_me: 1 }, inner_list: [{ a_b: 1, c_d: 2 }], other_name: 3 }, shape)).toEqual({
      someName: { keep_me: 1 },
      innerList: [{ aB: 1, c_d: 2 }],
      other_name: 3,
    })
  })

  it('stay if the camelCase name exists too, and names in maps always stay', () => {
    expect(camelKeys({ some_name: 1, someName: 2, properties: { some_name: { some_name: 3 } } }, shape)).toEqual({
      some_name: 1,
      someName: 2,
      properties: { some_name: { someName: 3 } },
    })
  })

  it('cost nothing if there are none: the same object is returned', () => {
    const object = { someName: 1, innerList: [{ aB: 1 }], properties: { a_b: {} } }
    expect(camelKeys(object, shape)).toBe(object)
  })

  it('are safe at any depth, and with any key', () => {
    const deep: Schema = object({ some: lazy(() => deep) })
    const body = JSON.parse(`${'{"some":'.repeat(5000)}{"__proto__":{"some_name":1}}${'}'.repeat(5000)}`) as JsonObject
    expect(camelKeys(body, namesOf(deep))).toBe(body)
  })
})
