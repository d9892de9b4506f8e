import {
  functionOfCustom,
  reducedSchema,
  distinctTools,
  withoutOptions,
  type BuiltinTool,
  type FunctionTool,
  type Tool,
  type ToolChoice,
} from '../../ir/tool.ts'
import { keep, keepExtras, known, nest, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import { lostTool } from '../../ir/unsupported-part.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { TABLES } from './members.ts'
import { declaration, NAME, type WireDeclaration, type WireTool, type WireToolConfig } from './schema.ts'

/** The first member of a kind is used for tools of other protocols. */
const KIND_OF: ReadonlyMap<string, BuiltinTool['kind']> = new Map([
  ['googleSearch', 'web-search'],
  ['googleSearchRetrieval', 'web-search'],
  ['enterpriseWebSearch', 'web-search'],
  ['codeExecution', 'code-execution'],
  ['urlContext', 'url-context'],
  ['retrieval', 'retrieval'],
  ['fileSearch', 'retrieval'],
])

/** A wire object can contain several tools: its functions, and one upstream tool per member. */
export function decodeTools(wires: readonly WireTool[], context: DecodeContext): Tool[] {
  const tools: Tool[] = []
  for (const wire of wires) {
    for (const member in wire) {
      if (member !== 'functionDeclarations') tools.push(decodeBuiltin(member, wire[member]))
      else for (const each of wire.functionDeclarations ?? []) tools.push(decodeFunction(each, context))
    }
  }
  return tools
}

function decodeBuiltin(member: string, options: unknown): BuiltinTool {
  const own = { type: 'builtin', protocol: NAME } as const
  if (isObject(options)) return { ...own, kind: KIND_OF.get(member) ?? 'other', version: member, options }
  return { ...own, kind: 'other', options: {}, ...keepExtras(NAME, { [member]: options }) }
}

function decodeFunction(wire: WireDeclaration, context: DecodeContext): FunctionTool {
  const { name, description, parameters, parametersJsonSchema } = wire
  const standard = isObject(parametersJsonSchema)
  const value = standard ? parametersJsonSchema : parameters
  const tool: Draft<FunctionTool> = { type: 'function', name: context.names?.back(name) ?? name }
  if (description !== undefined) tool.description = description
  if (isObject(value)) tool.schema = { dialect: standard ? 'json-schema' : 'openapi', value }
  return keep(tool, NAME, unknownOf(wire, FUNCTION))
}

const FUNCTION = known(declaration)

/** Consecutive functions are declared together. */
export function encodeTools(tools: readonly Tool[], losses: Losses, context: Encoding): WireTool[] {
  const wires: WireTool[] = []
  for (const [index, tool] of distinctTools(tools, losses)) {
    const at = losses.at('tools', index)
    if (tool.type === 'builtin') {
      const wire = encodeBuiltin(tool, at, context)
      if (wire !== undefined) wires.push(wire)
    } else {
      const last = wires.at(-1)
      const declaration = tool.type === 'function' ? encodeFunction(tool, at, context) : encodeCustom(tool, at, context)
      if (last?.functionDeclarations === undefined) wires.push({ functionDeclarations: [declaration] })
      else last.functionDeclarations.push(declaration)
    }
  }
  return wires
}

function encodeFunction(tool: FunctionTool, losses: Losses, context: Encoding): WireDeclaration {
  const { name, description, schema } = tool
  reportUnsupported(tool, TABLES.tool.function, losses, context)
  const wire: Draft<WireDeclaration> = { name: context.names?.out(name) ?? name }
  if (description !== undefined) wire.description = description
  if (schema?.dialect === 'json-schema' && context.dialect?.['schema'] !== 'openapi')
    wire.parametersJsonSchema = schema.value
  else if (schema !== undefined) {
    const parameters = reducedSchema(schema, ['schema'], losses)
    const { properties } = parameters
    if (schema.dialect === 'openapi' || !isObject(properties) || !isEmpty(properties)) wire.parameters = parameters
    else losses.dropped(['schema'], 'this upstream refuses a schema without properties')
  }
  return restore(NAME, tool, wire)
}

/** As a function that takes the text. */
function encodeCustom(tool: Extract<Tool, { type: 'custom' }>, losses: Losses, context: Encoding): WireDeclaration {
  const replaced = functionOfCustom(tool)
  losses.changed([], replaced, 'genai functions take JSON')
  return encodeFunction(replaced, losses, context)
}

function encodeBuiltin(tool: BuiltinTool, losses: Losses, context: Encoding): WireTool | undefined {
  const { kind, protocol, version, options } = tool
  if (protocol === NAME) {
    reportUnsupported(tool, TABLES.tool.builtin, losses, context)
    return restore(NAME, tool, version === undefined ? {} : { [version]: options })
  }
  const [member] = [...KIND_OF].find(([, each]) => each === kind && each !== 'retrieval') ?? []
  if (member === undefined) {
    losses.dropped([], lostTool(tool, NAME))
    return undefined
  }
  const read: BuiltinTool = { type: 'builtin', kind, protocol: NAME, version: member, options: {} }
  losses.changed([], read, `${kind} under its name in genai${withoutOptions(tool, ['name'])}`)
  return { [member]: {} }
}

const MODE_OF: ReadonlyMap<string, NonNullable<ToolChoice['mode']>> = new Map([
  ['AUTO', 'auto'],
  ['ANY', 'required'],
  ['NONE', 'none'],
  ['VALIDATED', 'validated'],
])
const WIRE_MODE_OF = { auto: 'AUTO', required: 'ANY', none: 'NONE', validated: 'VALIDATED' } as const

/** With the members that it did not read. */
export function decodeToolConfig(
  wire: WireToolConfig | undefined,
  context: DecodeContext,
): { choice?: ToolChoice; rest?: object } {
  if (wire === undefined) return {}
  const { functionCallingConfig, ...others } = wire
  const { mode: wireMode, allowedFunctionNames, ...inner } = functionCallingConfig ?? {}
  const mode = MODE_OF.get(wireMode ?? '')
  // What its other members mean depends on the mode.
  if (mode === undefined && wireMode !== undefined && wireMode !== 'MODE_UNSPECIFIED') return { rest: wire }
  const names = allowedFunctionNames?.map((name) => context.names?.back(name) ?? name)
  const choice: ToolChoice = defined({ mode, names })
  const left = mode === undefined ? { ...inner, ...defined({ mode: wireMode }) } : inner
  const rest = nest(others, 'functionCallingConfig', left)
  return isEmpty(choice) ? { rest } : { choice, rest }
}

export function encodeToolConfig(choice: ToolChoice, losses: Losses, context: Encoding): WireToolConfig | undefined {
  const { names, mode } = choice
  const path = ['mode']
  reportUnsupported(choice, TABLES.toolChoice, losses, context)
  if (names === undefined)
    return mode === undefined ? undefined : { functionCallingConfig: { mode: WIRE_MODE_OF[mode] } }
  const sent = mode === undefined || mode === 'auto' ? 'validated' : mode
  if (mode === undefined) losses.added(path, sent, 'genai names allowed functions in this mode')
  else if (mode !== sent) losses.changed(path, sent, 'genai names allowed functions in this mode')
  const allowedFunctionNames = names.map((name) => context.names?.out(name) ?? name)
  return { functionCallingConfig: { mode: WIRE_MODE_OF[sent], allowedFunctionNames } }
}
