import type { Loss, Path } from '../ir/loss.ts'
import { readPath, valueAt } from '../lib/json-path.ts'
import type { JsonObject } from '../lib/json.ts'
import type { MemberOf } from './rows.ts'

/** Where one node of a decoded request stands in the body. */
export interface Site {
  readonly at: Path
  /** The sites of its parts: of a message, a tool result, a document or a search result. */
  readonly parts?: readonly Site[]
  /** Members of the node that stand outside of `at`. */
  readonly members?: { readonly [member: string]: Path } | undefined
  /** The same for members of its extras. */
  readonly extras?: { readonly [member: string]: Path } | undefined
}

/**
 * Where the body has the members of a node: by their path in the IR, one or more paths from its site. The first that is there
 * counts. A member that is not listed has the same name in the body, in camelCase or in snake_case.
 */
export type SiteTable = ReadonlyMap<string, readonly Path[]>

/** How a protocol finds the values of a decoded request in its body. */
export interface SiteRules {
  readonly request: SiteTable
  readonly part: SiteTable
  readonly tool: SiteTable
  /** The sites of the messages that `decode` makes of this body, in their order. */
  messages(body: JsonObject): readonly Site[]
  tools(body: JsonObject): readonly Site[]
  /** Gives members one spelling, which is that of the rules; absent: there are no others. */
  spell?(body: JsonObject): JsonObject
}

/** Finds the value that a path of the IR is about; the nearest value around it where there is none of its own. */
export type Locate = (path: Path, kind: Loss['kind']) => Path

/** The dotted paths of members, three deep at most. */
type PathIn<Node, Deeper extends 0[] = [0, 0]> = Node extends readonly unknown[]
  ? never
  : Node extends object
    ? {
        [Member in MemberOf<Node>]:
          | Member
          | (Deeper extends [0, ...infer Rest extends 0[]]
              ? `${Member}.${PathIn<NonNullable<Node[Member]>, Rest>}`
              : never)
      }[MemberOf<Node>]
    : never

/** A path in the wire, or several; a dot alone is the site itself. */
type Paths<Wire> = '.' | PathIn<Wire> | readonly PathIn<Wire>[]

/** Where the wire has the members of a node. A path that either of them does not have does not compile. */
export type PathsOf<Node, Wire> = { readonly [Path in PathIn<Node>]?: Paths<Wire> }

/** Makes a table of `PathsOf`, and of the sites of rows. */
export function siteTable(paths: { readonly [path: string]: string | readonly string[] }): SiteTable {
  const keysOf = (path: string) => (path === '.' ? [] : readPath(path))
  return new Map(Object.entries(paths).map(([path, at]) => [path, (typeof at === 'string' ? [at] : at).map(keysOf)]))
}

const ROOT: Site = { at: [] }
/** Members of messages have the same names everywhere. */
const NO_MEMBERS: SiteTable = new Map()

/** Nothing is looked at before the first path is asked for. */
export function createLocate(rules: SiteRules, given: JsonObject): Locate {
  let spelled: JsonObject | undefined
  let messages: readonly Site[] | undefined
  let tools: readonly Site[] | undefined
  const body = () => (spelled ??= rules.spell?.(given) ?? given)
  const locate: Locate = (path, kind) => {
    const [list, index, ...rest] = path
    if (list === 'messages' && typeof index === 'number') {
      const site = (messages ??= rules.messages(body()))[index]
      if (site !== undefined) return inMessage(body(), rules, site, rest, kind)
    }
    if (list === 'tools' && typeof index === 'number') {
      const site = (tools ??= rules.tools(body()))[index]
      if (site !== undefined) return inNode(body(), site, rest, rules.tool, kind)
    }
    return inNode(body(), ROOT, path, rules.request, kind)
  }
  return (path, kind) => {
    const found = locate(path, kind)
    return spelled === given ? found : spellBack(given, found)
  }
}

/** The sites of a request that has neither messages nor tools: the same for all bodies, or those of one body. */
export type Sites = SiteTable | ((body: JsonObject) => SiteTable)

