import type { Media } from '../ir/part.ts'
import type { DataUrl } from '../lib/data-url.ts'
import type { Json, JsonObject } from '../lib/json.ts'

/** Where the bodies of a protocol have media. Everything that it does not lead to is text, whatever it looks like. */
export interface MediaMap {
  /** The media of an object here; undefined if it is not media. */
  readonly read?: (node: JsonObject) => WireMedia | undefined
  /** The members that lead to media. In a list, each item is meant. */
  readonly members?: { readonly [name: string]: MediaMap }
}

/** Media in a body, not decoded. */
export interface WireMedia {
  readonly kind: Media['kind']
  /** The object with the data, and the name of its member. */
  readonly holder: JsonObject
  readonly member: string
  /** Absent for media by address or by id. */
  readonly data?: DataUrl | undefined
  /** The requested resolution, as the protocol writes it. */
  readonly detail?: Json | undefined
}

/** Media in a member of an object: base64 of a type, a data URL if no type is given, or an address. Undefined without the member. */
export function wireMedia(
  kind: Media['kind'],
  holder: Json | undefined,
  member: string,
  read: (text: string) => DataUrl | undefined,
  detail?: Json,
): WireMedia | undefined {
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return undefined
  const object = holder as JsonObject // neither null nor a list
  const text = object[member]
  return typeof text === 'string' ? { kind, holder: object, member, data: read(text), detail } : undefined
}

/** For media that is named by an address or an id. */
export function noData(): undefined {
  return undefined
}

/** The kind of a file by its media type. */
export function kindOfType(mime: string): Media['kind'] {
  const family = mime.slice(0, mime.indexOf('/')).toLowerCase()
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document'
}
