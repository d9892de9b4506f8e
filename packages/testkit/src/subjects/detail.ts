import type { Json, JsonObject } from '@dragoman/core'

/** The same body without the detail `auto` of its images: that is the default. */
export function withoutAutoDetail(wire: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(wire).flatMap(([member, value]) =>
      member === 'detail' && value === 'auto' && isImage(wire) ? [] : [[member, inside(value)]],
    ),
  )
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(inside)
  return typeof value === 'object' && value !== null ? withoutAutoDetail(value as JsonObject) : value // not a list
}

function isImage(node: JsonObject): boolean {
  return typeof node['url'] === 'string' || node['type'] === 'input_image'
}
