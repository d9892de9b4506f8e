import { acceptChatMessage, acceptToolName } from './chat-message.ts'
import {
  filled,
  flag,
  isFuture,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  whole,
  within,
  type Wire,
} from './refuse.ts'
import { ANY_SEAL, type SealRules } from './seal-rules.ts'

const MEMBERS =
  'model messages max_completion_tokens max_tokens temperature top_p n frequency_penalty presence_penalty stop logit_bias ' +
  'logprobs top_logprobs tools tool_choice parallel_tool_calls reasoning_effort verbosity web_search_options metadata stream ' +
  'stream_options response_format reasoning usage audio modalities functions function_call prompt_cache_key ' +
  'prompt_cache_retention prompt_cache_options moderation safety_identifier store service_tier prediction seed user'

/** Throws if a chat upstream would refuse the request. Without rules, every seal counts as its own. */
export function acceptChatRequest(body: unknown, rules: SealRules = ANY_SEAL): void {
  const request = object(body, 'body')
  only(request, MEMBERS, 'body')
  nonEmpty(request['model'], 'model')
  acceptSettings(request)
  acceptTools(request)
  optional(request['response_format'], (format) => acceptResponseFormat(object(format, 'response_format')))
  const messages = filled(request['messages'], 'messages').map((item, index) => object(item, `messages.${index}`))
  for (const [index, message] of messages.entries()) acceptChatMessage(message, `messages.${index}`, rules)
  acceptPairs(messages)
}

function acceptSettings(request: Wire): void {
  const numbers: { readonly [member: string]: readonly [number, number] } = {
    temperature: [0, 2],
    top_p: [0, 1],
    frequency_penalty: [-2, 2],
    presence_penalty: [-2, 2],
  }
  for (const [member, [least, most]] of Object.entries(numbers)) {
    optional(request[member], (value) => value === null || within(value, least, most, member))
  }
  for (const member of ['max_completion_tokens', 'max_tokens']) {
    optional(request[member], (value) => value === null || whole(value, 1, Infinity, member))
  }
  optional(request['n'], (value) => value === null || whole(value, 1, 128, 'n'))
  optional(request['stop'], (stop) => acceptStop(stop))
  optional(request['logprobs'], (value) => value === null || flag(value, 'logprobs'))
  optional(request['top_logprobs'], (value) => {
    whole(value, 0, 20, 'top_logprobs')
    if (request['logprobs'] !== true) refuse('top_logprobs', 'needs logprobs')
  })
  optional(request['logit_bias'], (value) => {
    for (const bias of Object.values(object(value, 'logit_bias'))) within(bias, -100, 100, 'logit_bias')
  })
  optional(request['verbosity'], (value) => oneOf(value, ['low', 'medium', 'high'], 'verbosity'))
  optional(request['metadata'], (value) => acceptMetadata(object(value, 'metadata')))
  optional(request['stream_options'], (value) => {
    if (request['stream'] !== true) refuse('stream_options', 'only allowed when stream is enabled')
    only(object(value, 'stream_options'), 'include_usage include_obfuscation', 'stream_options')
  })
  optional(request['reasoning'], (value) =>
    only(object(value, 'reasoning'), 'enabled effort max_tokens exclude', 'reasoning'),
  )
  optional(request['reasoning_effort'], (value) => value === null || nonEmpty(value, 'reasoning_effort'))
}

function acceptStop(stop: unknown): void {
  if (stop === null || typeof stop === 'string') return
  const stops = filled(stop, 'stop')
  if (stops.length > 4) refuse('stop', 'at most 4 sequences')
  for (const [index, one] of stops.entries()) nonEmpty(one, `stop.${index}`)
}

function acceptMetadata(metadata: Wire): void {
  const entries = Object.entries(metadata)
  if (entries.length > 16) refuse('metadata', 'at most 16 pairs')
  for (const [key, value] of entries) string(value, `metadata.${key}`)
}

