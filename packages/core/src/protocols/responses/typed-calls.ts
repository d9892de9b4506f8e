import { objectArguments } from '../../ir/tool.ts'
import { keep, keptWord, restore } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { ToolCall, ToolOutput, ToolResult } from '../../ir/part.ts'
import { textsOf } from '../../ir/unsupported-part.ts'
import { openId } from '../../ir/seal.ts'
import { defined } from '../../lib/members.ts'
import { isObject, listOf, optionalString, stringOf, type Json, type JsonObject } from '../../lib/json.ts'
import type { Encoding } from '../context.ts'
import { decodePart, encodePart } from './content.ts'
import { unusual, reportOwn } from './item-facts.ts'
import { NAME, type Item, type WireTool } from './schema.ts'

/**
 * Calls that the client runs and that have an item of their own kind, with an action instead of arguments. They are calls like any other,
 * so other protocols have them with their results. The kind is kept with the call and with the result.
 */
const KINDS = {
  tool_search_call: { name: 'tool_search', prefix: 'tsc', action: 'arguments' },
  shell_call: { name: 'shell', prefix: 'sh', action: 'action' },
  local_shell_call: { name: 'local_shell', prefix: 'lsh', action: 'action' },
  apply_patch_call: { name: 'apply_patch', prefix: 'apc', action: 'operation' },
  computer_call: { name: 'computer', prefix: 'cu', action: 'action' },
} as const

/** The type of such an item. */
export type TypedCall = keyof typeof KINDS

const SEARCH = 'tool_search_call'
export const FOUND = 'tool_search_output'

function isKind(type: unknown): type is TypedCall {
  return typeof type === 'string' && Object.hasOwn(KINDS, type)
}

/** Undefined for an item of another kind, and for a call without an action or an id. */
export function decodeTypedCall(item: object): ToolCall | undefined {
  const { type, id, call_id, status, ...members } = item as JsonObject // parsed JSON
  if (!isKind(type) || typeof call_id !== 'string') return undefined
  const { name, action } = KINDS[type]
  const { [action]: given, ...rest } = members
  // What the upstream searches for itself gets no result from the client.
  if (!isObject(given) || (type === SEARCH && rest['execution'] !== 'client')) return undefined
  const opened = openId(call_id)
  const call = defined({
    type: 'tool-call' as const,
    id: opened.id,
    name,
    arguments: given,
    by: 'client' as const,
    item: optionalString(id),
    seal: opened.seal,
  })
  const { execution: _client, ...others } = rest
  return keep(call, NAME, { ...(type === SEARCH ? others : rest), ...unusual(status), type })
}

/** The kind of item of a call; undefined for a function or a custom tool. A model of another protocol calls the search like any function. */
export function kindOf(call: ToolCall, { toward, asked }: Encoding): TypedCall | undefined {
  const type = keptWord(call, NAME, 'type')
  if (isKind(type)) return type
  if (type !== undefined || toward === 'upstream' || call.name !== KINDS[SEARCH].name) return undefined
  return listOf(asked?.echo?.['tools'] as readonly Json[] | undefined).some(isClientSearch) ? SEARCH : undefined
}

/** Whether a tool is a search for tools that the client runs. */
export function isClientSearch(tool: unknown): boolean {
  const { type, execution } = tool as JsonObject // a tool
  return type === 'tool_search' && execution === 'client'
}

/** The losses are those of the call. */
export function encodeTypedCall(
  call: ToolCall,
  type: TypedCall,
  call_id: string,
  losses: Losses,
  context: Encoding,
): Item {
  const { prefix, action } = KINDS[type]
  const isNew = call.item === undefined && context.toward === 'client'
  const id = isNew ? `${prefix}_${context.id()}` : call.item
  if (isNew) losses.added(['item'], id, 'each item of responses has its own id')
  if (keptWord(call, NAME, 'type') === undefined)
    reportOwn(call, 'type', type, 'responses has an item of its own for it', losses)
  const wire = defined({
    type,
    id,
    call_id,
    execution: type === SEARCH ? 'client' : undefined,
    [action]: objectArguments(call, NAME, losses),
    status: context.toward === 'client' ? 'completed' : undefined,
  })
  return restore(NAME, call, wire) as Item // of this kind
}

