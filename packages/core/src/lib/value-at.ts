import { isObject, type Json } from './json.ts'

/** The value at a path of members and positions, such as `data.videos.0.url`; undefined if there is none. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>(memberOf, value)
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(key)] // Array.isArray loses the type
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
