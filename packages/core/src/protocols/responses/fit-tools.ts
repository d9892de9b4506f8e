import { objectArguments, functionOfCustom, distinctTools, type Tool } from '../../ir/tool.ts'
import { keptWord, type Node } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Message, ModelRequest } from '../../ir/request.ts'
import type { Part } from '../../ir/part.ts'
import { partPath, type Turn } from '../../ir/turns.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { partsOfName } from '../../lib/names.ts'
import type { Encoding } from '../context.ts'
import { NAME, type Item } from './schema.ts'
import type { Listed } from './tools.ts'

/**
 * The types of tools that an upstream knows, if it does not know all of OpenAI's: its extension `tools`. Others refuse namespaces, custom tools
 * and tools in the middle of a conversation (xAI, OpenRouter, 2026-08).
 */
export function knownTools(dialect: JsonObject | undefined): ReadonlySet<string> | undefined {
  const types = dialect?.['tools']
  return Array.isArray(types) ? new Set(types as string[]) : undefined
}

/** Why a body cannot be relayed to such an upstream. It does not know null as the content of reasoning either, which codex sends. */
export function toolObstacle({ tools, input }: JsonObject, dialect: JsonObject | undefined): string | undefined {
  const types = knownTools(dialect)
  if (types === undefined) return undefined
  const items = objectsIn(input)
  const isKnown =
    objectsIn(tools).every(({ type }) => types.has(type as string)) &&
    items.every(({ type, namespace, content }) => !LACKED.test(type as string) && namespace == null && content !== null)
  if (!isKnown) return 'the upstream does not know all of its tools and items'
  return isApart(items) ? 'the upstream wants the outputs of calls right behind them' : undefined
}

/** Items that only OpenAI has. */
const LACKED = /^additional_tools|^custom_|^tool_search_/

/** Whether anything is between calls and their outputs. */
function isApart(items: readonly JsonObject[]): boolean {
  const open = new Set<Json | undefined>()
  return items.some(({ type, call_id }) => {
    if (type === 'function_call') open.add(call_id)
    else if (type === 'function_call_output') open.delete(call_id)
    else return open.size > 0
    return false
  })
}

/** The items of a turn for such an upstream: its calls are the last, because their outputs follow. */
export function callsLast(items: Item[], turn: Turn, losses: Losses, { dialect }: Encoding): Item[] {
  if (knownTools(dialect) === undefined) return items
  const calls = items.filter(isCall)
  if (items.slice(items.length - calls.length).every(isCall)) return items
  for (const [position, part] of turn.parts.entries())
    if (part.type === 'tool-call' && part.by === 'client')
      losses.moved(partPath(turn, position), ['messages', turn.index, 'parts'], 'this upstream has calls last')
  return [...items.filter((item) => !isCall(item)), ...calls]
}

function isCall({ type }: Item): boolean {
  return type === 'function_call'
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter((each) => isObject(each)) : []
}

/** A request for an upstream that knows these types of tools: custom tools are functions, and all tools are there from the start. */
export function fitTools(
  request: ModelRequest,
  types: ReadonlySet<string>,
  losses: Losses,
): { readonly messages: readonly Message[]; readonly tools: readonly Listed[] } {
  const { messages, tools = [] } = request
  const fit = distinctTools(tools, losses).flatMap(([index, tool]): Listed[] => {
    const fitted = fitTool(tool, types, losses.at('tools', index))
    return fitted === undefined ? [] : [[index, fitted]]
  })
  return { messages: messages.map((message, index) => fitCalls(message, losses.at('messages', index))), tools: fit }
}

const FUNCTIONS_ONLY = 'this upstream has only functions and a few tools of its own'

function fitTool(tool: Tool, types: ReadonlySet<string>, losses: Losses): Tool | undefined {
  if (tool.type === 'custom') {
    const replaced = { ...functionOfCustom(tool), strict: false }
    losses.changed([], replaced, FUNCTIONS_ONLY)
    return replaced
  }
  const isBuiltin = tool.type === 'builtin'
  if (isBuiltin && !types.has(tool.protocol === NAME ? (tool.version ?? '') : 'web_search')) {
    losses.dropped([], FUNCTIONS_ONLY)
    return undefined
  }
  const { since, extras = {}, ...rest } = tool
  const isFlat = isBuiltin || (partsOfName(tool.name).namespace === undefined && !isSearch(tool))
  if (since === undefined && isFlat) return tool
  if (since !== undefined) losses.dropped(['since'], FUNCTIONS_ONLY)
  // What a namespace or an item says about itself.
  const { [NAME]: own, ...others } = extras
  if (own !== undefined) losses.dropped(['extras', NAME], FUNCTIONS_ONLY)
  return { ...rest, extras: others }
}

function fitCalls(message: Message, losses: Losses): Message {
  if (!message.parts.some((part) => isSearch(part) || (part.type === 'tool-call' && part.custom === true)))
    return message
  const parts = message.parts.map((part, index): Part => {
    const at = losses.at('parts', index)
    if (isSearch(part)) {
      const { [NAME]: _own, ...others } = part.extras ?? {}
      at.dropped(['extras', NAME], FUNCTIONS_ONLY)
      return { ...part, extras: others }
    }
    if (part.type !== 'tool-call' || part.custom !== true) return part
    const { custom: _, ...call } = part
    at.dropped(['custom'], FUNCTIONS_ONLY)
    return { ...call, arguments: objectArguments(part, NAME, at) }
  })
  return { ...message, parts }
}

/** A search for tools, its call or its result: their items have a type of their own. */
function isSearch(node: Node): boolean {
  return keptWord(node, NAME, 'type')?.startsWith('tool_search') === true
}