/** Undefined for an item of another kind, or of an unknown form. */
export function decodeTypedResult(item: object): ToolResult | undefined {
  if (!RESULTS.has((item as JsonObject)['type'])) return undefined // parsed JSON; most items are of another kind
  const { type, id, call_id, output, status, tools, ...rest } = item as JsonObject // parsed JSON
  // What the upstream has found itself answers no call of the client.
  if (type === FOUND && rest['execution'] === 'server') return undefined
  const read = typeof call_id === 'string' ? readOutput(stringOf(type), output, tools) : undefined
  if (read === undefined || typeof call_id !== 'string') return undefined
  const result = defined({
    type: 'tool-result' as const,
    callId: openId(call_id).id,
    output: read,
    failed: status === 'failed' ? (true as const) : undefined,
    by: 'client' as const,
    item: optionalString(id),
  })
  const kept = status === 'failed' ? {} : unusual(status)
  return keep(result, NAME, { ...rest, ...kept, type: stringOf(type) })
}

function readOutput(type: string, output: Json | undefined, tools: Json | undefined): ToolOutput | undefined {
  switch (type) {
    case FOUND:
      return Array.isArray(tools) ? { json: { tools: namesIn(tools as readonly Json[]) } } : undefined
    case 'shell_call_output':
      return Array.isArray(output) ? { json: { output } } : undefined
    case 'local_shell_call_output':
    case PATCHED:
      if (output === undefined || output === '') return { parts: [] }
      return typeof output === 'string' ? { parts: [{ type: 'text', text: output }] } : undefined
    case 'computer_call_output': {
      const { type: kind, ...source } = isObject(output) ? output : {}
      const image = kind === SCREENSHOT ? decodePart({ type: 'input_image', ...source }) : undefined
      return image?.type === 'media' ? { parts: [image] } : undefined
    }
    default:
      return undefined
  }
}

const PATCHED = 'apply_patch_call_output'
const RESULTS: ReadonlySet<unknown> = new Set([FOUND, ...Object.keys(KINDS).map((kind) => `${kind}_output`)])
const SCREENSHOT = 'computer_screenshot'

/** The names of tools, for models that cannot see that there are more of them now. */
function namesIn(tools: readonly Json[]): string[] {
  return tools.filter(isObject).flatMap((tool) => {
    const inside = Array.isArray(tool['tools']) ? namesIn(tool['tools'] as readonly Json[]) : []
    const name = optionalString(tool['name'])
    if (inside.length > 0) return inside.map((each) => (name === undefined ? each : `${name}__${each}`))
    return name === undefined ? [] : [name]
  })
}

/** The type of the item of a result; undefined for that of a function or a custom tool. */
export function resultTypeOf(part: ToolResult): string | undefined {
  const type = keptWord(part, NAME, 'type')
  return type === FOUND || (type !== undefined && isKind(type.replace(/_output$/, ''))) ? type : undefined
}

/** `tools`: those that it has found. */
export function encodeTypedResult(
  part: ToolResult,
  type: string,
  call_id: string,
  tools: readonly WireTool[],
  losses: Losses,
  context: Encoding,
): Item {
  const { output, failed, item: id } = part
  const status = failed !== undefined ? 'failed' : type === PATCHED ? 'completed' : undefined
  const wire =
    type === FOUND
      ? { type, id, call_id, status, tools }
      : { type, id, call_id, status, output: writeOutput(type, output, losses, context) }
  return restore(NAME, part, defined(wire)) as Item // of this kind
}

function writeOutput(type: string, output: ToolOutput, losses: Losses, context: Encoding): unknown {
  if ('json' in output) return output.json['output']
  if (type !== 'computer_call_output') return textsOf(output.parts).join('')
  const [image] = output.parts
  const wire = image && encodePart(image, losses.at('output').at('parts', 0), context)
  return { ...wire, type: SCREENSHOT }
}
