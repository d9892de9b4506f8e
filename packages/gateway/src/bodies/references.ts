import { editTopLevel, isObject, type Protocol } from '@dragoman/core'
import { readJson } from '../ports/body.ts'

/** The ids that a parsed body names, each as often as it is named; undefined if there are none. */
export function referencesOf({ references }: Protocol, json: unknown): readonly string[] | undefined {
  if (references === undefined || !isObject(json)) return undefined
  const ids = references.find(json)
  return ids.length === 0 ? undefined : ids
}

/** The client's own bytes, with items in place of references. */
export function fillReferences(
  { references }: Protocol,
  bytes: Uint8Array,
  texts: ReadonlyMap<string, string>,
): Uint8Array {
  const json = readJson(bytes)
  if (references === undefined || !isObject(json) || texts.size === 0) return bytes
  const members = Object.entries(references.fill(json, texts))
  return editTopLevel(bytes, Object.fromEntries(members.map(([name, value]) => [name, JSON.stringify(value)])))
}
