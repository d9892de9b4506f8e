import { keep, keptWord, known, restore, unknownOf } from '../../ir/extras.ts'
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
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { nameInside, partsOfName } from '../../lib/names.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { isClientSearch } from './typed-calls.ts'
import {
  allowedChoice,
  customTool,
  functionChoice,
  functionTool,
  grammarFormat,
  NAME,
  namespaceTool,
  textFormat,
  type WireOwnTool,
  type WireTool,
  type WireToolChoice,
} from './schema.ts'

const KIND_OF: readonly (readonly [prefix: string, kind: BuiltinTool['kind']])[] = [
  ['web_search', 'web-search'],
  ['code_interpreter', 'code-execution'],
  ['file_search', 'retrieval'],
  ['local_shell', 'shell'],
  ['shell', 'shell'],
  ['apply_patch', 'editor'],
]

/** Tools to the IR: those of a namespace are tools with a name in it. */
export function decodeTools(wire: readonly WireTool[], context: DecodeContext): Tool[] {
  const tools: Tool[] = []
  for (const each of wire) {
    const inside =
      each.type === 'namespace' && each.tools.length > 0 && each.tools.every(isOwn) ? each.tools : undefined
    if (inside === undefined || each.type !== 'namespace') {
      tools.push(decodeTool(each as WireOwnTool, undefined, context)) // or of an unknown kind
      continue
    }
    const before = partsOfName(nameOf(tools.at(-1))).namespace
    const ofNamespace = { ...unknownOf(each, NAMESPACE), ...defined({ description: each.description }) } as JsonObject // parsed JSON
    for (const [index, tool] of inside.entries()) {
      const decoded = decodeTool(tool, each.name, context)
      // A second group of the same name is not the first one.
      const isMarked = index === 0 && (!isEmpty(ofNamespace) || before === each.name)
      tools.push(isMarked ? withNamespace(decoded, ofNamespace) : decoded)
    }
  }
  return tools
}

const NAMESPACE = known(namespaceTool, { apart: ['tools'] })

function isOwn({ type }: { readonly type: string }): boolean {
  return type === 'function' || type === 'custom'
}

function nameOf(tool: Tool | undefined): string {
  return tool === undefined || tool.type === 'builtin' ? '' : tool.name
}

/** What a namespace says about itself is kept with its first tool. */
function withNamespace(tool: Tool, namespace: JsonObject): Tool {
  return { ...tool, extras: { ...tool.extras, [NAME]: { ...tool.extras?.[NAME], namespace } } }
}

function decodeTool(wire: WireOwnTool, namespace: string | undefined, context: DecodeContext): Tool {
  if (wire.type === 'custom') return decodeCustom(wire, namespace, context)
  if (isClientSearch(wire)) return decodeSearchTool(wire)
  if (wire.type !== 'function') {
    const { type: version, ...options } = wire as JsonObject & { type: string } // a tool of the upstream
    const kind = KIND_OF.find(([prefix]) => version.startsWith(prefix))?.[1] ?? 'other'
    return { type: 'builtin', kind, protocol: NAME, version, options }
  }
  const { description, parameters, strict } = wire
  const name = nameInside(namespace, wire.name)
  const tool: Draft<FunctionTool> = { type: 'function', name: context.names?.back(name) ?? name }
  if (description != null) tool.description = description
  if (isObject(parameters)) tool.schema = { dialect: 'json-schema', value: parameters }
  if (strict != null) tool.strict = strict
  return keep(tool, NAME, unknownOf(wire, FUNCTION))
}

const FUNCTION = known(functionTool)

/** A search for tools that the client runs is a function for models of other protocols. */
function decodeSearchTool(wire: object): FunctionTool {
  const { type, execution, description, parameters, ...rest } = wire as JsonObject // parsed JSON
  const tool: Draft<FunctionTool> = { type: 'function', name: SEARCH_TOOL }
  if (typeof description === 'string') tool.description = description
  if (isObject(parameters)) tool.schema = { dialect: 'json-schema', value: parameters }
  return keep(tool, NAME, { ...rest, type: SEARCH_TOOL })
}

const SEARCH_TOOL = 'tool_search'

