import {
  base64,
  flag,
  isFuture,
  isWire,
  list,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  type Wire,
} from './refuse.ts'

/** Where an item stands: in a request toward an upstream, or in an answer toward a client. */
export type Side = 'request' | 'answer'

const PREFIX_OF: { readonly [type: string]: readonly string[] } = {
  message: ['msg_'],
  reasoning: ['rs_'],
  function_call: ['fc_'],
  custom_tool_call: ['ctc_'],
  function_call_output: ['fc'],
  custom_tool_call_output: ['fc', 'ctc'],
  web_search_call: ['ws_'],
  image_generation_call: ['ig_'],
  code_interpreter_call: ['ci_'],
}

/** Throws if OpenAI would refuse the item of a request, or if a client could not use the item of an answer. */
export function acceptItem(value: unknown, path: string, side: Side): Wire {
  const given = object(value, path)
  const item = side === 'request' ? withoutNulls(given) : given
  const type = string(item['type'] ?? 'message', `${path}.type`)
  if (isFuture(type)) return item
  const known = READERS[type]
  if (known === undefined) refuse(`${path}.type`, `unknown item ${type}`)
  acceptId(item, type, path, side)
  known(item, path, side)
  return item
}

/** OpenAI reads null as absent in nearly every member: codex returns reasoning with `content: null`. */
export function withoutNulls(wire: Wire): Wire {
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null))
}

function acceptId(item: Wire, type: string, path: string, side: Side): void {
  if (side === 'answer' && item['id'] === undefined) refuse(`${path}.id`, 'items of answers have an id')
  if (side === 'answer') return
  optional(item['id'], (id) => {
    const prefixes = PREFIX_OF[type]
    if (prefixes !== undefined && !prefixes.some((prefix) => string(id, `${path}.id`).startsWith(prefix)))
      refuse(`${path}.id`, `expected an ID that begins with '${prefixes[0] ?? ''}'`)
  })
}

type Reader = (item: Wire, path: string, side: Side) => void

