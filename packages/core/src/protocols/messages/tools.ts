import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { standardSchema } from '../../ir/schema.ts'
import { withoutOptions, type BuiltinTool, type FunctionTool, type Tool, type ToolChoice } from '../../ir/tool.ts'
import type { Draft } from '../../lib/draft.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache, putCache, takeCache } from './cache.ts'
import { NAME, type WireTool, type WireToolChoice } from './schema.ts'

const KIND_OF: readonly (readonly [prefix: string, kind: BuiltinTool['kind']])[] = [
  ['web_search_', 'web-search'],
  ['code_execution_', 'code-execution'],
  ['bash_', 'shell'],
  ['text_editor_', 'editor'],
]

export function decodeTool(wire: WireTool, context: DecodeContext): Tool {
  const { type, description, input_schema, strict, cache_control } = wire
  if (type == null || type === 'custom') {
    const tool: Draft<FunctionTool> = { type: 'function', name: context.names?.back(wire.name) ?? wire.name }
    if (description !== undefined) tool.description = description
    if (input_schema !== undefined) tool.schema = { dialect: 'json-schema', value: input_schema as JsonObject } // parsed JSON
    if (strict !== undefined) tool.strict = strict
    let rest = unknownOf(wire, FUNCTION)
    if (cache_control != null) rest = takeCache(cache_control, tool, rest)
    if (rest !== undefined) tool.extras = { [NAME]: rest }
    return tool
  }
  const cache = decodeCache(cache_control)
  const kind = KIND_OF.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
  const { cache_control: _mark, type: _type, ...options } = wire
  return {
    type: 'builtin',
    kind,
    protocol: NAME,
    version: type,
    options: options as JsonObject,
    ...cache.mark,
    ...leftover(NAME, nest({}, 'cache_control', cache.rest)),
  } // parsed JSON
}

const FUNCTION = new Set(['type', 'name', 'description', 'input_schema', 'strict', 'cache_control'])

/** The losses stand at the tool. */
export function encodeTool(tool: Tool, context: EncodeContext): WireTool | undefined {
  const { losses } = context
  switch (tool.type) {
    case 'function': {
      if (tool.schema === undefined) losses.added(['schema'], EMPTY_SCHEMA, 'messages tools have a schema')
      const wire: Draft<WireTool> = { name: context.names?.out(tool.name) ?? tool.name }
      if (tool.description !== undefined) wire.description = tool.description
      wire.input_schema = standardSchema(tool.schema ?? EMPTY_SCHEMA, ['schema'], losses)
      if (tool.strict !== undefined) wire.strict = tool.strict
      if (tool.cache !== undefined) putCache(wire, tool, context)
      return restore(NAME, tool, wire)
    }
    case 'custom': {
      const described = tool.description === undefined ? {} : { description: tool.description }
      const replaced = { type: 'function', name: tool.name, ...described, schema: TEXT_SCHEMA }
      losses.changed([], replaced, 'messages tools take JSON')
      return { name: context.names?.out(tool.name) ?? tool.name, ...described, input_schema: TEXT_SCHEMA.value }
    }
    case 'builtin':
      if (tool.protocol === NAME) {
        const { version = '', options } = tool
        return restore(NAME, tool, { ...options, type: version, ...encodeCache(tool, context) } as WireTool) // taken from one
      }
      if (tool.kind !== 'web-search') {
        losses.dropped([], `messages has no ${tool.kind} tool of ${tool.protocol}`)
        return undefined
      }
      return encodeForeignSearch(tool, context)
    default:
      return tool satisfies never
  }
}

const EMPTY_SCHEMA = { dialect: 'json-schema', value: { type: 'object', properties: {} } } as const
const TEXT_SCHEMA = {
  dialect: 'json-schema',
  value: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
} as const
const WEB_SEARCH = 'web_search_20250305'

/** Another protocol's web search, under its name here, with the place of the user. The losses stand at the tool. */
function encodeForeignSearch(tool: BuiltinTool, { losses }: EncodeContext): WireTool {
  const place = isObject(tool.options['user_location']) ? tool.options['user_location'] : undefined
  const approximate = isObject(place?.['approximate']) ? place['approximate'] : undefined
  const options = {
    name: 'web_search',
    ...(approximate === undefined ? {} : { user_location: { type: 'approximate', ...approximate } }),
  }
  const read = { type: 'builtin', kind: 'web-search', protocol: NAME, version: WEB_SEARCH, options }
  losses.changed([], read, `web search under its name in messages${withoutOptions(tool, ['user_location'])}`)
  return { type: WEB_SEARCH, ...options }
}

/** With what it did not take. */
export function decodeToolChoice(
  wire: WireToolChoice | undefined,
  context: DecodeContext,
): { choice?: ToolChoice; rest?: object } {
  if (wire === undefined) return {}
  const { type, ...other } = wire
  const {
    name,
    disable_parallel_tool_use: single,
    ...rest
  } = other as Partial<Extract<WireToolChoice, { type: 'tool' }>> // the widest of them
  const parallel = single === undefined ? {} : { parallel: !single }
  switch (type) {
    case 'auto':
      return { choice: { mode: 'auto', ...parallel }, rest }
    case 'any':
      return { choice: { mode: 'required', ...parallel }, rest }
    case 'tool':
      return { choice: { mode: 'required', names: [context.names?.back(name ?? '') ?? name ?? ''], ...parallel }, rest }
    case 'none':
      return { choice: { mode: 'none', ...parallel }, rest }
    default:
      return (type satisfies never, {})
  }
}

export function encodeToolChoice(choice: ToolChoice, context: EncodeContext): WireToolChoice {
  const { losses } = context
  const { names = [], parallel } = choice
  const single = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }
  if (choice.mode === undefined) losses.added(['toolChoice', 'mode'], 'auto', 'messages states how tools are chosen')
  if (choice.mode === 'validated') losses.changed(['toolChoice', 'mode'], 'auto', 'messages has no validated mode')
  const [name] = names
  if (choice.mode === 'required' && name !== undefined && names.length === 1) {
    return { type: 'tool', name: context.names?.out(name) ?? name, ...single }
  }
  if (choice.names !== undefined)
    losses.dropped(['toolChoice', 'names'], 'messages can name one tool that must be called')
  if (choice.mode === 'none') {
    if (parallel !== undefined) losses.dropped(['toolChoice', 'parallel'], 'no tool may be called')
    return { type: 'none' }
  }
  return { type: choice.mode === 'required' ? 'any' : 'auto', ...single }
}
