import type { BuiltinTool, CustomTool, FunctionTool, Schema, Tool, ToolChoice } from '@dragoman/core'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { extras, jsonObject, key, letters, writing } from './json.ts'
import { never, record } from './record.ts'
import { cacheMark } from './cache-mark.ts'
import { FOREIGN, type World } from './world.ts'

/** Ordinary names, and names of MCP servers that upstreams refuse: dots, slashes, colons, too long. */
export function toolName(): Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: plainName() },
    {
      weight: 1,
      arbitrary: fc.tuple(letters(2, 5), fc.constantFrom('.', ':', '/'), letters(2, 5)).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.integer({ min: 65, max: 140 }).map((length) => 'long_tool_name_'.padEnd(length, 'x')) },
  )
}

/** A name that every protocol accepts. */
export function plainName(): Arbitrary<string> {
  return fc.tuple(letters(2, 5), fc.constantFrom('', '_', '-'), letters(1, 4)).map((parts) => parts.join(''))
}

export function tools(world: World): Arbitrary<readonly Tool[]> {
  const tool = fc.oneof(
    { weight: 6, arbitrary: functionTool(world) },
    { weight: 1, arbitrary: customTool(world) },
    { weight: 1, arbitrary: builtinTool(world) },
  )
  return fc.uniqueArray(tool, {
    minLength: 1,
    maxLength: 4,
    selector: (one) => ('name' in one ? one.name : 'builtin'),
  })
}

export function functionTool(world: World): Arbitrary<FunctionTool> {
  return record<FunctionTool>(
    { type: fc.constant('function'), name: toolName() },
    {
      description: writing(),
      schema: fc.oneof({ weight: 5, arbitrary: schema() }, rootSchema()),
      strict: fc.boolean(),
      cache: cacheMark(),
      since: never,
      extras: extras(world),
    },
  )
}

function customTool(world: World): Arbitrary<CustomTool> {
  const grammar = { syntax: 'lark', definition: 'start: "a"' }
  return record<CustomTool>(
    { type: fc.constant('custom'), name: toolName() },
    {
      description: writing(),
      grammar: fc.constant(grammar),
      since: never,
      extras: extras(world),
    },
  )
}

function builtinTool(world: World): Arbitrary<BuiltinTool> {
  return record<BuiltinTool>(
    {
      type: fc.constant('builtin'),
      kind: fc.constantFrom('web-search', 'code-execution', 'url-context', 'retrieval', 'shell', 'editor', 'other'),
      protocol: fc.constant(FOREIGN.protocol),
      options: jsonObject(1),
    },
    { version: fc.constantFrom('20250305', '2'), cache: cacheMark(), since: never, extras: extras(world) },
  )
}

export function schema(): Arbitrary<Schema> {
  const properties = fc.dictionary(key(), fc.constantFrom({ type: 'string' }, { type: 'integer', minimum: 1 }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  const value = fc.record({ properties, strict: fc.boolean() }).map(({ properties, strict }) => ({
    type: 'object',
    properties,
    ...(strict ? { additionalProperties: false, required: Object.keys(properties) } : {}),
  }))
  return record<Schema>({ dialect: fc.constant('json-schema'), value }, {})
}

/** Schemas that some upstreams refuse: without a type, or with choices at the root. */
function rootSchema(): Arbitrary<Schema> {
  const properties = { a: { type: 'string' } }
  const other = { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] }
  return fc
    .constantFrom({}, { properties }, { anyOf: [{ properties }, other] }, { type: 'object', oneOf: [other] })
    .map((value) => ({ dialect: 'json-schema', value }))
}

/** A tool choice among the existing names. */
export function toolChoice(names: readonly string[]): Arbitrary<ToolChoice> {
  return record<ToolChoice>(
    {},
    {
      mode: fc.constantFrom('auto', 'none', 'required', 'validated'),
      names: names.length === 0 ? never : fc.subarray([...names], { minLength: 1 }),
      parallel: fc.boolean(),
    },
  )
    .map(({ names, ...choice }) => (names === undefined || choice.mode === 'none' ? choice : { ...choice, names }))
    .filter((choice) => Object.keys(choice).length > 0)
}
