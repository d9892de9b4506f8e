import { isObject, type Json, type JsonObject } from '../../lib/json.ts'

/** What answers say about a request that said nothing: the defaults of the API. Clients that check answers need all of these. */
export const DEFAULTS: JsonObject = {
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

const COMPLETE_OF: { readonly [name: string]: (value: Json) => Json } = {
  tools: (tools) => (Array.isArray(tools) ? tools.map(completeTool) : tools),
  reasoning: (given) =>
    isObject(given) ? { ...given, effort: given['effort'] ?? null, summary: given['summary'] ?? null } : given,
  text: (text) => (isObject(text) ? { ...text, format: completeFormat(text['format'] ?? { type: 'text' }) } : text),
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
