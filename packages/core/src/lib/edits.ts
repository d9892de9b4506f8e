import type { JsonObject } from './json.ts'

/** Top-level members to set (JSON text) or to remove (null). */
export type Edits = { readonly [key: string]: string | null }

/** The bytes of a body, already parsed: most members are then found by a search that is much faster than a scan. */
export interface Parsed {
  readonly text: string
  /** The result of JSON.parse for the text, unchanged. */
  readonly json: JsonObject
}
