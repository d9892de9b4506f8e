import { describe, expect, it } from 'vitest'
import type { JsonObject } from './json.ts'
import { excessOf, findCycle, jsonSchemaOf, objectSchema } from './json-schema.ts'
import { openApiOf } from './openapi-schema.ts'

describe('JSON Schema from the OpenAPI subset', () => {
  it('converts types, null, counts and examples, and keeps names', () => {
    expect(
      jsonSchemaOf({
        type: 'OBJECT',
        title: 't',
        properties: {
          type: { type: 'STRING', nullable: true, enum: ['a'] },
          nullable: { type: 'ARRAY', items: { type: 'NUMBER', minimum: 1 }, maxItems: '5' },
          any: { nullable: true, oneOf: [{ type: 'STRING', example: 'x' }] },
        },
        required: ['type'],
        propertyOrdering: ['any'],
      }),
    ).toEqual({
      type: 'object',
      title: 't',
      properties: {
        type: { type: ['string', 'null'], enum: ['a', null] },
        nullable: { type: 'array', items: { type: 'number', minimum: 1 }, maxItems: 5 },
        any: { anyOf: [{ type: 'string', examples: ['x'] }, { type: 'null' }] },
      },
      required: ['type'],
    })
  })

  it('writes the type first and properties in their stated order, also one named __proto__', () => {
    const schema = JSON.parse(
      '{"properties":{"a":{"type":"STRING"},"__proto__":{"type":"NUMBER"},"b":true},"__proto__":1,"type":"OBJECT","propertyOrdering":["b","none","__proto__"]}',
    ) as JsonObject // written above
    expect(JSON.stringify(jsonSchemaOf(schema))).toBe(
      '{"type":"object","properties":{"b":true,"__proto__":{"type":"number"},"a":{"type":"string"}},"__proto__":1}',
    )
  })

  it('leaves the given schema as it is', () => {
    const schema = { type: 'OBJECT', properties: { a: { nullable: true, type: 'STRING', enum: ['x'] } }, example: {} }
    const before = structuredClone(schema)
    jsonSchemaOf(schema)
    expect(schema).toEqual(before)
  })
})

describe('the OpenAPI subset from JSON Schema', () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'a list of types',
      { type: ['string', 'integer', 'null'] },
      { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true },
      [],
    ],
    [
      'null beside others',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'STRING' }], nullable: true },
      [],
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { const: 'b' }] },
      { anyOf: [{ type: 'STRING' }, { type: 'STRING', enum: ['b'] }] },
      [],
    ],
    ['a constant number', { const: 5 }, { type: 'INTEGER', minimum: 5, maximum: 5 }, []],
    ['a constant flag', { const: true }, { type: 'BOOLEAN' }, ['const']],
    ['numbers to choose from', { enum: [1, 2] }, { type: 'INTEGER' }, ['enum']],
    ['words and null to choose from', { enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }, []],
    [
      'bounds of integers',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      { type: 'INTEGER', minimum: 1, maximum: 9 },
      [],
    ],
    [
      'bounds of numbers',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'NUMBER', minimum: 0 },
      ['exclusiveMinimum'],
    ],
    ['a format that is known', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }, []],
    ['one that is not', { type: 'string', format: 'uri' }, { type: 'STRING' }, ['format']],
    ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }, []],
    [
      'a tuple',
      { prefixItems: [{ type: 'string' }] },
      { type: 'ARRAY', items: { anyOf: [{ type: 'STRING' }] } },
      ['prefixItems'],
    ],
    [
      'what is required but not described',
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
      ['required'],
    ],
    [
      'all of several',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'string' } }, required: ['b'] },
        ],
      },
      { type: 'OBJECT', properties: { b: { type: 'STRING' }, a: { type: 'STRING' } }, required: ['b'] },
      [],
    ],
    [
      'the refused keywords',
      {
        type: 'object',
        propertyNames: {},
        patternProperties: {},
        additionalProperties: false,
        uniqueItems: true,
        default: 1,
        multipleOf: 2,
        $schema: 'x',
      },
      { type: 'OBJECT' },
      ['propertyNames', 'patternProperties', 'additionalProperties', 'uniqueItems', 'default', 'multipleOf', '$schema'],
    ],
  ])('says %s (trap 21)', (_what, schema, value, removed) => {
    expect(openApiOf(schema)).toEqual({ value, removed })
  })

  it('resolves references, and ends those that lead back to themselves (trap 21)', () => {
    const schema = {
      type: 'object',
      properties: {
        one: { $ref: '#/$defs/leaf', description: 'mine' },
        two: { $ref: '#/$defs/leaf' },
        tree: { $ref: '#/definitions/tree' },
        gone: { $ref: '#/$defs/none' },
      },
      $defs: { leaf: { type: 'string', description: 'theirs' } },
      definitions: {
        tree: { type: 'object', description: 'a tree', properties: { left: { $ref: '#/definitions/tree' } } },
      },
    }
    const { value, removed } = openApiOf(schema)
    expect(value['properties']).toEqual({
      one: { type: 'STRING', description: 'mine' },
      two: { type: 'STRING', description: 'theirs' },
      tree: { type: 'OBJECT', description: 'a tree', properties: { left: { type: 'OBJECT', description: 'a tree' } } },
      gone: { type: 'OBJECT' },
    })
    expect(removed).toEqual([
      'properties.tree.properties.left.$ref #/definitions/tree',
      'properties.gone.$ref #/$defs/none',
    ])
  })

  it('never loops and never grows without bounds', () => {
    expect(openApiOf({ $ref: '#' }).value).toEqual({ type: 'OBJECT' })
    const wide = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `d${index}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } } },
      ]),
    )
    const { value, removed } = openApiOf({ $ref: '#/$defs/d0', $defs: wide })
    expect(excessOf(value, 1000, 50_000)).toBeUndefined()
    expect(removed.some((entry) => entry.endsWith('everything beyond'))).toBe(true)
  })

  it('has no special keys', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"__proto__":{"x":1}}',
    ) as JsonObject
    const { value } = openApiOf(schema)
    expect(Object.keys(value['properties'] as JsonObject)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })
})

describe('a schema that refers to itself', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ $ref: '#' }, '#'],
    [
      { items: { $ref: '#/$defs/a' }, $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } },
      '#/$defs/a',
    ],
    [
      {
        items: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
        $defs: { a: { type: 'string' }, b: { $ref: '#/$defs/b' } },
      },
      undefined,
    ],
    [{ $ref: 'https://example.com/schema' }, undefined],
  ])('is found: %j', (schema, cycle) => {
    expect(findCycle(schema)).toBe(cycle)
  })
})

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
