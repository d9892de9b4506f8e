import type { JsonObject } from '../lib/json.ts'
import { isNameInside } from '../lib/names.ts'
import type { Node } from './extras.ts'
import type { Losses } from './loss.ts'
import type { CacheMark } from './part.ts'
import type { Shape, ShapeOf } from './shape.ts'

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
export interface Grammar {
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
