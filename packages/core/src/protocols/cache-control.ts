import { maybe, object, only, optional } from '../lib/schema.ts'

/** The member by which a block or a tool ends a cacheable prefix, in the protocols that mark it there. */
export const cacheControl = {
  cache_control: maybe(object({ type: only('ephemeral'), ttl: optional(only('5m', '1h')) })),
}
