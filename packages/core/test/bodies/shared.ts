import type { JsonObject } from '@dragoman/core'

/** Valid bodies of a protocol, with as many members as possible. */
export interface Bodies {
  readonly request: JsonObject
  readonly response: JsonObject
  /** The data of the events of a stream. */
  readonly events: readonly JsonObject[]
  readonly error: JsonObject
}

/** The schema of a tool, with a reference to itself. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Paris', 'Rome'] }, days: { type: ['integer', 'null'], minimum: 1 } },
  required: ['city'],
  $defs: { place: { type: 'object', properties: { near: { $ref: '#/$defs/place' } } } },
}
/** A cache mark after a prefix. */
export const CACHED = { cache_control: { type: 'ephemeral', ttl: '5m' } }
