import type { Json, JsonObject, MediaMap, WireMedia } from '@dragoman/core'
import { mediaTokens } from './media-tokens.ts'
import { QUARTERS, textQuarters, wideQuarters } from './text-tokens.ts'

export interface BodyText {
  /** Where the bodies of the protocol have media. Absent if they have none. */
  readonly media: MediaMap | undefined
  /** The quarters of tokens of all characters outside of ASCII. Absent: they are counted. */
  readonly wide?: number | undefined
  /** The whole text of a string that is a stand-in; absent if there are none. */
  readonly whole?: ((text: string) => string) | undefined
}

/**
 * An estimate of the tokens of a request that is made for every call, from the JSON of its body: all names, texts and numbers, and media by its size
 * where the protocol has media.
 */
export function estimateBody(body: JsonObject, { media, wide, whole }: BodyText): number {
  let quarters = wide ?? 0
  let tokens = 0
  // There is no recursion: deep nesting is refused by other code.
  const rest: (Json | undefined)[] = []
  const mapped: Mapped[] = []
  const add = (value: Json | undefined, map: MediaMap | undefined, seen: WireMedia | undefined): void => {
    if (typeof value === 'string') addText(value)
    else if (map === undefined && seen === undefined) rest.push(value)
    else mapped.push({ value, map: map ?? NO_MEDIA, seen })
  }
  const addText = (given: string): void => {
    const text = whole?.(given) ?? given
    quarters += textQuarters(text)
    if (wide === undefined) quarters += wideQuarters(text)
  }
  const addMedia = (found: WireMedia | undefined): WireMedia | undefined => {
    if (found === undefined) return undefined
    const { data } = found
    const full =
      data === undefined || whole === undefined ? found : { ...found, data: { ...data, data: whole(data.data) } }
    const count = mediaTokens(full)
    tokens += count ?? 0
    // An address is counted as text too, since it is unknown what an upstream makes of it.
    return count === undefined || data === undefined ? undefined : found
  }
  add(body, media ?? NO_MEDIA, undefined)
  for (let next = mapped.pop(); next !== undefined; next = mapped.pop()) {
    const { value, map, seen } = next
    if (Array.isArray(value)) for (const item of value as readonly Json[]) add(item, map, undefined)
    else if (typeof value === 'object' && value !== null) {
      const node = value as JsonObject // neither null nor a list
      const found = addMedia(map.read?.(node))
      for (const key in node) {
        addText(key)
        const child = node[key]
        if (isData(found, node, key) || isData(seen, node, key)) continue
        add(child, ownMember(map.members, key), found !== undefined && found.holder === child ? found : undefined)
      }
    } else rest.push(value)
  }
  while (rest.length > 0) {
    const node = rest.pop()
    if (typeof node === 'string') addText(node)
    else if (Array.isArray(node)) for (const item of node as readonly Json[]) rest.push(item)
    else if (typeof node === 'object' && node !== null) {
      for (const key in node as JsonObject) {
        // With its quotes and its colon.
        quarters += QUARTERS
        addText(key)
        rest.push((node as JsonObject)[key])
      }
    } else quarters += valueQuarters(node)
  }
  return Math.ceil(quarters / QUARTERS) + tokens
}

/** A node on the way to media, and the media that an object above it has found in it. */
interface Mapped {
  readonly value: Json | undefined
  readonly map: MediaMap
  readonly seen: WireMedia | undefined
}

const NO_MEDIA: MediaMap = {}

function isData(media: WireMedia | undefined, holder: JsonObject, member: string): boolean {
  return media !== undefined && media.holder === holder && media.member === member
}

function ownMember(members: MediaMap['members'], key: string): MediaMap | undefined {
  return members !== undefined && Object.hasOwn(members, key) ? members[key] : undefined
}

/** Up to here a number can be one token: texts for embeddings can be lists of their tokens. */
const LARGEST_TOKEN = 1e6

function valueQuarters(value: unknown): number {
  if (typeof value !== 'number' || (Number.isInteger(value) && value >= 0 && value < LARGEST_TOKEN)) return QUARTERS
  return String(value).length * 2
}
