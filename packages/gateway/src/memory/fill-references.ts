import { DragomanError, editTopLevel, isObject, type Protocol } from '@dragoman/core'
import { readJson } from '../body.ts'
import type { BodyFacts, RequestWork } from '../bodies/request-work.ts'
import type { Exchange } from '../exchange.ts'
import type { Settings } from '../settings.ts'
import { whenThere } from '../when-there.ts'

/** Reads a body. If it names items of earlier answers, these are put in their places first. */
export function readFilled<Facts extends BodyFacts>(
  { itemMemory, limits }: Pick<Settings, 'itemMemory' | 'limits'>,
  { caller, lease }: Partial<Pick<Exchange, 'caller' | 'lease'>>,
  work: RequestWork<Facts>,
  use: (body: Facts) => void,
  fail: (thrown: unknown) => void,
): void {
  const fill = (body: Facts): void => {
    const { references } = body
    if (references === undefined || work.fill === undefined) return use(body)
    const ids = [...new Set(references)]
    const found = itemMemory === undefined || caller === undefined ? NONE : itemMemory.find(caller.id, ids)
    const put = (texts: ReadonlyMap<string, string>): void => {
      // One item can be named many times.
      const length = references.reduce((sum, id) => sum + (texts.get(id)?.length ?? 0), 0)
      if (length > limits.body)
        throw new DragomanError('too-large', `The items that the request names have more than ${limits.body} bytes.`)
      lease?.add(length)
      whenThere(work.fill?.(texts) ?? body, use, fail)
    }
    whenThere(found, put, fail)
  }
  whenThere(work.read(), fill, fail)
}

const NONE: ReadonlyMap<string, string> = new Map()

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
