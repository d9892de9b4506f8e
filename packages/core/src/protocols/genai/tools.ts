import { leftover, nest, restore } from '../../ir/extras.ts'
import { reducedSchema } from '../../ir/schema.ts'
import { withoutOptions, type BuiltinTool, type FunctionTool, type Tool, type ToolChoice } from '../../ir/tool.ts'
import { isEmpty, isObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { NAME, type WireDeclaration, type WireTool, type WireToolConfig } from './schema.ts'

const KIND_OF: { readonly [member: string]: BuiltinTool['kind'] } = {
  googleSearch: 'web-search',
  googleSearchRetrieval: 'web-search',
  enterpriseWebSearch: 'web-search',
  codeExecution: 'code-execution',
  urlContext: 'url-context',
  retrieval: 'retrieval',
  fileSearch: 'retrieval',
}
const MEMBER_OF: { readonly [kind: string]: string } = {
  'web-search': 'googleSearch',
  'code-execution': 'codeExecution',
  'url-context': 'urlContext',
}

/** One wire object can hold several tools: its functions, and one of the upstream's own per member. */
export function decodeTools(wire: WireTool, context: DecodeContext): Tool[] {
  return Object.entries(wire).flatMap(([member, value]): Tool[] => {
    if (member === 'functionDeclarations')
      return wire.functionDeclarations?.map((each) => decodeFunction(each, context)) ?? []
    const own = { type: 'builtin', protocol: NAME } as const
    const kind = Object.hasOwn(KIND_OF, member) ? (KIND_OF[member] ?? 'other') : 'other'
    if (isObject(value)) return [{ ...own, kind, version: member, options: value }]
    return [{ ...own, kind: 'other', options: {}, ...leftover(NAME, { [member]: value }) }]
  })
}

function decodeFunction(wire: WireDeclaration, context: DecodeContext): FunctionTool {
  const { name, description, parameters, parametersJsonSchema, ...rest } = wire
  const standard = isObject(parametersJsonSchema)
  const value = standard ? parametersJsonSchema : parameters
  return {
    type: 'function',
    name: context.names?.back(name) ?? name,
    ...(description === undefined ? {} : { description }),
    ...(isObject(value) ? { schema: { dialect: standard ? 'json-schema' : 'openapi', value } } : {}),
    ...leftover(NAME, rest),
  }
}

/** Functions that follow one another are declared together. */
export function encodeTools(tools: readonly Tool[], context: EncodeContext): WireTool[] {
  const wires: WireTool[] = []
  for (const [index, tool] of tools.entries()) {
    context.losses.enter('tools', index)
    if (tool.type === 'builtin') {
      const wire = encodeBuiltin(tool, context)
      if (wire !== undefined) wires.push(wire)
    } else {
      const last = wires.at(-1)
      const declaration = tool.type === 'function' ? encodeFunction(tool, context) : encodeCustom(tool, context)
      if (last?.functionDeclarations === undefined) wires.push({ functionDeclarations: [declaration] })
      else last.functionDeclarations.push(declaration)
    }
    context.losses.leave()
  }
  return wires
}

/** The losses stand at the tool. */
function encodeFunction(tool: FunctionTool, context: EncodeContext): WireDeclaration {
  const { losses } = context
  if (tool.strict !== undefined) losses.dropped(['strict'], 'genai functions are not strict')
  if (tool.cache !== undefined) losses.dropped(['cache'], 'genai has no cache marks')
  return restore(NAME, tool, {
    name: context.names?.out(tool.name) ?? tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    ...encodeParameters(tool, context),
  })
}

/** Each dialect has its own member, unless the upstream knows only one of them. */
function encodeParameters({ schema }: FunctionTool, context: EncodeContext): Partial<WireDeclaration> {
  if (schema === undefined) return {}
  if (schema.dialect === 'json-schema' && context.dialect?.['schema'] !== 'openapi')
    return { parametersJsonSchema: schema.value }
  const parameters = reducedSchema(schema, ['schema'], context.losses)
  const described = !isObject(parameters['properties']) || !isEmpty(parameters['properties'])
  if (schema.dialect === 'openapi' || described) return { parameters }
  context.losses.dropped(['schema'], 'this upstream refuses a schema without properties')
  return {}
}

function encodeCustom(tool: Extract<Tool, { type: 'custom' }>, context: EncodeContext): WireDeclaration {
  const described = tool.description === undefined ? {} : { description: tool.description }
  const replaced: FunctionTool = { type: 'function', name: tool.name, ...described, schema: TEXT_SCHEMA }
  context.losses.changed([], replaced, 'genai functions take JSON')
  return { name: context.names?.out(tool.name) ?? tool.name, ...described, ...encodeParameters(replaced, context) }
}

const TEXT_SCHEMA = {
  dialect: 'json-schema',
  value: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
} as const

function encodeBuiltin(tool: BuiltinTool, { losses }: EncodeContext): WireTool | undefined {
  if (tool.protocol === NAME) {
    if (tool.cache !== undefined) losses.dropped(['cache'], 'genai has no cache marks')
    return restore(NAME, tool, tool.version === undefined ? {} : { [tool.version]: tool.options })
  }
  const member = MEMBER_OF[tool.kind]
  if (member === undefined) {
    losses.dropped([], `genai has no ${tool.kind} tool of ${tool.protocol}`)
    return undefined
  }
  losses.changed(
    [],
    { type: 'builtin', kind: tool.kind, protocol: NAME, version: member, options: {} },
    `${tool.kind} under its name in genai${withoutOptions(tool, ['name'])}`,
  )
  return { [member]: {} }
}

const MODE_OF: { readonly [mode: string]: NonNullable<ToolChoice['mode']> } = {
  AUTO: 'auto',
  ANY: 'required',
  NONE: 'none',
  VALIDATED: 'validated',
}
const WIRE_MODE_OF = { auto: 'AUTO', required: 'ANY', none: 'NONE', validated: 'VALIDATED' } as const

/** With what it did not take. */
export function decodeToolConfig(
  wire: WireToolConfig | undefined,
  context: DecodeContext,
): { choice?: ToolChoice; rest?: object } {
  if (wire === undefined) return {}
  const { functionCallingConfig, ...others } = wire
  const { mode: word, allowedFunctionNames, ...inner } = functionCallingConfig ?? {}
  const mode = word === undefined ? undefined : MODE_OF[word]
  const choice: ToolChoice = {
    ...(mode === undefined ? {} : { mode }),
    ...(allowedFunctionNames === undefined
      ? {}
      : { names: allowedFunctionNames.map((name) => context.names?.back(name) ?? name) }),
  }
  const left: { readonly [key: string]: unknown } =
    mode === undefined && word !== undefined ? { ...inner, mode: word } : inner
  return { ...(isEmpty(choice) ? {} : { choice }), rest: nest(others, 'functionCallingConfig', left) }
}

/** The losses stand at the request. */
export function encodeToolConfig(choice: ToolChoice, context: EncodeContext): WireToolConfig | undefined {
  const { losses } = context
  const { names, parallel } = choice
  if (parallel !== undefined) losses.dropped(['toolChoice', 'parallel'], 'genai calls as many functions as it likes')
  let { mode } = choice
  if (names !== undefined && mode === undefined) {
    mode = 'validated'
    losses.added(['toolChoice', 'mode'], mode, 'genai names allowed functions in this mode')
  } else if (names !== undefined && mode === 'auto') {
    mode = 'validated'
    losses.changed(['toolChoice', 'mode'], mode, 'genai names allowed functions in this mode')
  }
  if (mode === undefined) return undefined
  const allowed =
    names === undefined ? {} : { allowedFunctionNames: names.map((name) => context.names?.out(name) ?? name) }
  return { functionCallingConfig: { mode: WIRE_MODE_OF[mode], ...allowed } }
}
