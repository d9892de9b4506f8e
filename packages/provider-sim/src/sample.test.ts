import { describe, expect, it } from 'vitest'
import { samplePattern } from './sample-pattern.ts'
import { sample } from './sample.ts'

const words = ['Paris', 'Rome']

describe('a sample of a schema', () => {
  it('fills every kind of value', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['celsius', 'kelvin'] },
        kind: { const: 'weather' },
        days: { type: 'integer', minimum: 3, maximum: 10 },
        share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.5 },
        step: { type: 'integer', multipleOf: 5 },
        now: { type: 'boolean' },
        note: { type: ['null', 'string'] },
        gone: { type: 'null' },
        day: { type: 'string', format: 'date' },
        code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
        long: { type: 'string', minLength: 12 },
        short: { type: 'string', maxLength: 2 },
        list: { type: 'array', items: { type: 'string' }, minItems: 2 },
        pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
      },
      required: ['city', 'extra'],
    }
    expect(sample(schema, words)).toEqual({
      city: 'Paris',
      extra: 'Paris',
      unit: 'celsius',
      kind: 'weather',
      days: 3,
      share: 0.25,
      step: 5,
      now: true,
      note: 'Paris',
      gone: null,
      day: '2026-01-15',
      code: 'AA-111',
      long: 'Parisxxxxxxx',
      short: 'Pa',
      list: ['Paris', 'Rome'],
      pair: [1, 'Rome'],
    })
  })

  it('follows references, alternatives and allOf', () => {
    const schema = {
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
      allOf: [{ $ref: '#/$defs/place' }, { properties: { when: { anyOf: [{ type: 'null' }, { type: 'integer' }] } } }],
    }
    expect(sample(schema, words)).toEqual({ city: 'Paris', when: 1 })
  })

  it('reads types in capitals', () => {
    expect(sample({ type: 'OBJECT', properties: { count: { type: 'INTEGER' } } }, words)).toEqual({ count: 1 })
  })

  it('gives other values for other variants', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    expect(sample(schema, words, 1)).toEqual({ city: 'Rome' })
    expect(sample(schema, words, 2)).toEqual({ city: 'Paris2' })
  })

  it('ends for recursive schemas', () => {
    const tree = {
      type: 'object',
      properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['next'],
    }
    expect(JSON.stringify(sample(tree, words))).toContain('null')
    const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
    const wide = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
      required: names,
    }
    expect(JSON.stringify(sample(wide, words)).length).toBeLessThan(100_000)
    expect(sample({ allOf: [{ $ref: '#' }, { $ref: '#' }] }, words)).toEqual('Paris')
  })

  it('is bounded for any required length', () => {
    expect(JSON.stringify(sample({ type: 'string', minLength: 1e9 }, words)).length).toBeLessThan(10_000)
    expect(JSON.stringify(sample({ type: 'array', minItems: 1e9 }, words)).length).toBeLessThan(10_000)
    expect(samplePattern('((a{999}){999}){999}').length).toBeLessThan(10_000)
  })

  /** Throws when it is converted to text or a number. */
  const stubborn = { toString: 1, valueOf: 1 }

  it.each([
    'required',
    'minProperties',
    'minItems',
    'maxItems',
    'type',
    'enum',
    'properties',
    'items',
    'anyOf',
    '$ref',
  ])('reads a senseless %s as if it were not there', (keyword) => {
    for (const value of [stubborn, [stubborn], [[stubborn]], null, -1, 1.5, 'x', ['x', stubborn, null]])
      for (const type of ['object', 'array', undefined])
        expect(() => sample({ ...(type && { type }), [keyword]: value }, words)).not.toThrow()
  })

  it('fills in the names in `required` and ignores other values', () => {
    expect(sample({ type: 'object', required: [stubborn, 'city', 7, ['a']] }, words)).toEqual({ city: 'Paris' })
  })

  it.each([
    '^[a-z]+$',
    '^(cat|dog)s?$',
    '^\\w+@\\w+\\.com$',
    '^[^a-z0-9]{3}$',
    '^(?:\\+49|0)\\d{4,8}$',
    '^#[0-9a-fA-F]{6}$',
  ])('matches the pattern %s', (pattern) => {
    expect(samplePattern(pattern)).toMatch(new RegExp(pattern))
  })
})
