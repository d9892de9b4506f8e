import { isObject, type JsonObject } from '../lib/json.ts'
import { jsonSchemaOf } from '../lib/json-schema.ts'
import { openApiOf } from '../lib/openapi-schema.ts'
import type { Losses, Path } from './loss.ts'
import type { Schema } from './tool.ts'

/** A schema as standard JSON Schema. If it was in another dialect, the conversion is reported at `keys`. */
export function standardSchema(schema: Schema, keys: Path, losses: Losses): JsonObject {
  if (schema.dialect === 'json-schema') return schema.value
  const value = jsonSchemaOf(schema.value)
  losses.changed(keys, { dialect: 'json-schema', value }, 'written as JSON Schema')
  return value
}

/** A schema from a parsed wire. */
export function decodedSchema(value: unknown): { schema?: Schema } {
  return isObject(value) ? { schema: { dialect: 'json-schema', value } } : {}
}

/** A schema in the OpenAPI subset. If it was JSON Schema, the conversion and its losses are reported at `keys`. */
export function reducedSchema(schema: Schema, keys: Path, losses: Losses): JsonObject {
  if (schema.dialect === 'openapi') return schema.value
  const { value, removed } = openApiOf(schema.value)
  const to = { dialect: 'openapi', value }
  if (removed.length === 0) losses.changed(keys, to, 'written in the OpenAPI subset')
  else losses.weakened(keys, to, `written in the OpenAPI subset, without ${removed.join(', ')}`)
  return value
}
