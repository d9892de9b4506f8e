export type JsonValue = unknown
export interface JsonObject {
  readonly [member: string]: JsonValue
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

export function objectOf(value: JsonValue): JsonObject {
  return isObject(value) ? value : {}
}

export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : ''
}

/** Undefined if the text is not JSON. */
export function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