function decodeCustom(
  wire: Extract<WireOwnTool, { type: 'custom' }>,
  namespace: string | undefined,
  context: DecodeContext,
): CustomTool {
  const { description, format } = wire
  const name = nameInside(namespace, wire.name)
  const grammar = format?.type === 'grammar' ? { syntax: format.syntax, definition: format.definition } : undefined
  const tool = defined({ type: wire.type, name: context.names?.back(name) ?? name, description, grammar })
  const isRead = grammar !== undefined || format === undefined || isAnyText(format)
  return keep(tool, NAME, unknownOf(wire, isRead ? CUSTOM : OTHER_FORMAT))
}

/** Text of any form is the default. */
function isAnyText(format: object): boolean {
  return 'type' in format && format.type === 'text' && unknownOf(format, TEXT_FORMAT) === undefined
}

const TEXT_FORMAT = known(textFormat)
const CUSTOM = known(customTool, { inside: { format: known(grammarFormat) } })
const OTHER_FORMAT = known(customTool, { unread: ['format'] })

/** A tool and its index in the request. */
export type Listed = readonly [index: number, tool: Tool]

/** Some of the tools to the wire: neighbors of one namespace are a group. The losses are those of the request. */
export function encodeTools(tools: readonly Listed[], losses: Losses, context: Encoding): WireTool[] {
  const wires: WireTool[] = []
  let group: { readonly name: string; readonly tools: WireOwnTool[] } | undefined
  for (const [index, tool] of tools) {
    const wire = encodeTool(tool, losses.at('tools', index), context)
    if (wire === undefined) continue
    const { namespace } = partsOfName(tool.type === 'builtin' ? '' : (context.names?.out(tool.name) ?? tool.name))
    if (namespace === undefined) {
      group = undefined
      wires.push(wire)
      continue
    }
    const ofNamespace = tool.extras?.[NAME]?.['namespace']
    if (group?.name !== namespace || ofNamespace !== undefined) {
      group = { name: namespace, tools: [] }
      wires.push({
        type: 'namespace',
        name: namespace,
        ...(isObject(ofNamespace) ? ofNamespace : {}),
        tools: group.tools,
      }) // of this kind
    }
    group.tools.push(wire as WireOwnTool) // only these have a name in a namespace
  }
  return wires
}

function encodeTool(tool: Tool, losses: Losses, context: Encoding): WireTool | undefined {
  if (tool.type === 'builtin') return encodeBuiltin(tool, losses, context)
  const { name } = partsOfName(context.names?.out(tool.name) ?? tool.name)
  const { description } = tool
  if (tool.type === 'custom') {
    const format = tool.grammar === undefined ? undefined : { type: 'grammar' as const, ...tool.grammar }
    return restored(tool, defined({ type: tool.type, name, description, format }))
  }
  const { schema, strict } = tool
  reportUnsupported(tool, TABLES.tool.function, losses, context)
  const parameters = schema === undefined ? undefined : standardSchema(schema, ['schema'], losses)
  if (keptWord(tool, NAME, 'type') === SEARCH_TOOL) {
    const wire: object = defined({ type: SEARCH_TOOL, execution: 'client', description, parameters })
    return restored(tool, wire) as WireTool // a tool of the client
  }
  // Without it, OpenAI enforces the schema.
  const isLoose = strict === undefined && context.caller !== NAME
  if (isLoose) losses.added(['strict'], false, 'responses enforces schemas by default')
  // Each member by its name: a loop over all of them would cost more.
  const wire: Draft<Extract<WireOwnTool, { type: 'function' }>> = { type: tool.type, name }
  if (description !== undefined) wire.description = description
  if (parameters !== undefined) wire.parameters = parameters
  if (isLoose || strict !== undefined) wire.strict = isLoose ? false : strict
  return restored(tool, wire)
}

/** Without what its namespace, or its item in the history, says about itself. */
function restored<const T extends object>(tool: Tool, wire: T): T {
  const own = tool.extras?.[NAME]
  if (own?.['namespace'] === undefined && own?.['item'] === undefined && own?.['found_by'] === undefined)
    return restore(NAME, tool, wire)
  const { namespace: _group, item: _item, found_by: _call, ...rest } = own
  return restore(NAME, { extras: { [NAME]: rest } }, wire)
}

