import type { SealRules } from './seal-rules.ts'
import {
  base64,
  filled,
  isFuture,
  isWire,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  type Wire,
} from './refuse.ts'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** The official client adds `parsed` and `parsed_arguments` to messages and sends them back. */
const MESSAGE_MEMBERS_OF: { readonly [role: string]: string } = {
  system: 'role content name',
  developer: 'role content name',
  user: 'role content name',
  assistant:
    'role content name refusal audio tool_calls function_call reasoning reasoning_content reasoning_details annotations parsed',
  tool: 'role content tool_call_id name cache_control',
  function: 'role content name',
}
const PARTS_OF: { readonly [role: string]: readonly string[] } = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
}

/** Checks one message alone: its members, its content, its calls. */
export function acceptChatMessage(message: Wire, path: string, rules: SealRules): void {
  const role = string(message['role'], `${path}.role`)
  const members = Object.hasOwn(MESSAGE_MEMBERS_OF, role) ? MESSAGE_MEMBERS_OF[role] : undefined
  if (members === undefined) refuse(`${path}.role`, `unknown role ${role}`)
  only(message, members, path)
  optional(message['name'], (name) => matching(name, /^[^\s<|\\/>]+$/, `${path}.name`))
  if (role === 'assistant') return acceptAssistant(message, path, rules)
  if (role === 'tool') nonEmpty(message['tool_call_id'], `${path}.tool_call_id`)
  if (role === 'function') nonEmpty(message['name'], `${path}.name`)
  acceptContent(message['content'], role, `${path}.content`)
}

export function acceptToolName(value: unknown, path: string): string {
  return matching(value, TOOL_NAME, path)
}

/** The calls of an assistant message: function calls with JSON text, custom calls with free text. */
export function acceptCalls(value: unknown, path: string): readonly string[] {
  return filled(value, path).map((item, index) => {
    const itemPath = `${path}.${index}`
    const call = object(item, itemPath)
    const id = nonEmpty(call['id'], `${itemPath}.id`)
    if (call['type'] === 'custom') {
      only(call, 'id type custom extra_content cache_control', itemPath)
      const custom = object(call['custom'], `${itemPath}.custom`)
      only(custom, 'name input', `${itemPath}.custom`)
      acceptToolName(custom['name'], `${itemPath}.custom.name`)
      string(custom['input'], `${itemPath}.custom.input`)
      return id
    }
    oneOf(call['type'], ['function'], `${itemPath}.type`)
    // The stream helper of the official Python client sends back the index, and `parsed_arguments`. OpenAI refused an index for some days of
    // April 2024 ("Unknown parameter", RageAgainstThePixel/OpenAI-DotNet#278) and takes it again: it is relayed, and left out of translations.
    only(call, 'id type function extra_content cache_control index', itemPath)
    const called = object(call['function'], `${itemPath}.function`)
    only(called, 'name arguments parsed_arguments', `${itemPath}.function`)
    acceptToolName(called['name'], `${itemPath}.function.name`)
    string(called['arguments'], `${itemPath}.function.arguments`)
    return id
  })
}

/** Reasoning that some upstreams accept back: one complete entry per block, with their own seal or without one. */
export function acceptReasoningDetails(value: unknown, path: string, rules: SealRules): void {
  for (const [index, item] of list(value, path).entries()) {
    const itemPath = `${path}.${index}`
    const detail = object(item, itemPath)
    const type = string(detail['type'], `${itemPath}.type`)
    if (isFuture(type)) continue
    only(detail, 'type id format index text signature summary data', itemPath)
    oneOf(type, ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'], `${itemPath}.type`)
    if (type === 'reasoning.encrypted' && !rules.issued(nonEmpty(detail['data'], `${itemPath}.data`)))
      refuse(`${itemPath}.data`, 'was not issued here')
    if (detail['signature'] === undefined || detail['signature'] === null) continue
    const signature = nonEmpty(detail['signature'], `${itemPath}.signature`)
    if (!rules.signed(signature, textOf(detail))) refuse(`${itemPath}.signature`, 'was not issued here')
  }
}

function textOf(detail: Wire): string {
  const text = detail['text'] ?? detail['summary']
  return typeof text === 'string' ? text : ''
}

function acceptAssistant(message: Wire, path: string, rules: SealRules): void {
  // The stream helper of the official Python client sends null for members that an answer does not have, `tool_calls` among them. Its users are
  // told to append such a message as it is, so OpenAI takes nulls. An empty list of calls it refuses.
  const calls = message['tool_calls'] != null || message['function_call'] !== undefined
  const silent = message['content'] === undefined || message['content'] === null
  if (silent && !calls && typeof message['refusal'] !== 'string' && message['audio'] === undefined) {
    refuse(`${path}.content`, 'required unless tool_calls or function_call is given')
  }
  if (!silent) acceptContent(message['content'], 'assistant', `${path}.content`)
  optional(message['refusal'], (refusal) => refusal === null || string(refusal, `${path}.refusal`))
  if (message['tool_calls'] != null) acceptCalls(message['tool_calls'], `${path}.tool_calls`)
  optional(message['reasoning'], (text) => text === null || string(text, `${path}.reasoning`))
  optional(message['reasoning_content'], (text) => text === null || string(text, `${path}.reasoning_content`))
  optional(
    message['reasoning_details'],
    (details) => details === null || acceptReasoningDetails(details, `${path}.reasoning_details`, rules),
  )
}

function acceptContent(content: unknown, role: string, path: string): void {
  if (typeof content === 'string') return
  for (const [index, item] of filled(content, path).entries()) {
    const itemPath = `${path}.${index}`
    const part = object(item, itemPath)
    const type = string(part['type'], `${itemPath}.type`)
    if (isFuture(type)) continue
    oneOf(type, PARTS_OF[role] ?? ['text'], `${itemPath}.type`)
    only(part, `type cache_control ${type}`, itemPath)
    optional(part['cache_control'], (mark) =>
      oneOf(object(mark, itemPath)['type'], ['ephemeral'], `${itemPath}.cache_control.type`),
    )
    CHECK_OF[type]?.(part[type], `${itemPath}.${type}`)
  }
}

const CHECK_OF: { readonly [type: string]: (value: unknown, path: string) => void } = {
  text: string,
  refusal: string,
  image_url(value, path) {
    const image = object(value, path)
    only(image, 'url detail', path)
    matching(image['url'], /^(https?:\/\/|data:image\/[a-z+]+;base64,)/, `${path}.url`)
    acceptDataUrl(image['url'], `${path}.url`)
    optional(image['detail'], (detail) => oneOf(detail, ['low', 'high', 'auto'], `${path}.detail`))
  },
  input_audio(value, path) {
    const audio = object(value, path)
    only(audio, 'data format', path)
    base64(audio['data'], `${path}.data`)
    oneOf(audio['format'], ['wav', 'mp3'], `${path}.format`)
  },
  file(value, path) {
    const file = object(value, path)
    only(file, 'file_id file_data filename', path)
    if (!isWire(value) || (file['file_id'] === undefined && file['file_data'] === undefined))
      refuse(path, 'needs file_id or file_data')
    optional(file['file_id'], (id) => nonEmpty(id, `${path}.file_id`))
    optional(file['file_data'], (data) => acceptDataUrl(data, `${path}.file_data`))
    optional(file['filename'], (name) => string(name, `${path}.filename`))
  },
}

function acceptDataUrl(value: unknown, path: string): void {
  const [head = '', data] = nonEmpty(value, path).split(';base64,')
  if (head.startsWith('data:')) base64(data, path)
}
