import {
  functionOfCustom,
  standardSchema,
  withoutOptions,
  type BuiltinTool,
  type FunctionTool,
  type Schema,
  type Tool,
  type ToolChoice,
} from '../../ir/tool.ts'
import { known, restore, unknownOf } from '../../ir/extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { lostTool } from '../../ir/unsupported-part.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { hasChoices, objectSchema } from '../../lib/json-schema.ts'
import { cacheControl, keepMarked } from '../cache-control.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { object } from '../../lib/grammar/schema.ts'
import { reportUnsupported } from '../member-tables.ts'
import { mark } from './cache.ts'
import { TABLES } from './members.ts'
import { NAME, namedChoice, tool as wireTool, type WireTool, type WireToolChoice } from './schema.ts'

const KIND_OF: readonly (readonly [prefix: string, kind: BuiltinTool['kind']])[] = [
  ['web_search_', 'web-search'],
  ['code_execution_', 'code-execution'],
  ['bash_', 'shell'],
  ['text_editor_', 'editor'],
]

export function decodeTool(wire: WireTool, context: DecodeContext): Tool {
  const { type, name = '', description, input_schema, strict } = wire
  if (type == null || type === 'custom') {
    const tool: Draft<FunctionTool> = { type: 'function', name: context.names?.back(name) ?? name }
    if (description !== undefined) tool.description = description
    if (input_schema !== undefined) tool.schema = { dialect: 'json-schema', value: input_schema as JsonObject } // parsed JSON
    if (strict !== undefined) tool.strict = strict
    return keepMarked(tool, NAME, wire, unknownOf(wire, FUNCTION))
  }
  const kind = KIND_OF.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
  const { cache_control, type: _type, ...options } = wire
  const builtin = { type: 'builtin' as const, kind, protocol: NAME, version: type, options: options as JsonObject } // parsed JSON
  const unread = cache_control == null ? undefined : unknownOf({ cache_control }, MARKED)
  return keepMarked(builtin, NAME, wire, unread)
}

const MARKED = known(object(cacheControl))
const FUNCTION = known(wireTool)

export function encodeTool(tool: Tool, losses: Losses, context: Encoding): WireTool | undefined {
  switch (tool.type) {
    case 'function': {
      reportUnsupported(tool, TABLES.tool.function, losses, context)
      const wire: Draft<WireTool> = { name: context.names?.out(tool.name) ?? tool.name }
      if (tool.description !== undefined) wire.description = tool.description
      wire.input_schema = encodeSchema(tool.schema, losses)
      if (tool.strict !== undefined) wire.strict = tool.strict
      return restore(NAME, tool, mark(wire, tool, losses, context))
    }
    case 'custom': {
      const replaced = functionOfCustom(tool)
      losses.changed([], replaced, 'messages tools take JSON')
      return encodeTool(replaced, NO_LOSSES, context)
    }
    case 'builtin':
      if (tool.protocol === NAME) {
        reportUnsupported(tool, TABLES.tool.builtin, losses, context)
        const { version: type = '', options } = tool
        return restore(NAME, tool, mark<WireTool>({ ...options, type }, tool, losses, context))
      }
      if (tool.kind === 'web-search') return encodeForeignSearch(tool, losses)
      losses.dropped([], lostTool(tool, NAME))
      return undefined
    default:
      return tool satisfies never
  }
}

/** The input of a tool is an object: upstreams refuse a schema without that type, and choices at its root. */
function encodeSchema(schema: Schema | undefined, losses: Losses): JsonObject {
  if (schema === undefined) losses.added(['schema'], EMPTY_SCHEMA, 'messages tools have a schema')
  const given = schema ?? EMPTY_SCHEMA
  const standard = standardSchema(given, ['schema'], NO_LOSSES)
  const value = objectSchema(standard)
  const to = { dialect: 'json-schema', value }
  const reason = value === standard ? 'written as JSON Schema' : 'messages tools take an object, without choices'
  if (hasChoices(standard)) losses.weakened(['schema'], to, reason)
  else if (value !== given.value) losses.changed(['schema'], to, reason)
  return value
}

const EMPTY_SCHEMA = { dialect: 'json-schema', value: { type: 'object', properties: {} } } as const
const WEB_SEARCH = 'web_search_20250305'

/** Another protocol's web search, under its name here, with the user's location and the allowed domains. */
function encodeForeignSearch(tool: BuiltinTool, losses: Losses): WireTool {
  const location = isObject(tool.options['user_location']) ? tool.options['user_location'] : undefined
  const { approximate, ...flat } = location ?? {}
  const user_location = location && { type: 'approximate', ...flat, ...(isObject(approximate) ? approximate : {}) }
  const { allowed_domains, ...others } = filtersOf(tool)
  const options = { name: 'web_search', ...defined({ user_location, allowed_domains }) }
  const read = { type: 'builtin', kind: 'web-search', protocol: NAME, version: WEB_SEARCH, options }
  losses.changed(
    [],
    read,
    `web search under its name in messages${withoutOptions(tool, ['user_location', ...(isEmpty(others) ? ['filters'] : [])])}`,
  )
  return { type: WEB_SEARCH, ...options }
}

function filtersOf({ options: { filters } }: BuiltinTool): JsonObject {
  return isObject(filters) ? filters : {}
}

/** Undefined for an unknown kind. */
export function decodeToolChoice(wire: WireToolChoice, context: DecodeContext): ToolChoice | undefined {
  const { type, name = '', disable_parallel_tool_use: single } = wire as Loose // the widest of them
  if (!Object.hasOwn(MODE_OF, type)) return undefined
  const names = type === 'tool' ? [context.names?.back(name) ?? name] : undefined
  return defined({ mode: MODE_OF[type], names, parallel: single === undefined ? undefined : !single })
}

interface Loose {
  readonly type: WireToolChoice['type']
  readonly name?: string
  readonly disable_parallel_tool_use?: boolean
}

const MODE_OF = { auto: 'auto', any: 'required', tool: 'required', none: 'none' } as const

/** The members that decodeToolChoice reads. */
export const TOOL_CHOICE = known(namedChoice)

export function encodeToolChoice(choice: ToolChoice, losses: Losses, context: Encoding): WireToolChoice {
  const { mode, names, parallel } = choice
  const single = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }
  if (mode === undefined) losses.added(['mode'], 'auto', 'messages states how tools are chosen')
  if (mode === 'validated') losses.changed(['mode'], 'auto', 'messages has no validated mode')
  const [name] = names ?? []
  if (mode === 'required' && name !== undefined && names?.length === 1) {
    return { type: 'tool', name: context.names?.out(name) ?? name, ...single }
  }
  if (names !== undefined) losses.dropped(['names'], 'messages can name one tool that must be called')
  if (mode !== 'none') return { type: mode === 'required' ? 'any' : 'auto', ...single }
  if (parallel !== undefined) losses.dropped(['parallel'], 'no tool may be called')
  return { type: 'none' }
}
