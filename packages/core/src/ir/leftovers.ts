import { isEmpty, isObject, type Json } from '../lib/json.ts'
import type { Extras, Node } from './extras.ts'
import type { Losses, Path } from './loss.ts'
import type { Part } from './part.ts'
import type { Request } from './request.ts'

/**
 * Reports the leftovers of other protocols that go no further, member by member, for a node and all that is in it: a request or
 * response after it is encoded, or one part of a stream; the losses stand at it. Encoders never do that by hand.
 */
export function reportForeign(node: Node | Request, protocol: string, losses: Losses): void {
  const messages = 'messages' in node ? node.messages : []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (message !== undefined && (message.extras !== undefined || !message.parts.every(isPlain)))
      walk(message, 'message', protocol, losses, ['messages', index])
  }
  walk(node, '', protocol, losses, [])
}

/** Most parts are a text and nothing else: no walk finds anything in them. */
function isPlain(part: Part): boolean {
  return part.type === 'text' && part.extras === undefined && part.citations === undefined
}

/** `protocol` undefined: nothing of them goes further, the own ones neither. */
export function reportForeignExtras(
  extras: Extras | undefined,
  protocol: string | undefined,
  losses: Losses,
  at: Path = [],
): void {
  if (extras === undefined) return
  for (const owner of Object.keys(extras)) {
    if (owner === protocol) continue
    const reason = `only ${owner} has this`
    for (const path of membersOf(extras[owner], 3)) losses.dropped([...at, 'extras', owner, ...path], reason)
  }
}

/** The paths of members, down into objects: leftovers of a member stand nested in it. */
function membersOf(value: Json | undefined, levels: number): Path[] {
  if (levels === 0 || !isObject(value) || isEmpty(value)) return [[]]
  return Object.entries(value).flatMap(([key, inner]) => membersOf(inner, levels - 1).map((path) => [key, ...path]))
}

/** Where nodes stand inside a node: by its type, or else by the member that it stands in. */
const INSIDE_OF: { readonly [holder: string]: readonly string[] } = {
  '': ['tools', 'candidates', 'usage'],
  message: ['parts'],
  candidates: ['parts'],
  text: ['citations'],
  media: ['source'],
  source: ['parts'],
  'tool-result': ['output'],
  output: ['parts'],
  'search-hit': ['parts'],
}

/** `at` is one list for the whole walk: most nodes have no leftovers, and need no path of their own. */
function walk(node: Node, holder: string, protocol: string, losses: Losses, at: (string | number)[]): void {
  if (node.extras !== undefined) reportForeignExtras(node.extras, protocol, losses, at)
  const members = node as { readonly type?: string; readonly [member: string]: unknown } // looked up by name below
  const inside = INSIDE_OF[members.type ?? holder] ?? []
  for (const member of inside) {
    const inner = members[member]
    if (inner === undefined) continue
    at.push(member)
    if (!Array.isArray(inner)) walk(inner as Node, member, protocol, losses, at) // named above
    else
      for (let index = 0; index < inner.length; index++) {
        at.push(index)
        walk((inner as readonly Node[])[index] ?? {}, member, protocol, losses, at) // named above
        at.pop()
      }
    at.pop()
  }
}
