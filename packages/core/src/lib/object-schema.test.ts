import { describe, expect, it } from 'vitest'
import { objectSchema } from './object-schema.ts'

const A = { type: 'object', properties: { a: { type: 'string' }, kind: { const: 'a' } }, required: ['a', 'kind'] }
const B = { type: 'object', properties: { b: { type: 'number' }, kind: { const: 'b' } }, required: ['b', 'kind'] }

describe('an object schema', () => {
  it('is the same value if it is one already', () => {
    expect(objectSchema(A)).toBe(A)
  })

  it.each([
    [{}, { type: 'object' }],
    [{ properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    [
      { type: ['object', 'null'], properties: {} },
      { type: 'object', properties: {} },
    ],
    [
      { type: 'string', description: 'd' },
      { type: 'object', description: 'd' },
    ],
  ])('has its type: %j', (given, expected) => {
    expect(objectSchema(given)).toEqual(expected)
  })

  it.each(['anyOf', 'oneOf'])(
    'has the properties of all its choices in %s, and what all of them require',
    (keyword) => {
      expect(objectSchema({ description: 'd', [keyword]: [A, B, { type: 'null' }] })).toEqual({
        description: 'd',
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'number' }, kind: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
        required: ['kind'],
      })
    },
  )

  it('keeps its own properties beside choices of what is required', () => {
    const properties = { a: {}, b: {} }
    const choices = [{ required: ['a'] }, { required: ['b'] }]
    expect(objectSchema({ type: 'object', properties, required: ['b'], anyOf: choices })).toEqual({
      type: 'object',
      properties,
      required: ['b'],
    })
  })

  it('requires everything that its parts require', () => {
    expect(objectSchema({ allOf: [A, B] })).toMatchObject({ required: ['a', 'kind', 'b'] })
  })

  it('is the target of a reference, which may refer to itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, anyOf: [{ $ref: '#/$defs/node' }] }
    expect(objectSchema({ $ref: '#/$defs/node', $defs: { node } })).toEqual({
      $defs: { node },
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' } },
      required: [],
    })
  })
})
