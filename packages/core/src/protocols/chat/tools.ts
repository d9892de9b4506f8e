import { keep, known, restore, unknownOf, type Known } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { lostTool } from '../../ir/unsupported-part.ts'
import {
  standardSchema,
  withoutOptions,
  type BuiltinTool,
  type CustomTool,
  type FunctionTool,
  type Tool,
  type ToolChoice,
} from '../../ir/tool.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isObject, listOf, objectOf, type JsonObject } from '../../lib/json.ts'
import { keepMarked } from '../cache-control.ts'
import { reportUnsupported } from '../member-tables.ts'
import { hasWebSearch, isWebSearch } from '../relay.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { mark } from './cache.ts'
import { TABLES } from './members.ts'
import {
  allowedChoice,
  customChoice,
  customMembers,
  customTool,
  functionChoice,
  functionTool,
  grammarFormat,
  NAME,
  textFormat,
  type WireTool,
  type WireToolChoice,
} from './schema.ts'

export function decodeTool(wire: WireTool, context: DecodeContext): Tool {
  if (wire.type === 'custom') return decodeCustom(wire, context)
  if (!isFunction(wire.type)) {
    const { type: version, ...options } = wire as JsonObject & { type: string } // of an unknown kind
    return { type: 'builtin', kind: 'other', protocol: NAME, version, options }
  }
  const { name: sentName, description } = wire.function
  const name = context.names?.back(sentName) ?? sentName
  const { parameters, strict } = wire.function
  const tool: Draft<FunctionTool> = { type: 'function', name }
  if (description !== undefined) tool.description = description
  if (isObject(parameters)) tool.schema = { dialect: 'json-schema', value: parameters }
  if (strict != null) tool.strict = strict
  return keepMarked(tool, NAME, wire, unknownOf(wire, FUNCTION))
}

const FUNCTION = known(functionTool)

/** Whether this is the type of a function: also if there is none. */
export function isFunction(type: unknown): boolean {
  return type == null || type === 'function'
}

type WireFunctionTool = Exclude<WireTool, { type: 'custom' }>
type WireCustomTool = Extract<WireTool, { type: 'custom' }>

function decodeCustom(wire: WireCustomTool, context: DecodeContext): CustomTool {
  const { name, description, format } = wire.custom
  const { syntax, definition } = format?.type === 'grammar' ? format.grammar : {}
  const grammar = syntax === undefined || definition === undefined ? undefined : { syntax, definition }
  const tool = defined({ type: wire.type, name: context.names?.back(name) ?? name, description, grammar })
  const isRead = grammar !== undefined || format === undefined || isAnyText(format)
  return keep(tool, NAME, unknownOf(wire, isRead ? CUSTOM : OTHER_FORMAT))
}

/** Text of any form is the default. */
function isAnyText(format: object): boolean {
  return 'type' in format && format.type === 'text' && unknownOf(format, TEXT_FORMAT) === undefined
}

const TEXT_FORMAT = known(textFormat)
const CUSTOM = known(customTool, {
  inside: { custom: known(customMembers, { inside: { format: known(grammarFormat) } }) },
})
const OTHER_FORMAT = known(customTool, { inside: { custom: known(customMembers, { unread: ['format'] }) } })

function encodeCustom(tool: CustomTool, name: string): WireTool {
  const { type, description, grammar } = tool
  const format = grammar === undefined ? undefined : { type: 'grammar' as const, grammar }
  return restore(NAME, tool, { type, custom: defined({ name, description, format }) })
}

export function encodeTool(tool: Tool, losses: Losses, context: Encoding): WireTool | undefined {
  if (tool.type === 'builtin') {
    if (tool.kind === 'other' && tool.protocol === NAME && tool.version !== undefined) {
      if (tool.cache !== undefined) losses.dropped(['cache'], 'this upstream has no cache marks')
      if (tool.since !== undefined) losses.dropped(['since'], 'chat has all tools from the start')
      return restore(NAME, tool, { ...tool.options, type: tool.version } as WireTool) // one of our own, of an unknown kind
    }
    losses.dropped([], lostTool(tool, NAME))
    return undefined
  }
  const name = context.names?.out(tool.name) ?? tool.name
  if (tool.type === 'custom') {
    reportUnsupported(tool, TABLES.tool.custom, losses, context)
    return encodeCustom(tool, name)
  }
  const { type, description, schema, strict } = tool
  reportUnsupported(tool, TABLES.tool.function, losses, context)
  const described: WireFunctionTool['function'] = { name }
  if (description !== undefined) described.description = description
  if (schema !== undefined) described.parameters = standardSchema(schema, ['schema'], losses)
  if (strict !== undefined) described.strict = strict
  const wire: WireFunctionTool = { type, function: described }
  return restore(NAME, tool, mark(wire, tool, losses, context))
}

