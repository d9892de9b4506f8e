import { unknownOf, type Known } from '../ir/extras.ts'
import type { Losses } from '../ir/loss.ts'
import { decodedSchema, standardSchema } from '../ir/tool.ts'
import type { OutputOptions } from '../ir/settings.ts'
import { defined } from '../lib/members.ts'
import { isEmpty, type JsonObject } from '../lib/json.ts'

/** The type of a format, as both APIs of OpenAI have it. */
interface Format {
  readonly type?: string | undefined
}

/** The members of a schema: in chat in an object of their own, in responses in the format. */
interface NamedSchema {
  readonly name?: string | undefined
  readonly schema?: unknown
  readonly strict?: boolean | null | undefined
  readonly description?: string | null | undefined
}

const NO_SCHEMA: NamedSchema = {}

/** `named` has the schema of a format; it counts only if the format has one. */
export function decodeFormat(
  format: Format | null | undefined,
  named: NamedSchema = NO_SCHEMA,
  verbosity?: string | null,
): OutputOptions | undefined {
  const isNamed = format?.type === 'json_schema'
  const json = isNamed || format?.type === 'json_object' ? 'json' : undefined
  const { name, schema, strict, description } = isNamed ? named : NO_SCHEMA
  const requested = defined({ format: json, name, ...decodedSchema(schema), strict, description, verbosity })
  return isEmpty(requested) ? undefined : requested
}

/** The members that `decodeFormat` does not read. A format of an unknown kind is not read at all. */
export function unreadFormat(format: Format | null | undefined, known: Known): JsonObject | undefined {
  if (format == null) return undefined
  const { type } = format
  const rest = unknownOf(format, known)
  if (type === 'json_object' || type === 'json_schema') return rest
  return type === 'text' && rest === undefined ? undefined : (format as JsonObject) // parsed JSON
}

/** The schema of an output; undefined if it has none. It always has a name on the wire. */
export function encodeNamed(
  { format, name, schema, strict, description }: OutputOptions,
  protocol: string,
  losses: Losses,
): { name: string; schema?: JsonObject; strict?: boolean; description?: string } | undefined {
  if (format !== 'json' || (schema === undefined && name === undefined)) return undefined
  const fit = name?.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
  if (name === undefined) losses.added(['name'], fit, `${protocol} names its schemas`)
  else if (name !== fit) losses.changed(['name'], fit, `${protocol} names are of letters, digits, dashes`)
  const value = schema === undefined ? undefined : standardSchema(schema, ['schema'], losses)
  return defined({ name: fit, schema: value, strict, description })
}
