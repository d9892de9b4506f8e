import {
  filled,
  flag,
  isFuture,
  list,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  whole,
  within,
  type Wire,
} from './refuse.ts'
import { acceptItem, acceptTool } from './responses-items.ts'

const MEMBERS =
  'model input instructions tools tool_choice parallel_tool_calls max_tool_calls text reasoning max_output_tokens temperature top_p ' +
  'top_logprobs include metadata stream stream_options store prompt_cache_key prompt_cache_options prompt_cache_retention ' +
  'safety_identifier user service_tier truncation client_metadata context_management background moderation image access_programs'

/** Throws if OpenAI would refuse this request, or if it needs a memory. */
export function acceptResponsesRequest(body: unknown): void {
  const request = object(body, 'body')
  only(request, MEMBERS, 'body')
  nonEmpty(request['model'], 'model')
  acceptInput(request['input'])
  optional(request['instructions'], (text) => string(text, 'instructions'))
  optional(request['tools'], (tools) => {
    for (const [index, tool] of list(tools, 'tools').entries()) acceptTool(tool, `tools[${index}]`)
  })
  optional(request['tool_choice'], (choice) => acceptChoice(choice, request))
  optional(request['parallel_tool_calls'], (value) => flag(value, 'parallel_tool_calls'))
  optional(request['max_output_tokens'], (value) => whole(value, 16, Infinity, 'max_output_tokens'))
  optional(request['temperature'], (value) => within(value, 0, 2, 'temperature'))
  optional(request['top_p'], (value) => within(value, 0, 1, 'top_p'))
  optional(request['top_logprobs'], (value) => whole(value, 0, 20, 'top_logprobs'))
  optional(request['text'], acceptText)
  optional(request['reasoning'], acceptReasoning)
  optional(request['safety_identifier'], (user) => {
    if (string(user, 'safety_identifier').length > 64) refuse('safety_identifier', 'is too long')
  })
  if (request['store'] !== false) refuse('store', 'nothing may be stored')
  if (!list(request['include'], 'include').includes('reasoning.encrypted_content'))
    refuse('include', 'reasoning could not be sent back')
}

/** Calls that the client answers. */
const CALLED: ReadonlySet<string> = new Set(
  ['function', 'custom_tool', 'tool_search', 'shell', 'local_shell', 'apply_patch', 'computer'].map(
    (kind) => `${kind}_call`,
  ),
)

function acceptInput(input: unknown): void {
  if (typeof input === 'string') return
  const open = new Map<string, string>()
  for (const [index, value] of filled(input, 'input').entries()) {
    const path = `input[${index}]`
    const item = acceptItem(value, path, 'request')
    const type = String(item['type'])
    const id = String(item['call_id'])
    if (CALLED.has(type)) {
      if (open.has(id)) refuse(`${path}.call_id`, 'is taken')
      open.set(id, type)
    } else if (type.endsWith('_output') && !isFuture(type)) {
      if (open.get(id) !== type.replace(/(_call)?_output$/, '_call')) refuse(path, `no tool call found for ${id}`)
    }
  }
}

function acceptChoice(choice: unknown, request: Wire): void {
  if (typeof choice === 'string') return oneOf(choice, ['none', 'auto', 'required'], 'tool_choice')
  const { type, mode } = object(choice, 'tool_choice')
  if (type === 'allowed_tools') oneOf(mode, ['auto', 'required'], 'tool_choice.mode')
  if (request['tools'] === undefined && type === 'function') refuse('tool_choice', 'there are no tools')
}

function acceptText(value: unknown): void {
  const { format } = object(value, 'text')
  if (format === undefined) return
  const { type, name } = object(format, 'text.format')
  if (isFuture(type)) return
  oneOf(type, ['text', 'json_object', 'json_schema'], 'text.format.type')
  if (type === 'json_schema' && !/^[a-zA-Z0-9_-]{1,64}$/.test(nonEmpty(name, 'text.format.name')))
    refuse('text.format.name', 'does not match')
}

function acceptReasoning(value: unknown): void {
  const { effort, summary } = object(value, 'reasoning')
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
  optional(effort, (word) => oneOf(word, efforts, 'reasoning.effort'))
  optional(summary, (word) => oneOf(word, ['auto', 'concise', 'detailed'], 'reasoning.summary'))
}