function encodeBuiltin(tool: BuiltinTool, losses: Losses, context: Encoding): WireTool | undefined {
  const { kind, protocol, version = '', options } = tool
  if (protocol === NAME) {
    reportUnsupported(tool, TABLES.tool.builtin, losses, context)
    const wire: object = { ...options, type: version }
    return restored(tool, wire) as WireTool // one of our own
  }
  if (kind === 'code-execution') {
    const sent = { container: { type: 'auto' } }
    const read = { type: 'builtin', kind, protocol: NAME, version: 'code_interpreter', options: sent }
    losses.changed([], read, `code execution under its name in responses${withoutOptions(tool, ['name'])}`)
    const wire: object = { type: 'code_interpreter', ...sent }
    return wire as WireTool // a tool of the upstream
  }
  if (kind !== 'web-search') {
    losses.dropped([], lostTool(tool, NAME))
    return undefined
  }
  const location = isObject(options['user_location']) ? options['user_location'] : undefined
  const { approximate, ...flat } = location ?? {}
  const user_location = location && { type: 'approximate', ...flat, ...(isObject(approximate) ? approximate : {}) }
  const { allowed_domains } = options
  const filters = allowed_domains == null ? undefined : { allowed_domains }
  const sent = defined({ user_location, filters }) as JsonObject // of JSON
  const read = { type: 'builtin', kind, protocol: NAME, version: SEARCH, options: sent }
  losses.changed(
    [],
    read,
    `web search under its name in responses${withoutOptions(tool, ['name', 'user_location', 'allowed_domains'])}`,
  )
  const wire: object = { type: SEARCH, ...sent }
  return wire as WireTool // a tool of the upstream
}

const SEARCH = 'web_search'

/** Undefined for an unknown form. */
export function decodeToolChoice(
  wire: WireToolChoice | null | undefined,
  context: DecodeContext,
): ToolChoice | undefined {
  if (wire == null || typeof wire === 'string') {
    const mode = MODES.find((each) => each === wire)
    return mode && { mode }
  }
  const back = (name: string) => context.names?.back(name) ?? name
  if (wire.type === 'function' || wire.type === 'custom') return { mode: 'required', names: [back(wire.name)] }
  if (wire.type !== 'allowed_tools' || unknownOf(wire, ALLOWED) !== undefined) return undefined
  const mode = MODES.find((each) => each === wire.mode)
  const names = wire.tools.flatMap((tool) => nameOfChoice(tool as JsonObject) ?? []) // parsed JSON
  const isRead = names.length === wire.tools.length && names.length > (mode === 'required' ? 1 : 0)
  return (mode === 'auto' || mode === 'required') && isRead ? { mode, names: names.map(back) } : undefined
}

const MODES = ['none', 'auto', 'required'] as const
const ALLOWED = known(allowedChoice)
const CHOICE = known(functionChoice)

function nameOfChoice(tool: JsonObject): string | undefined {
  const { type, name } = tool
  const isRead = (type === 'function' || type === 'custom') && unknownOf(tool, CHOICE) === undefined
  return isRead && typeof name === 'string' ? name : undefined
}

/** The members that decodeToolChoice does not read. */
export function unreadChoice(wire: WireToolChoice | null | undefined, choice: ToolChoice | undefined): unknown {
  if (choice === undefined) return wire
  return isObject(wire) && wire.type !== 'allowed_tools' ? unknownOf(wire, CHOICE) : undefined
}

export function encodeToolChoice(
  choice: ToolChoice,
  listed: readonly Listed[],
  losses: Losses,
  context: Encoding,
): WireToolChoice | undefined {
  const mode = choice.mode === 'validated' ? 'auto' : choice.mode
  const custom = new Set(choice.names && listed.map(([, tool]) => tool.type === 'custom' && tool.name))
  const tools = (choice.names ?? []).map((name) => ({
    type: custom.has(name) ? ('custom' as const) : ('function' as const),
    name: partsOfName(context.names?.out(name) ?? name).name,
  }))
  if (mode === 'required' && tools.length === 1) return tools[0]
  if (mode !== choice.mode) losses.changed(['mode'], mode, 'responses has no validated mode')
  if (mode === 'none' || tools.length === 0) {
    if (choice.names !== undefined) losses.dropped(['names'], 'no choice among some of the tools here')
    return mode
  }
  if (mode === undefined) losses.added(['mode'], 'auto', 'responses names allowed tools in a mode')
  return { type: 'allowed_tools', mode: mode ?? 'auto', tools }
}