function acceptTools(request: Wire): void {
  const names = request['tools'] === undefined ? [] : filled(request['tools'], 'tools').map(acceptTool)
  if (request['parallel_tool_calls'] !== undefined && names.length === 0)
    refuse('parallel_tool_calls', 'only allowed when tools are specified')
  optional(request['tool_choice'], (choice) => {
    if (names.length === 0) refuse('tool_choice', 'only allowed when tools are specified')
    acceptToolChoice(choice, names)
  })
}

function acceptTool(item: unknown, index: number): string {
  const path = `tools.${index}`
  const tool = object(item, path)
  if (isFuture(tool['type'])) return ''
  if (tool['type'] === 'custom') {
    only(tool, 'type custom', path)
    const custom = object(tool['custom'], `${path}.custom`)
    only(custom, 'name description format', `${path}.custom`)
    return acceptToolName(custom['name'], `${path}.custom.name`)
  }
  oneOf(tool['type'], ['function'], `${path}.type`)
  only(tool, 'type function cache_control', path)
  const declared = object(tool['function'], `${path}.function`)
  only(declared, 'name description parameters strict', `${path}.function`)
  optional(declared['description'], (text) => string(text, `${path}.function.description`))
  optional(declared['parameters'], (schema) => object(schema, `${path}.function.parameters`))
  optional(declared['strict'], (strict) => strict === null || flag(strict, `${path}.function.strict`))
  return acceptToolName(declared['name'], `${path}.function.name`)
}

function acceptToolChoice(value: unknown, names: readonly string[]): void {
  if (typeof value === 'string') return oneOf(value, ['none', 'auto', 'required'], 'tool_choice')
  const choice = object(value, 'tool_choice')
  oneOf(choice['type'], ['function', 'custom', 'allowed_tools'], 'tool_choice.type')
  const type = string(choice['type'], 'tool_choice.type')
  only(choice, `type ${type}`, 'tool_choice')
  const inner = object(choice[type], `tool_choice.${type}`)
  if (type === 'allowed_tools') {
    only(inner, 'mode tools', 'tool_choice.allowed_tools')
    oneOf(inner['mode'], ['auto', 'required'], 'tool_choice.allowed_tools.mode')
    filled(inner['tools'], 'tool_choice.allowed_tools.tools')
    return
  }
  only(inner, 'name', `tool_choice.${type}`)
  oneOf(inner['name'], names, `tool_choice.${type}.name`)
}

function acceptResponseFormat(format: Wire): void {
  oneOf(format['type'], ['text', 'json_object', 'json_schema'], 'response_format.type')
  if (format['type'] !== 'json_schema') return only(format, 'type', 'response_format')
  only(format, 'type json_schema', 'response_format')
  const schema = object(format['json_schema'], 'response_format.json_schema')
  only(schema, 'name description schema strict', 'response_format.json_schema')
  matching(schema['name'], /^[a-zA-Z0-9_-]{1,64}$/, 'response_format.json_schema.name')
  optional(schema['schema'], (value) => object(value, 'response_format.json_schema.schema'))
}

/** Tool messages answer every call before the conversation continues, and answer only calls that were made. */
function acceptPairs(messages: readonly Wire[]): void {
  let open: string[] = []
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`
    if (message['role'] === 'tool') {
      const id = String(message['tool_call_id'])
      if (!open.includes(id))
        refuse(path, `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`)
      open = open.filter((waiting) => waiting !== id)
      continue
    }
    if (open.length > 0) refuse(path, `tool_call_ids did not have response messages: ${open.join(', ')}`)
    const calls = list(message['tool_calls'] ?? [], path)
    open = calls.map((call) => String(object(call, path)['id']))
    if (new Set(open).size !== open.length) refuse(path, 'tool call ids must be unique')
  }
  if (open.length > 0) refuse('messages', `tool_call_ids did not have response messages: ${open.join(', ')}`)
}
