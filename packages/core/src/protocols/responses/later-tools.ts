import { keptWord, known, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Message } from '../../ir/request.ts'
import type { ToolResult } from '../../ir/part.ts'
import type { Tool } from '../../ir/tool.ts'
import { isEmpty, isObject, listOf } from '../../lib/json.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { addedTools, NAME, type Item, type ItemOf, type WireTool } from './schema.ts'
import { decodeTools, encodeTools, type Listed } from './tools.ts'
import { FOUND, resultTypeOf } from './typed-calls.ts'

/** The tools of an item in the conversation. */
export function decodeAdded(item: ItemOf<'additional_tools'>, since: number, context: DecodeContext): Tool[] {
  const [first, ...others] = decodeTools(item.tools, context).map((tool): Tool => ({ ...tool, since }))
  if (first === undefined) return []
  const { id } = item
  const ofItem = { ...unknownOf(item, ADDED), ...(id == null ? {} : { id }) }
  const extras = { ...first.extras, [NAME]: { ...first.extras?.[NAME], item: ofItem } }
  return [isEmpty(ofItem) ? first : { ...first, extras }, ...others]
}

/** The tools that a search has found, with the id of its call. */
export function decodeFound(item: object, { callId }: ToolResult, since: number, context: DecodeContext): Tool[] {
  const { type, tools } = item as { readonly type?: string; readonly tools?: readonly WireTool[] } // parsed JSON
  if (type !== FOUND || callId === undefined) return []
  return decodeTools(listOf(tools), context).map((tool) => {
    const own = { ...tool.extras?.[NAME], found_by: callId }
    return { ...tool, since, extras: { ...tool.extras, [NAME]: own } }
  })
}

const ADDED = known(addedTools, { apart: ['tools'] })

/** The tools that searches have found, by the ids of their calls. */
export type Found = ReadonlyMap<string | undefined, readonly Listed[]>

export function foundTools(messages: readonly Message[], tools: readonly Listed[]): Found {
  const found = tools.filter(([, tool]) => searchOf(tool) !== undefined)
  if (found.length === 0) return NO_TOOLS
  const searches = new Set<string | undefined>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-result' && resultTypeOf(part) === FOUND) searches.add(part.callId)
  const known = found.filter(([, tool]) => searches.has(searchOf(tool)))
  return Map.groupBy(known, ([, tool]) => searchOf(tool))
}

const NO_TOOLS: Found = new Map()

/** The id of the call that has found a tool; undefined if it was there from the start, or was added. */
function searchOf(tool: Tool): string | undefined {
  return keptWord(tool, NAME, 'found_by')
}

/** Items with the tools that appear before a message; undefined for those after the last one. */
export function addedBefore(
  tools: readonly Listed[],
  found: Found,
  losses: Losses,
  context: Encoding,
): (index: number | undefined) => readonly Item[] {
  const later = tools.filter(([, tool]) => tool.since !== undefined && !found.has(searchOf(tool)))
  if (later.length === 0) return () => NONE
  const groups = [...Map.groupBy(later, ([, { since = 0 }]) => since)].sort(([one], [other]) => one - other)
  let next = 0
  return (index = Number.POSITIVE_INFINITY) => {
    if (next === groups.length) return NONE
    const first = next
    while ((groups[next]?.[0] ?? Number.NaN) <= index) next++
    return groups.slice(first, next).flatMap(([, listed]) => {
      const wires = encodeTools(listed, losses, context)
      return wires.length === 0 ? [] : [addedItem(wires, listed[0]?.[1].extras?.[NAME]?.['item'])]
    })
  }
}

const NONE: readonly Item[] = []

function addedItem(tools: WireTool[], ofItem: unknown): Item {
  return { type: 'additional_tools', role: 'developer', ...(isObject(ofItem) ? ofItem : {}), tools } // of this kind
}
