import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from './json.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { openApiOf } from './openapi-schema.ts'

/** Every keyword of drafts 4 to 2020-12 that the OpenAPI subset has neither as it is nor in other words, with a value of it. */
const WITHOUT_EQUIVALENT: readonly (readonly [keyword: string, value: Json])[] = [
  ['$schema', 'https://json-schema.org/draft/2020-12/schema'],
  ['$id', 'https://example.com/schema'],
  ['id', 'https://example.com/schema'],
  ['$anchor', 'here'],
  ['$dynamicAnchor', 'here'],
  ['$dynamicRef', '#here'],
  ['$vocabulary', {}],
  ['$comment', 'why'],
  ['not', { type: 'string' }],
  ['if', { type: 'string' }],
  ['then', { type: 'string' }],
  ['else', { type: 'string' }],
  ['dependentSchemas', {}],
  ['dependentRequired', {}],
  ['dependencies', {}],
  ['additionalItems', false],
  ['contains', { type: 'string' }],
  ['minContains', 1],
  ['maxContains', 1],
  ['patternProperties', {}],
  ['additionalProperties', false],
  ['propertyNames', { type: 'string' }],
  ['unevaluatedItems', false],
  ['unevaluatedProperties', false],
  ['uniqueItems', true],
  ['multipleOf', 2],
  ['exclusiveMinimum', true],
  ['default', 1],
  ['examples', [1]],
  ['deprecated', true],
  ['readOnly', true],
  ['writeOnly', true],
  ['contentEncoding', 'base64'],
  ['contentMediaType', 'image/png'],
  ['contentSchema', { type: 'string' }],
  ['format', 'uuid'],
]

describe('a keyword without an equivalent in the OpenAPI subset', () => {
  it.each(WITHOUT_EQUIVALENT)('is removed and named at any level: %s (trap 21)', (keyword, value) => {
    const inner = { type: 'string', [keyword]: value }
    const { value: reduced, removed } = openApiOf({
      type: 'object',
      [keyword]: value,
      properties: { [keyword]: inner, list: { type: 'array', items: inner }, either: { anyOf: [inner] } },
    })
    expect(removed).toEqual([
      keyword,
      `properties.${keyword}.${keyword}`,
      `properties.list.items.${keyword}`,
      `properties.either.anyOf.0.${keyword}`,
    ])
    const plain = { type: 'STRING' }
    expect(reduced).toEqual({
      type: 'OBJECT',
      properties: { [keyword]: plain, list: { type: 'ARRAY', items: plain }, either: { anyOf: [plain] } },
    })
  })
})

describe('a keyword of the OpenAPI subset', () => {
  it.each<[string, Json]>([
    ['title', 't'],
    ['description', 'd'],
    ['minimum', 1],
    ['maximum', 2],
    ['minItems', 1],
    ['maxItems', 2],
    ['minLength', 1],
    ['maxLength', 2],
    ['pattern', '^a'],
    ['format', 'int64'],
  ])('is kept in both directions: %s', (keyword, value) => {
    expect(openApiOf({ type: 'string', [keyword]: value })).toEqual({
      value: { type: 'STRING', [keyword]: value },
      removed: [],
    })
    expect(jsonSchemaOf({ type: 'STRING', [keyword]: value })).toEqual({ type: 'string', [keyword]: value })
  })
})

describe('a part of a schema that the OpenAPI subset cannot express', () => {
  it.each<[string, JsonObject, removed: string]>([
    ['a tuple of draft 7', { type: 'array', items: [{ type: 'string' }, { type: 'number' }] }, 'items'],
    ['the end of a tuple', { type: 'array', prefixItems: [{ type: 'string' }], items: false }, 'prefixItems items'],
    ['a constant beside values', { enum: ['a', 'b'], const: 'a' }, 'const'],
    ['several types beside alternatives', { type: ['string', 'integer'], anyOf: [{ minimum: 1 }] }, 'type'],
    ['one of all that is never', { type: 'string', allOf: [false] }, 'allOf.0'],
    ['one of all that is nowhere', { type: 'string', allOf: [{ $ref: '#/$defs/none' }] }, 'allOf.0'],
    ['one of all within another', { allOf: [{ type: 'string', allOf: [{ maxLength: 3 }] }] }, 'allOf'],
    ['two lists of values that all must hold', { allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, 'allOf.1.enum'],
    ['alternatives of two kinds', { anyOf: [{ type: 'string' }], oneOf: [{ maxLength: 3 }] }, 'oneOf'],
  ])('is named: %s', (_what, schema, removed) => {
    expect(openApiOf(schema).removed).toEqual(removed.split(' '))
  })

  it.each([
    [{ minimum: 5, exclusiveMinimum: 0 }, { minimum: 5 }],
    [{ exclusiveMinimum: 7, minimum: 5 }, { minimum: 8 }],
    [{ maximum: 5, exclusiveMaximum: 9 }, { maximum: 5 }],
    [{ exclusiveMaximum: 5, maximum: 5 }, { maximum: 4 }],
  ])('is the narrower of two bounds: %j', (bounds, expected) => {
    expect(openApiOf({ type: 'integer', ...bounds }).value).toEqual({ type: 'INTEGER', ...expected })
  })
})

describe('a schema of the OpenAPI subset as JSON Schema', () => {
  it('is converted completely, with references and names kept', () => {
    const inner = { type: 'STRING', nullable: true, minLength: '1' }
    const plain = { type: ['string', 'null'], minLength: 1 }
    const names = { type: inner, nullable: inner, $ref: inner, items: inner, enum: inner, minItems: inner }
    const rewritten = Object.fromEntries(Object.keys(names).map((name) => [name, plain]))
    expect(
      jsonSchemaOf({
        type: 'OBJECT',
        properties: names,
        additionalProperties: inner,
        required: ['type'],
        $defs: { leaf: inner },
        definitions: { nullable: { $ref: '#/$defs/leaf' } },
        allOf: [inner],
        not: inner,
        default: { type: 'OBJECT', nullable: true },
        example: { type: 'STRING' },
      }),
    ).toEqual({
      type: 'object',
      properties: rewritten,
      additionalProperties: plain,
      required: ['type'],
      $defs: { leaf: plain },
      definitions: { nullable: { $ref: '#/$defs/leaf' } },
      allOf: [plain],
      not: plain,
      default: { type: 'OBJECT', nullable: true },
      examples: [{ type: 'STRING' }],
    })
  })

  it('reads oneOf as anyOf, and keeps both if both exist', () => {
    const [one, other] = [{ type: 'STRING' }, { type: 'NUMBER' }]
    expect(jsonSchemaOf({ oneOf: [one, other] })).toEqual({ anyOf: [{ type: 'string' }, { type: 'number' }] })
    expect(jsonSchemaOf({ anyOf: [one], oneOf: [other], nullable: true })).toEqual({
      anyOf: [{ type: 'string' }, { type: 'null' }],
      oneOf: [{ type: 'number' }],
    })
  })

  it('has its properties in the given order', () => {
    const properties = { a: { type: 'STRING' }, b: { type: 'STRING' }, c: { type: 'STRING' } }
    const schema = jsonSchemaOf({ type: 'OBJECT', properties, propertyOrdering: ['c', 'a', 'none'] })
    expect(Object.keys(schema['properties'] as JsonObject)).toEqual(['c', 'a', 'b'])
    expect(schema).not.toHaveProperty('propertyOrdering')
  })
})
