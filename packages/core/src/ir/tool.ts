import { isObject, parseJson, type JsonObject } from '../lib/json.ts'
import { isNameInside } from '../lib/names.ts'
import { defined } from '../lib/members.ts'
import { jsonSchemaOf } from '../lib/json-schema.ts'
import { openApiOf } from '../lib/openapi-schema.ts'
import type { Node, Shape, ShapeOf } from './extras.ts'
import type { Losses, Path } from './loss.ts'
import type { CacheMark, ToolCall } from './part.ts'

/** A tool that the model may call. */
export type Tool = FunctionTool | CustomTool | BuiltinTool

interface ToolNode extends Node {
  /** The index of the message before which it appears. Absent for a tool that is there from the start. */
  readonly since?: number
}

/** A tool of the client with arguments by a JSON Schema. */
export interface FunctionTool extends ToolNode {
  readonly type: 'function'
  readonly name: string
  readonly description?: string
  readonly schema?: Schema
  readonly strict?: boolean
  readonly cache?: CacheMark
}

/** A tool whose input is free text, optionally with a grammar. */
export interface CustomTool extends ToolNode {
  readonly type: 'custom'
  readonly name: string
  readonly description?: string
  readonly grammar?: Grammar
}

/** What the text must look like. */
interface Grammar {
  /** lark, regex. */
  readonly syntax: string
  readonly definition: string
}

/** A tool that the upstream defines. `kind` is ours if several upstreams have it; `options` belong to its protocol. */
export interface BuiltinTool extends ToolNode {
  readonly type: 'builtin'
  readonly kind: 'web-search' | 'code-execution' | 'url-context' | 'retrieval' | 'shell' | 'editor' | 'other'
  readonly protocol: string
  readonly version?: string
  readonly options: JsonObject
  readonly cache?: CacheMark
}

/**
 * Each tool with its index, without those that appear again in the middle of a conversation or in a repeated namespace under a name that was
 * there: upstreams that have all tools from the start refuse two of one name.
 */
export function distinctTools(
  tools: readonly Tool[],
  losses: Losses,
): readonly (readonly [index: number, tool: Tool])[] {
  const listed = tools.map((tool, index) => [index, tool] as const)
  if (!tools.some(mayRepeat)) return listed
  const names = new Set<string>()
  return listed.filter(([index, tool]) => {
    if (tool.type === 'builtin') return true
    const isRepeated = mayRepeat(tool) && names.has(tool.name)
    if (isRepeated) losses.dropped(['tools', index], 'a tool of this name was there before')
    names.add(tool.name)
    return !isRepeated
  })
}

/** The names of custom tools. Undefined if there are none, as in most requests. */
export function customNames(tools: readonly Tool[] = []): string[] | undefined {
  let names: string[] | undefined
  for (const tool of tools) if (tool.type === 'custom') (names ??= []).push(tool.name)
  return names
}

function mayRepeat(tool: Tool): boolean {
  return tool.since !== undefined || (tool.type !== 'builtin' && isNameInside(tool.name))
}

/** The end of a reason: the options of a tool that other protocols do not have. */
export function withoutOptions({ options }: BuiltinTool, kept: readonly string[] = []): string {
  const lost = Object.keys(options).filter((name) => !kept.includes(name))
  return lost.length === 0 ? '' : `, without ${lost.join(', ')}`
}

/** Kept in its own dialect; converted only in a translation. */
export interface Schema {
  readonly dialect: 'json-schema' | 'openapi'
  readonly value: JsonObject
}

/** Whether and which tools the model must call. */
export interface ToolChoice {
  readonly mode?: 'auto' | 'none' | 'required' | 'validated'
  /** Only these may be called; with `required`, one of these must be. */
  readonly names?: readonly string[]
  readonly parallel?: boolean
}

/** The paths of a schema that quirks can name. */
export const SCHEMA_SHAPE: Shape = { dialect: 'value', value: 'json' }

/** The paths of a tool that quirks can name. */
export const TOOL_SHAPE: ShapeOf<Tool> = {
  type: 'value',
  name: 'value',
  description: 'value',
  schema: SCHEMA_SHAPE,
  strict: 'value',
  cache: 'json',
  grammar: 'json',
  since: 'value',
  kind: 'value',
  protocol: 'value',
  version: 'value',
  options: 'json',
  extras: 'json',
}

/** The paths of a tool choice that quirks can name. */
export const TOOL_CHOICE_SHAPE: ShapeOf<ToolChoice> = { mode: 'value', names: ['value'], parallel: 'value' }

/** The member of a function's arguments that holds the text of a custom tool. */
export const TEXT_MEMBER = 'input'

/** A custom tool as a function, for targets whose tools take JSON: its grammar is stated in words. */
export function functionOfCustom({ name, description, grammar }: CustomTool): FunctionTool {
  const rule = grammar && `The input is plain text that matches this ${grammar.syntax} grammar:\n${grammar.definition}`
  const described = [description, rule].filter((text) => text !== undefined && text !== '').join('\n\n')
  return defined({
    type: 'function' as const,
    name,
    description: described === '' ? description : described,
    schema: { dialect: 'json-schema' as const, value: TEXT_SCHEMA },
  })
}

const TEXT_SCHEMA = {
  type: 'object',
  properties: { [TEXT_MEMBER]: { type: 'string' } },
  required: [TEXT_MEMBER],
}

/** The object in a text of arguments, or an object that contains the text if it is not a JSON object. */
export function readArguments(text: string): { readonly value: JsonObject; readonly kept: boolean } {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? { value, kept: false } : { value: { text }, kept: true }
}

/** Arguments as an object. Other text is kept inside an object. */
export function objectArguments(part: ToolCall, target: string, losses: Losses): JsonObject {
  if (typeof part.arguments !== 'string') return part.arguments
  const read = part.custom ? { value: { [TEXT_MEMBER]: part.arguments }, kept: true } : readArguments(part.arguments)
  if (read.kept) reportKept(read.value, target, losses)
  return read.value
}

/** Reports arguments that are not an object, and the object that contains them now. */
export function reportKept(kept: JsonObject, target: string, losses: Losses): void {
  losses.changed(['arguments'], kept, `${target} takes JSON objects as arguments`)
}

/** A schema as standard JSON Schema. If it was in another dialect, the conversion is reported at `keys`. */
export function standardSchema(schema: Schema, keys: Path, losses: Losses): JsonObject {
  if (schema.dialect === 'json-schema') return schema.value
  const value = jsonSchemaOf(schema.value)
  losses.changed(keys, { dialect: 'json-schema', value }, 'written as JSON Schema')
  return value
}

/** A schema from a parsed wire. */
export function decodedSchema(value: unknown): { schema?: Schema } {
  return isObject(value) ? { schema: { dialect: 'json-schema', value } } : {}
}

/** A schema in the OpenAPI subset. If it was JSON Schema, the conversion and its losses are reported at `keys`. */
export function reducedSchema(schema: Schema, keys: Path, losses: Losses): JsonObject {
  if (schema.dialect === 'openapi') return schema.value
  const { value, removed } = openApiOf(schema.value)
  const to = { dialect: 'openapi', value }
  if (removed.length === 0) losses.changed(keys, to, 'written in the OpenAPI subset')
  else losses.weakened(keys, to, `written in the OpenAPI subset, without ${removed.join(', ')}`)
  return value
}