/** Finds the values of such a request. */
export function locateIn(sites: Sites, body: JsonObject): Locate {
  let table: SiteTable | undefined
  return (path, kind) => inNode(body, ROOT, path, (table ??= typeof sites === 'function' ? sites(body) : sites), kind)
}

/** Steps into parts, and into the parts of parts, as far as the path goes. */
function inMessage(body: JsonObject, rules: SiteRules, message: Site, path: Path, kind: Loss['kind']): Path {
  let site = message
  let rest = path
  let table: SiteTable = NO_MEMBERS
  for (;;) {
    const list = rest[0] === 'parts' ? 0 : rest[1] === 'parts' ? 1 : undefined
    const index = list === undefined ? undefined : rest[list + 1]
    const inner = typeof index === 'number' ? site.parts?.[index] : undefined
    if (list === undefined || inner === undefined) return inNode(body, site, rest, table, kind)
    site = inner
    rest = rest.slice(list + 2)
    table = rules.part
  }
}

function inNode(body: JsonObject, site: Site, path: Path, table: SiteTable, kind: Loss['kind']): Path {
  const extras = path.indexOf('extras')
  if (extras >= 0) {
    // Extras are kept in the shape of the wire, under the name of their protocol.
    const [first, ...rest] = path.slice(extras + 2)
    const outside = extras === 0 ? site.extras : undefined
    const away = first === undefined ? Object.values(outside ?? {})[0] : ownPath(outside, `${first}`)
    if (away !== undefined) return extend(body, away, rest)
    return extend(body, inNode(body, site, path.slice(0, extras), table, kind), path.slice(extras + 2))
  }
  const outside = site.members?.[`${path[0]}`]
  if (outside !== undefined) return extend(body, outside, path.slice(1))
  const node = valueAt(body, site.at)
  for (let length = path.length; length > 0; length--) {
    const wirePaths = table.get(length === path.length ? path.join('.') : path.slice(0, length).join('.'))
    const found = wirePaths?.find((keys) => valueAt(node, keys) !== undefined)
    if (found !== undefined) return extend(body, [...site.at, ...found], path.slice(length))
    if (kind === 'added' && wirePaths?.[0] !== undefined) return [...site.at, ...wirePaths[0]]
  }
  return extend(body, site.at, path)
}

/** Extras have any names. */
function ownPath(paths: Site['extras'], name: string): Path | undefined {
  return paths !== undefined && Object.hasOwn(paths, name) ? paths[name] : undefined
}

/** The parts of content that is a text or a list. */
export function contentSites(content: unknown, at: Path): Site[] {
  if (Array.isArray(content)) return listSites(content, at)
  return content == null || content === '' ? [] : [{ at }]
}

/** The items of a list. */
export function listSites(list: unknown, at: Path): Site[] {
  return Array.isArray(list) ? list.map((_item, index) => ({ at: [...at, index] })) : []
}

/** Follows the keys as far as the body has them. */
function extend(body: JsonObject, start: Path, keys: Path): Path {
  let path = start
  let node = valueAt(body, start)
  for (const key of keys) {
    const own = spellingIn(node, key)
    node = valueAt(node, [own])
    if (node === undefined) return path
    path = [...path, own]
  }
  return path
}

/** A camelCase key as the object has it. */
function spellingIn(node: unknown, key: string | number): string | number {
  if (typeof key === 'number' || valueAt(node, [key]) !== undefined) return key
  const snake = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return valueAt(node, [snake]) === undefined ? key : snake
}

/** A path of camelCase members, in a body that may have them in snake_case. */
function spellBack(body: JsonObject, path: Path): Path {
  let node: unknown = body
  return path.map((key) => {
    const own = spellingIn(node, key)
    node = valueAt(node, [own])
    return own
  })
}

/** `messages[2].content[0]` */
export function formatPath(path: Path): string {
  let text = ''
  for (const key of path) text += typeof key === 'number' ? `[${key}]` : text === '' ? key : `.${key}`
  return text
}