const READERS: { readonly [type: string]: Reader } = {
  message(item, path, side) {
    only(item, 'type id role content status phase', path)
    const { role, content } = item
    oneOf(role, side === 'answer' ? ['assistant'] : ['user', 'assistant', 'system', 'developer'], `${path}.role`)
    if (side === 'answer') oneOf(item['status'], ['completed', 'incomplete', 'in_progress'], `${path}.status`)
    if (typeof content === 'string') return
    for (const [index, part] of list(content, `${path}.content`).entries())
      acceptPart(part, role === 'assistant', `${path}.content[${index}]`, side)
  },
  reasoning(item, path, side) {
    only(item, 'type id summary content encrypted_content status', path)
    for (const [index, part] of list(item['summary'], `${path}.summary`).entries())
      acceptText(part, 'summary_text', `${path}.summary[${index}]`)
    optional(item['content'], (content) => {
      for (const [index, part] of list(content, `${path}.content`).entries())
        acceptText(part, 'reasoning_text', `${path}.content[${index}]`)
    })
    optional(item['encrypted_content'], (seal) => {
      const text = nonEmpty(seal, `${path}.encrypted_content`)
      if (side === 'request' && text.startsWith('dg1')) refuse(`${path}.encrypted_content`, 'could not be verified')
    })
    if (side === 'request' && item['encrypted_content'] === undefined)
      refuse(path, 'reasoning without encrypted content is not found')
  },
  function_call(item, path, side) {
    only(item, 'type id call_id name namespace arguments status caller async', path)
    acceptCall(item, path, side)
    string(item['arguments'], `${path}.arguments`)
  },
  custom_tool_call(item, path, side) {
    only(item, 'type id call_id name namespace input status caller async', path)
    acceptCall(item, path, side)
    string(item['input'], `${path}.input`)
  },
  function_call_output: acceptOutput,
  custom_tool_call_output: acceptOutput,
  web_search_call(item, path) {
    only(item, 'type id status action', path)
    nonEmpty(item['id'], `${path}.id`)
    oneOf(item['status'], ['in_progress', 'searching', 'completed', 'failed', 'incomplete'], `${path}.status`)
    oneOf(
      object(item['action'], `${path}.action`)['type'],
      ['search', 'open_page', 'find_in_page'],
      `${path}.action.type`,
    )
  },
  code_interpreter_call(item, path) {
    only(item, 'type id status container_id code outputs', path)
    nonEmpty(item['id'], `${path}.id`)
    oneOf(item['status'], ['in_progress', 'completed', 'incomplete', 'interpreting', 'failed'], `${path}.status`)
    string(item['container_id'], `${path}.container_id`)
    string(item['code'], `${path}.code`)
    if (item['outputs'] === null) return
    for (const [index, value] of list(item['outputs'], `${path}.outputs`).entries()) {
      const output = object(value, `${path}.outputs[${index}]`)
      oneOf(output['type'], ['logs', 'image'], `${path}.outputs[${index}].type`)
      string(output[output['type'] === 'logs' ? 'logs' : 'url'], `${path}.outputs[${index}]`)
    }
  },
  image_generation_call(item, path) {
    base64(item['result'], `${path}.result`)
  },
  tool_search_call(item, path, side) {
    only(item, 'type id call_id execution arguments status', path)
    oneOf(item['execution'], ['client', 'server'], `${path}.execution`)
    acceptTyped(item, 'arguments', path, side)
  },
  shell_call(item, path, side) {
    only(item, 'type id call_id action status environment caller', path)
    list(acceptTyped(item, 'action', path, side)['commands'], `${path}.action.commands`)
  },
  local_shell_call: (item, path, side) => void acceptTyped(item, 'action', path, side),
  apply_patch_call: (item, path, side) => void acceptTyped(item, 'operation', path, side),
  computer_call: (item, path, side) => void acceptTyped(item, 'action', path, side),
  tool_search_output(item, path) {
    only(item, 'type id call_id execution status tools', path)
    oneOf(item['execution'], ['client'], `${path}.execution`)
    for (const [index, tool] of list(item['tools'], `${path}.tools`).entries())
      acceptTool(tool, `${path}.tools[${index}]`)
  },
  shell_call_output: (item, path) => void list(item['output'], `${path}.output`),
  local_shell_call_output: (item, path) => void string(item['output'], `${path}.output`),
  apply_patch_call_output(item, path) {
    only(item, 'type id call_id status output caller', path)
    oneOf(item['status'], ['completed', 'failed'], `${path}.status`)
    optional(item['output'], (output) => string(output, `${path}.output`))
  },
  computer_call_output(item, path) {
    const output = object(item['output'], `${path}.output`)
    oneOf(output['type'], ['computer_screenshot'], `${path}.output.type`)
    acceptSource(output, ['image_url', 'file_id'], `${path}.output`)
  },
  additional_tools(item, path) {
    only(item, 'type id role tools', path)
    oneOf(item['role'], ['developer'], `${path}.role`)
    for (const [index, tool] of list(item['tools'], `${path}.tools`).entries())
      acceptTool(tool, `${path}.tools[${index}]`)
  },
}

function acceptCall(item: Wire, path: string, side: Side): void {
  const id = nonEmpty(item['call_id'], `${path}.call_id`)
  if (side === 'request' && id.length > 64) refuse(`${path}.call_id`, 'string too long. Expected 64 at most')
  acceptName(item['name'], `${path}.name`, side)
  optional(item['namespace'], (name) => acceptName(name, `${path}.namespace`, side))
  if (side === 'answer') oneOf(item['status'], ['completed', 'incomplete', 'in_progress'], `${path}.status`)
}

/** A call with an action instead of a name and arguments. */
function acceptTyped(item: Wire, member: string, path: string, side: Side): Wire {
  const id = nonEmpty(item['call_id'], `${path}.call_id`)
  if (side === 'request' && id.length > 64) refuse(`${path}.call_id`, 'string too long. Expected 64 at most')
  if (side === 'answer') oneOf(item['status'], ['completed', 'incomplete', 'in_progress'], `${path}.status`)
  return object(item[member], `${path}.${member}`)
}

function acceptName(value: unknown, path: string, side: Side): void {
  const name = nonEmpty(value, path)
  if (side === 'request' && !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) refuse(path, "does not match '^[a-zA-Z0-9_-]+$'")
}

