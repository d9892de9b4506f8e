import type { JsonObject } from '@dragoman/core'

/** What is valid in a protocol, with as many of its members as one body can have. */
export interface Bodies {
  readonly request: JsonObject
  readonly response: JsonObject
  /** The data of the events of a stream. */
  readonly events: readonly JsonObject[]
  readonly error: JsonObject
}

/** A tool's schema, with a reference to itself. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Paris', 'Rome'] }, days: { type: ['integer', 'null'], minimum: 1 } },
  required: ['city'],
  $defs: { place: { type: 'object', properties: { near: { $ref: '#/$defs/place' } } } },
}
/** A mark behind a prefix that is to be cached. */
export const CACHED = { cache_control: { type: 'ephemeral', ttl: '5m' } }
