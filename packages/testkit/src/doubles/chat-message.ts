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
  said,
  string,
  type Wire,
} from './refuse.ts'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
/** `parsed` and `parsed_arguments` are of the official client's making: it sends back what its helpers add. */
const MESSAGE_MEMBERS_OF: { readonly [role: string]: string } = {
  system: 'role content name',
  developer: 'role content name',
  user: 'role content name',
  assistant:
    'role content name refusal audio tool_calls function_call reasoning reasoning_content reasoning_details annotations parsed',
  tool: 'role content tool_call_id name',
  function: 'role content name',
}
const PARTS_OF: { readonly [role: string]: readonly string[] } = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
}

/** One message of a conversation, on its own: its members, its content, its calls. */
export function acceptChatMessage(message: Wire, path: string, rules: SealRules): void {
  const role = string(message['role'], `${path}.role`)
  const members = Object.hasOwn(MESSAGE_MEMBERS_OF, role) ? MESSAGE_MEMBERS_OF[role] : undefined
  if (members === undefined) refuse(`${path}.role`, `unknown role ${role}`)
  only(message, members, path)
  optional(message['name'], (name) => matching(name, /^[^\s<|\\/>]+$/, `${path}.name`))
  if (role === 'assistant') return acceptAssistant(message, path, rules)
  if (role === 'tool') said(message['tool_call_id'], `${path}.tool_call_id`)
  if (role === 'function') said(message['name'], `${path}.name`)
  acceptContent(message['content'], role, `${path}.content`)
}

export function acceptToolName(value: unknown, path: string): string {
  return matching(value, TOOL_NAME, path)
}

/** The calls of an assistant message: function calls with JSON text, custom calls with free text. */
export function acceptCalls(value: unknown, path: string): readonly string[] {
  return filled(value, path).map((item, index) => {
    const place = `${path}.${index}`
    const call = object(item, place)
    const id = said(call['id'], `${place}.id`)
    if (call['type'] === 'custom') {
      only(call, 'id type custom extra_content', place)
      const custom = object(call['custom'], `${place}.custom`)
      only(custom, 'name input', `${place}.custom`)
      acceptToolName(custom['name'], `${place}.custom.name`)
      string(custom['input'], `${place}.custom.input`)
      return id
    }
    oneOf(call['type'], ['function'], `${place}.type`)
    only(call, 'id type function extra_content', place)
    const called = object(call['function'], `${place}.function`)
    only(called, 'name arguments parsed_arguments', `${place}.function`)
    acceptToolName(called['name'], `${place}.function.name`)
    string(called['arguments'], `${place}.function.arguments`)
    return id
  })
}

/** Reasoning that some upstreams take back: one entry per block, each whole, sealed by themselves or not at all. */
export function acceptReasoningDetails(value: unknown, path: string, rules: SealRules): void {
  for (const [index, item] of list(value, path).entries()) {
    const place = `${path}.${index}`
    const detail = object(item, place)
    const type = string(detail['type'], `${place}.type`)
    if (isFuture(type)) continue
    only(detail, 'type id format index text signature summary data', place)
    oneOf(type, ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'], `${place}.type`)
    if (type === 'reasoning.encrypted' && !rules.issued(said(detail['data'], `${place}.data`)))
      refuse(`${place}.data`, 'is not one of ours')
    if (detail['signature'] === undefined || detail['signature'] === null) continue
    const signature = said(detail['signature'], `${place}.signature`)
    if (!rules.signed(signature, textOf(detail))) refuse(`${place}.signature`, 'is not one of ours')
  }
}

function textOf(detail: Wire): string {
  const text = detail['text'] ?? detail['summary']
  return typeof text === 'string' ? text : ''
}

function acceptAssistant(message: Wire, path: string, rules: SealRules): void {
  const calls = message['tool_calls'] !== undefined || message['function_call'] !== undefined
  const silent = message['content'] === undefined || message['content'] === null
  if (silent && !calls && typeof message['refusal'] !== 'string' && message['audio'] === undefined) {
    refuse(`${path}.content`, 'required unless tool_calls or function_call is given')
  }
  if (!silent) acceptContent(message['content'], 'assistant', `${path}.content`)
  optional(message['refusal'], (refusal) => refusal === null || string(refusal, `${path}.refusal`))
  optional(message['tool_calls'], (value) => acceptCalls(value, `${path}.tool_calls`))
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
    const place = `${path}.${index}`
    const part = object(item, place)
    const type = string(part['type'], `${place}.type`)
    if (isFuture(type)) continue
    oneOf(type, PARTS_OF[role] ?? ['text'], `${place}.type`)
    only(part, `type cache_control ${type}`, place)
    optional(part['cache_control'], (mark) =>
      oneOf(object(mark, place)['type'], ['ephemeral'], `${place}.cache_control.type`),
    )
    CHECK_OF[type]?.(part[type], `${place}.${type}`)
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
    optional(file['file_id'], (id) => said(id, `${path}.file_id`))
    optional(file['file_data'], (data) => acceptDataUrl(data, `${path}.file_data`))
    optional(file['filename'], (name) => string(name, `${path}.filename`))
  },
}

function acceptDataUrl(value: unknown, path: string): void {
  const [head = '', data] = said(value, path).split(';base64,')
  if (head.startsWith('data:')) base64(data, path)
}