function acceptOutput(item: Wire, path: string): void {
  only(item, 'type id call_id output status caller name namespace', path)
  const id = nonEmpty(item['call_id'], `${path}.call_id`)
  if (id.length > 64) refuse(`${path}.call_id`, 'string too long. Expected 64 at most')
  const { output } = item
  if (typeof output === 'string') return
  for (const [index, part] of list(output, `${path}.output`).entries())
    acceptPart(part, false, `${path}.output[${index}]`, 'request')
}

function acceptText(value: unknown, type: string, path: string): void {
  const part = object(value, path)
  oneOf(part['type'], [type], `${path}.type`)
  string(part['text'], `${path}.text`)
}

function acceptPart(value: unknown, isAssistant: boolean, path: string, side: Side): void {
  const part = object(value, path)
  const { type } = part
  if (isFuture(type)) return
  const own = isAssistant ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file', 'input_audio']
  oneOf(type, own, `${path}.type`)
  switch (type) {
    case 'output_text':
      only(part, 'type text annotations logprobs', path)
      nonEmpty(part['text'], `${path}.text`)
      if (side === 'answer') list(part['annotations'], `${path}.annotations`)
      optional(part['annotations'], (annotations) => {
        for (const [index, each] of list(annotations, path).entries())
          acceptAnnotation(each, `${path}.annotations[${index}]`)
      })
      return
    case 'refusal':
      return void nonEmpty(part['refusal'], `${path}.refusal`)
    case 'input_text':
      only(part, 'type text prompt_cache_breakpoint', path)
      return void nonEmpty(part['text'], `${path}.text`)
    case 'input_image':
      only(part, 'type image_url file_id detail prompt_cache_breakpoint', path)
      return acceptSource(part, ['image_url', 'file_id'], path)
    case 'input_file':
      only(part, 'type file_data file_url file_id filename detail prompt_cache_breakpoint', path)
      if (part['file_data'] !== undefined) nonEmpty(part['filename'], `${path}.filename`)
      return acceptSource(part, ['file_data', 'file_url', 'file_id'], path)
    default:
      only(part, 'type input_audio', path)
      return base64(object(part['input_audio'], path)['data'], `${path}.input_audio.data`)
  }
}

function acceptSource(part: Wire, members: readonly string[], path: string): void {
  const given = members.filter((member) => part[member] !== undefined)
  if (given.length !== 1) refuse(path, `needs one of ${members.join(', ')}`)
  const value = nonEmpty(part[given[0] ?? ''], `${path}.${given[0] ?? ''}`)
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(value) ?? []
  if (data !== undefined) base64(data, `${path}.${given[0] ?? ''}`)
}

function acceptAnnotation(value: unknown, path: string): void {
  const annotation = object(value, path)
  if (annotation['type'] !== 'url_citation') return
  nonEmpty(annotation['url'], `${path}.url`)
  string(annotation['title'], `${path}.title`)
  for (const member of ['start_index', 'end_index'])
    if (typeof annotation[member] !== 'number') refuse(`${path}.${member}`, 'must be a number')
}

/** Throws if OpenAI would refuse the tool. */
export function acceptTool(value: unknown, path: string): void {
  const tool = object(value, path)
  const { type } = tool
  switch (type) {
    case 'function':
      only(tool, 'type name description parameters strict defer_loading output_schema allowed_callers async', path)
      acceptName(tool['name'], `${path}.name`, 'request')
      optional(tool['strict'], (strict) => strict !== null && flag(strict, `${path}.strict`))
      return optional(tool['parameters'], (schema) => schema !== null && object(schema, `${path}.parameters`))
    case 'custom':
      only(tool, 'type name description format defer_loading allowed_callers async', path)
      return acceptName(tool['name'], `${path}.name`, 'request')
    case 'namespace':
      only(tool, 'type name description tools', path)
      acceptName(tool['name'], `${path}.name`, 'request')
      for (const [index, inner] of list(tool['tools'], `${path}.tools`).entries())
        acceptTool(inner, `${path}.tools[${index}]`)
      return
    default:
      nonEmpty(type, `${path}.type`)
      if (isWire(tool['custom']) || isWire(tool['function'])) refuse(path, 'tools are flat here')
  }
}
