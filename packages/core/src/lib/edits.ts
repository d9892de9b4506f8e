import type { JsonObject } from './json.ts'

/** Top-level members to set (JSON text) or to take out (null). */
export type Edits = { readonly [key: string]: string | null }

/** The bytes of a body, already read: most members are then found by a search that is many times faster than a scan. */
export interface Parsed {
  readonly text: string
  /** What JSON.parse gave for the text, unchanged. */
  readonly json: JsonObject
}