/** In chat, web search is a member of the request. Another protocol's search has the user's location. */
export function encodeSearch(tool: BuiltinTool, losses: Losses, context: Encoding): JsonObject {
  if (tool.protocol === NAME) {
    reportUnsupported(tool, TABLES.tool.builtin, losses, context)
    return tool.options
  }
  const location = isObject(tool.options['user_location']) ? tool.options['user_location'] : undefined
  const { type, ...approximate } = location ?? {}
  const options = location === undefined ? {} : { user_location: { type: 'approximate', approximate } }
  losses.changed(
    [],
    { type: 'builtin', kind: 'web-search', protocol: NAME, options },
    `web search under its name in chat${withoutOptions(tool, ['name', 'user_location'])}`,
  )
  return options
}

/** Undefined for an unknown form. */
export function decodeToolChoice(
  wire: WireToolChoice | null | undefined,
  tools: readonly WireTool[] | null | undefined,
  context: DecodeContext,
): ToolChoice | undefined {
  if (wire == null || typeof wire === 'string') {
    const mode = MODES.find((each) => each === wire)
    return mode && { mode }
  }
  const custom = new Set(tools?.flatMap((tool) => (tool.type === 'custom' ? tool.custom.name : [])))
  const name = nameOfChoice(wire, custom)
  const { mode = 'required', names } = name === undefined ? allowedBy(wire, custom) : { names: [name] }
  return names && { mode, names: names.map((name) => context.names?.back(name) ?? name) }
}

const MODES = ['none', 'auto', 'required'] as const

/** Undefined if it is not the choice of one tool, or one of another type than its tool: `custom` has the names of custom tools. */
function nameOfChoice(wire: object, custom: ReadonlySet<string>): string | undefined {
  const { type, ...named } = wire as { type?: string; function?: Named; custom?: Named } // read leniently
  const { name } = objectOf(type === 'custom' ? named.custom : isFunction(type) ? named.function : undefined)
  return typeof name === 'string' && custom.has(name) === (type === 'custom') ? name : undefined
}

interface Named {
  readonly name: string
}

/** A single required tool has its own form. A list with more than functions and custom tools is kept as a whole. */
function allowedBy(wire: object, custom: ReadonlySet<string>): { mode?: 'auto' | 'required'; names?: string[] } {
  const { allowed_tools } = wire as { allowed_tools?: Partial<AllowedTools> } // read leniently
  const { mode, tools } = objectOf(allowed_tools)
  if (unknownOf(wire, ALLOWED) !== undefined || (mode !== 'auto' && mode !== 'required')) return {}
  const all = listOf(tools)
  const names = all.flatMap((tool) => {
    const name = isObject(tool) ? nameOfChoice(tool, custom) : undefined
    return name !== undefined && unknownOf(tool, choiceOf(tool)) === undefined ? name : []
  })
  return names.length === all.length && names.length > (mode === 'required' ? 1 : 0) ? { mode, names } : {}
}

interface AllowedTools {
  readonly mode: string
  readonly tools: readonly { readonly type?: string }[]
}

function choiceOf({ type }: { readonly type?: string | undefined }): Known {
  return type === 'custom' ? CUSTOM_CHOICE : CHOICE
}

const CHOICE = known(functionChoice)
const CUSTOM_CHOICE = known(customChoice)
const ALLOWED = known(allowedChoice)

/** The members that decodeToolChoice does not read. */
export function unreadChoice(wire: WireToolChoice | null | undefined, choice: ToolChoice | undefined): unknown {
  if (choice === undefined) return wire
  return wire != null && typeof wire !== 'string' && wire.type !== 'allowed_tools'
    ? unknownOf(wire, choiceOf(wire))
    : undefined
}

/** `custom`: the names of custom tools. */
export function encodeToolChoice(
  choice: ToolChoice,
  custom: ReadonlySet<string>,
  losses: Losses,
  context: Encoding,
): WireToolChoice | undefined {
  const mode = choice.mode === 'validated' ? 'auto' : choice.mode
  const tools = (choice.names ?? []).map((each) => {
    const name = context.names?.out(each) ?? each
    return custom.has(each)
      ? { type: 'custom' as const, custom: { name } }
      : { type: 'function' as const, function: { name } }
  })
  if (mode === 'required' && tools.length === 1) return tools[0]
  if (mode !== choice.mode) losses.changed(['mode'], mode, 'chat has no validated mode')
  if (mode === 'none' || tools.length === 0 || context.dialect?.['allowedTools'] === false) {
    if (choice.names !== undefined) losses.dropped(['names'], 'no choice among some of the tools here')
    return mode
  }
  if (mode === undefined) losses.added(['mode'], 'auto', 'chat names allowed tools in a mode')
  return { type: 'allowed_tools', allowed_tools: { mode: mode ?? 'auto', tools } }
}

/** Whether the upstream may search the web: by a tool, or by a member of OpenAI, xAI, Qwen or OpenRouter. */
export function offersSearch(body: JsonObject): boolean {
  const { tools, web_search_options, search_parameters, enable_search, plugins } = body
  if (web_search_options != null || search_parameters != null || enable_search === true) return true
  return hasWebSearch(tools, isSearch) || hasWebSearch(plugins, ({ id }) => id === 'web')
}

/** Moonshot's search has the form of a function. */
function isSearch(tool: JsonObject): boolean {
  const { function: declared } = tool
  return isWebSearch(tool) || (isObject(declared) && declared['name'] === '$web_search')
}
