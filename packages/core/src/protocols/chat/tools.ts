import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { standardSchema } from '../../ir/schema.ts'
import { withoutOptions, type BuiltinTool, type FunctionTool, type Tool, type ToolChoice } from '../../ir/tool.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { NAME, type WireTool, type WireToolChoice } from './schema.ts'

export function decodeTool(wire: WireTool, context: DecodeContext): Tool {
  if (wire.type === 'custom') {
    const { type, custom, ...rest } = wire
    const { name, description, format, ...inner } = custom
    return {
      type: 'custom',
      name: context.names?.back(name) ?? name,
      ...(description === undefined ? {} : { description }),
      ...(format === undefined ? {} : { format: format as JsonObject }), // parsed JSON
      ...leftover(NAME, nest(rest, 'custom', inner)),
    }
  }
  const { name, description, parameters, strict } = wire.function
  const tool: Draft<FunctionTool> = { type: 'function', name: context.names?.back(name) ?? name }
  if (description !== undefined) tool.description = description
  if (isObject(parameters)) tool.schema = { dialect: 'json-schema', value: parameters }
  if (strict != null) tool.strict = strict
  const cache = decodeCache(wire.cache_control)
  if (cache.mark.cache !== undefined) tool.cache = cache.mark.cache
  const left = nest(
    nest(unknownOf(wire, TOOL) ?? {}, 'function', unknownOf(wire.function, FUNCTION)),
    'cache_control',
    cache.rest,
  )
  return isEmpty(left) ? tool : { ...tool, ...leftover(NAME, left) }
}

const TOOL = new Set(['type', 'function', 'cache_control'])
const FUNCTION = new Set(['name', 'description', 'parameters', 'strict'])

/** The losses stand at the tool. */
export function encodeTool(tool: Tool, context: EncodeContext): WireTool | undefined {
  const { losses } = context
  if (tool.type === 'builtin') {
    losses.dropped([], `chat has no ${tool.kind} tool of ${tool.protocol}`)
    return undefined
  }
  const named = {
    name: context.names?.out(tool.name) ?? tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
  }
  if (tool.type === 'custom') {
    return restore(NAME, tool, {
      type: 'custom',
      custom: { ...named, ...(tool.format === undefined ? {} : { format: tool.format }) },
    })
  }
  return restore(NAME, tool, {
    type: 'function',
    function: {
      ...named,
      ...(tool.schema === undefined ? {} : { parameters: standardSchema(tool.schema, ['schema'], losses) }),
      ...(tool.strict === undefined ? {} : { strict: tool.strict }),
    },
    ...encodeCache(tool, context),
  })
}

/** Web search is a member of the request in chat. Another protocol's comes with the place of the user. The losses stand at the tool. */
export function encodeSearch(tool: BuiltinTool, { losses }: EncodeContext): JsonObject {
  if (tool.protocol === NAME) return tool.options
  const place = isObject(tool.options['user_location']) ? tool.options['user_location'] : undefined
  const { type, ...approximate } = place ?? {}
  const options = place === undefined ? {} : { user_location: { type: 'approximate', approximate } }
  losses.changed(
    [],
    { type: 'builtin', kind: 'web-search', protocol: NAME, options },
    `web search under its name in chat${withoutOptions(tool, ['name', 'user_location'])}`,
  )
  return options
}

/** With what it did not take; a form that is not known here is left whole. */
export function decodeToolChoice(
  wire: WireToolChoice | null | undefined,
  context: DecodeContext,
): { choice?: ToolChoice; rest?: unknown } {
  if (wire == null) return {}
  if (typeof wire === 'string') return wire in MODE_OF ? { choice: { mode: MODE_OF[wire] } } : { rest: wire }
  if (wire.type === 'allowed_tools') return decodeAllowed(wire, context)
  if (wire.type !== 'function') return { rest: wire }
  const { type, function: named, ...rest } = wire
  const { name, ...inner } = named
  return {
    choice: { mode: 'required', names: [context.names?.back(name) ?? name] },
    rest: nest(rest, 'function', inner),
  }
}

/** One that must be called has a form of its own, and what is more than a list of functions is left whole. */
function decodeAllowed(
  wire: Extract<WireToolChoice, { type: 'allowed_tools' }>,
  context: DecodeContext,
): { choice?: ToolChoice; rest?: unknown } {
  const { type, allowed_tools: allowed, ...beside } = wire
  const { mode, tools, ...inner } = isObject(allowed) ? allowed : {}
  if ((mode !== 'auto' && mode !== 'required') || !Array.isArray(tools)) return { rest: wire }
  const names = tools.map(nameOfAllowed).filter((name) => name !== undefined)
  const known = names.length === tools.length && isEmpty(beside) && isEmpty(inner)
  if (!known || names.length < (mode === 'required' ? 2 : 1)) return { rest: wire }
  return { choice: { mode, names: names.map((name) => context.names?.back(name) ?? name) } }
}

function nameOfAllowed(tool: unknown): string | undefined {
  const { type, function: named, ...beside } = isObject(tool) ? tool : {}
  const { name, ...inner } = isObject(named) ? named : {}
  return type === 'function' && typeof name === 'string' && isEmpty(beside) && isEmpty(inner) ? name : undefined
}

function encodeAllowed(mode: 'auto' | 'required', names: readonly string[]): WireToolChoice {
  const tools = names.map((name) => ({ type: 'function', function: { name } }))
  return { type: 'allowed_tools', allowed_tools: { mode, tools } }
}

const MODE_OF = { none: 'none', auto: 'auto', required: 'required' } as const

export function encodeToolChoice(choice: ToolChoice, context: EncodeContext): WireToolChoice | undefined {
  const { losses } = context
  const { mode, names } = choice
  const [name] = names ?? []
  if (mode === 'required' && name !== undefined && names?.length === 1) {
    return { type: 'function', function: { name: context.names?.out(name) ?? name } }
  }
  if (mode === 'validated') losses.changed(['toolChoice', 'mode'], 'auto', 'chat has no validated mode')
  if (names === undefined) return mode === 'validated' ? 'auto' : mode
  if (mode === 'none' || name === undefined) {
    losses.dropped(['toolChoice', 'names'], 'chat names tools that may be called')
    return mode === 'validated' ? 'auto' : mode
  }
  if (mode === undefined) losses.added(['toolChoice', 'mode'], 'auto', 'chat names allowed tools in a mode')
  return encodeAllowed(
    mode === 'required' ? mode : 'auto',
    names.map((each) => context.names?.out(each) ?? each),
  )
}
