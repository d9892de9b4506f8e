import { withoutMember } from '../../ir/extras.ts'
import { isObject, merge, type Json, type JsonObject } from '../../lib/json.ts'

/** What answers repeat of a request that left everything out: the defaults of the API. Clients that check answers need all of these. */
const DEFAULTS: JsonObject = {
  background: false,
  completed_at: null,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'auto',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
}

/** Members of answers that repeat the request, and the time of their end. */
export const ECHO: readonly string[] = [
  ...Object.keys(DEFAULTS),
  'conversation',
  'prompt',
  'prompt_cache_options',
  'prompt_cache_retention',
  'user',
]

/** What an answer repeats of its request, with the members that answers have and requests may leave out. */
export function echoOf(body: JsonObject): JsonObject {
  const echo: { [member: string]: Json } = {}
  for (const name of ECHOED) if (body[name] != null) echo[name] = COMPLETE_OF[name]?.(body[name]) ?? body[name]
  return echo
}

/** Extras of a response have here what its upstream repeats: no member of the wire has this name. */
const REPEATED = '#repeated'

/** What an upstream repeats of its request, as extras. Its tier is read. */
export function keepEcho(wire: JsonObject): JsonObject | undefined {
  const names = ECHO.filter((name) => name !== 'service_tier' && wire[name] !== undefined)
  return names.length === 0
    ? undefined
    : { [REPEATED]: Object.fromEntries(names.map((name) => [name, wire[name] ?? null])) }
}

/**
 * What a response repeats: the request as its client has sent it, and for the rest as the upstream says, which got a translation of it.
 * Two members are objects of independent settings. The time of its end is in the extras too.
 */
export function encodeEcho(extras: JsonObject = {}, asked: JsonObject = {}): JsonObject {
  const given = membersOf(extras[REPEATED])
  const settings = (name: string) => ({
    ...membersOf(DEFAULTS[name]),
    ...membersOf(given[name]),
    ...membersOf(asked[name]),
  })
  const echo = { ...DEFAULTS, ...given, ...asked, reasoning: settings('reasoning'), text: settings('text') }
  return { ...echo, completed_at: extras['completed_at'] ?? null }
}

function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Writes the extras of a response back, without what `encodeEcho` writes. */
export function restoreAround<const T extends object>(wire: T, extras: JsonObject | undefined): T {
  return merge(wire, withoutMember(extras, REPEATED))
}

const COMPLETE_OF: { readonly [name: string]: (value: Json) => Json } = {
  tools: (tools) => (Array.isArray(tools) ? tools.map(completeTool) : tools),
  text: (text) =>
    isObject(text) && text['format'] != null ? { ...text, format: completeFormat(text['format']) } : text,
}

function completeTool(tool: Json): Json {
  if (!isObject(tool) || tool['type'] !== 'function') return tool
  const { description, parameters, strict } = tool
  if (description !== undefined && parameters !== undefined && strict !== undefined) return tool
  return { ...tool, description: description ?? null, parameters: parameters ?? null, strict: strict ?? null }
}

function completeFormat(format: Json): Json {
  if (!isObject(format) || format['type'] !== 'json_schema') return format
  return { ...format, description: format['description'] ?? null, strict: format['strict'] ?? false }
}

/** Nothing is stored, and the tier and the time are those of the answer. */
const NOT_ECHOED = ['store', 'previous_response_id', 'conversation', 'service_tier', 'completed_at']
const ECHOED = ECHO.filter((name) => !NOT_ECHOED.includes(name))
