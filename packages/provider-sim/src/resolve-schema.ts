import { isObject, type Json, type JsonObject } from '@dragoman/core'

const MOST_STEPS = 32

/** A schema with its references resolved and its `allOf` merged. */
export function resolveSchema(schema: JsonObject, root: JsonObject, steps = MOST_STEPS): JsonObject {
  const { $ref, allOf, ...own } = schema
  if (steps === 0) return own
  const parts = [typeof $ref === 'string' ? lookUp($ref, root) : undefined, ...listOf(allOf)]
  return parts.reduce<JsonObject>(
    (whole, part) =>
      isObject(part) ? join(whole, resolveSchema(part, root, Math.floor((steps - 1) / parts.length))) : whole,
    own,
  )
}

/** The alternative to use: the first with content, or the smallest at the depth limit. */
export function simplest(alternatives: readonly Json[], full: boolean): Json | undefined {
  const content = alternatives.filter((each) => !isNull(each))
  if (full) return content[0] ?? alternatives[0]
  return alternatives.find(isNull) ?? content.find(isFlat) ?? content.at(-1)
}

/** Resolves a JSON pointer inside the same schema. Nothing is ever fetched. */
function lookUp(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#')) return undefined
  let found: Json | undefined = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }
  return found
}

function join(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...objectOf(left['properties']), ...objectOf(right['properties']) }
  const required = [...listOf(left['required']), ...listOf(right['required'])]
  return {
    ...right,
    ...left,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  }
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema['type'] === 'null'
}

function isFlat(schema: Json): boolean {
  return (
    isObject(schema) &&
    schema['$ref'] === undefined &&
    schema['properties'] === undefined &&
    schema['items'] === undefined
  )
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
