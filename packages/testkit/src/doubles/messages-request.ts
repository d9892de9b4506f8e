import { betaMembers } from './messages-betas.ts'
import { acceptBlock, acceptCacheControl, acceptToolName } from './messages-blocks.ts'
import {
  filled,
  flag,
  isFuture,
  isWire,
  list,
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
  'model max_tokens messages system stop_sequences stream temperature top_k top_p thinking tool_choice tools output_config metadata service_tier'
const BUILTIN = /^(bash|text_editor|web_search|code_execution|computer|web_fetch|memory)_[0-9]{8}$/
/** A set of tools has no name of its own. */
const TOOLSET = /^(browser|computer)_toolset_[0-9]{8}$/

/** Rules that depend on the model. */
export interface MessagesRules extends SealRules {
  /** The model accepts instructions in the middle of a conversation. */
  readonly systemTurns?: boolean
  /** The beta flags of the call. */
  readonly betas?: readonly string[]
}

/** Throws if a messages upstream would refuse the request. Without rules, every signature counts as its own and everything is supported. */
export function acceptMessagesRequest(body: unknown, rules: MessagesRules = { ...ANY_SEAL, systemTurns: true }): void {
  const request = object(body, 'body')
  only(request, `${MEMBERS}${betaMembers('request', rules.betas)}`, 'body')
  nonEmpty(request['model'], 'model')
  const maxTokens = whole(request['max_tokens'], 1, Infinity, 'max_tokens')
  acceptSettings(request)
  acceptSystem(request['system'], rules)
  const names = acceptTools(request['tools'], rules)
  acceptThinking(request, maxTokens)
  acceptToolChoice(request, names)
  acceptMessages(request['messages'], rules)
  if (thinks(request) && isLoopUnsigned(request['messages']))
    refuse('messages', 'Expected `thinking` or `redacted_thinking`, but found `tool_use`')
  if (marksIn(request) > 4) refuse('body', 'A maximum of 4 blocks with cache_control may be provided')
}

function thinks(request: Wire): boolean {
  return isWire(request['thinking']) && request['thinking']['type'] === 'enabled'
}

/** Whether the last turn answers calls of a turn without thinking. With thinking enabled, an upstream refuses this. */
export function isLoopUnsigned(messages: unknown): boolean {
  const turns = Array.isArray(messages) ? (messages as readonly unknown[]).filter(isWire) : []
  const last = turns.findLast((turn) => turn['role'] !== 'system')
  const asked = turns.findLast((turn) => turn['role'] === 'assistant')
  if (last === undefined || asked === undefined || !holds(last, 'tool_result') || !holds(asked, 'tool_use'))
    return false
  if (blocksOf(asked).some(({ type }) => isFuture(type))) return false // it may be thinking of a new kind
  return !holds(asked, 'thinking') && !holds(asked, 'redacted_thinking')
}

function holds(turn: Wire, type: string): boolean {
  return blocksOf(turn).some((block) => block['type'] === type)
}

function blocksOf({ content }: Wire): readonly Wire[] {
  return Array.isArray(content) ? (content as readonly unknown[]).filter(isWire) : []
}

function acceptSettings(request: Wire): void {
  optional(request['temperature'], (value) => within(value, 0, 1, 'temperature'))
  optional(request['top_p'], (value) => within(value, 0, 1, 'top_p'))
  optional(request['top_k'], (value) => whole(value, 0, Infinity, 'top_k'))
  optional(request['stream'], (value) => flag(value, 'stream'))
  optional(request['stop_sequences'], (value) => {
    for (const [index, stop] of list(value, 'stop_sequences').entries()) {
      if (string(stop, `stop_sequences.${index}`).trim() === '')
        refuse(`stop_sequences.${index}`, 'must contain non-whitespace')
    }
  })
  optional(request['metadata'], (value) => only(object(value, 'metadata'), 'user_id', 'metadata'))
  optional(request['output_config'], (value) => acceptOutputConfig(object(value, 'output_config')))
}

function acceptOutputConfig(config: Wire): void {
  only(config, 'format effort', 'output_config')
  optional(config['effort'], (effort) =>
    oneOf(effort, ['low', 'medium', 'high', 'xhigh', 'max'], 'output_config.effort'),
  )
  optional(config['format'], (value) => {
    if (value === null) return
    const format = object(value, 'output_config.format')
    only(format, 'type schema', 'output_config.format')
    oneOf(format['type'], ['json_schema'], 'output_config.format.type')
    object(format['schema'], 'output_config.format.schema')
  })
}

function acceptSystem(system: unknown, rules: SealRules): void {
  if (system === undefined || typeof system === 'string') return
  for (const [index, block] of list(system, 'system').entries()) {
    oneOf(acceptBlock(block, `system.${index}`, rules)['type'], ['text'], `system.${index}.type`)
  }
}

const THINKING_MEMBERS: { readonly [type: string]: string } = {
  enabled: 'type budget_tokens display',
  adaptive: 'type display',
}

function acceptThinking(request: Wire, maxTokens: number): void {
  if (request['thinking'] === undefined) return
  const thinking = object(request['thinking'], 'thinking')
  oneOf(thinking['type'], ['enabled', 'disabled', 'between_tools', 'adaptive'], 'thinking.type')
  if (thinking['type'] === 'disabled') return only(thinking, 'type', 'thinking')
  only(thinking, THINKING_MEMBERS[String(thinking['type'])] ?? 'type', 'thinking')
  optional(thinking['display'], (display) => oneOf(display, ['summarized', 'omitted'], 'thinking.display'))
  if (thinking['type'] === 'enabled') {
    const budget = whole(thinking['budget_tokens'], 1024, Infinity, 'thinking.budget_tokens')
    if (budget >= maxTokens)
      refuse('thinking.budget_tokens', '`max_tokens` must be greater than `thinking.budget_tokens`')
  }
  optional(
    request['temperature'],
    (value) => value === 1 || refuse('temperature', 'may only be 1 when thinking is enabled'),
  )
  optional(request['top_p'], (value) => within(value, 0.95, 1, 'top_p'))
  if (request['top_k'] !== undefined) refuse('top_k', 'must be unset when thinking is enabled')
  const choice = request['tool_choice']
  if (isWire(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')) {
    refuse('tool_choice', 'Thinking may not be enabled when tool_choice forces tool use.')
  }
}

function acceptTools(tools: unknown, rules: MessagesRules): ReadonlySet<string> {
  const names = new Set<string>()
  if (tools === undefined) return names
  for (const [index, value] of list(tools, 'tools').entries()) {
    const path = `tools.${index}`
    const tool = object(value, path)
    const type = tool['type'] ?? 'custom'
    optional(tool['cache_control'], (mark) => acceptCacheControl(mark, `${path}.cache_control`))
    if (typeof type === 'string' && TOOLSET.test(type)) {
      names.add(type)
      continue
    }
    const name = acceptToolName(tool['name'], `${path}.name`)
    if (names.has(name)) refuse(path, 'Tool names must be unique.')
    names.add(name)
    if (typeof type === 'string' && (BUILTIN.test(type) || isFuture(type))) continue
    oneOf(type, ['custom'], `${path}.type`)
    const members = 'type name description input_schema strict cache_control eager_input_streaming'
    only(tool, `${members}${betaMembers('tool', rules.betas)}`, path)
    optional(tool['description'], (text) => string(text, `${path}.description`))
    const schema = object(tool['input_schema'], `${path}.input_schema`)
    oneOf(schema['type'], ['object'], `${path}.input_schema.type`)
    for (const choice of ['oneOf', 'anyOf', 'allOf'])
      if (schema[choice] !== undefined) refuse(`${path}.input_schema`, `does not support ${choice} at the top level`)
  }
  return names
}

function acceptToolChoice(request: Wire, names: ReadonlySet<string>): void {
  if (request['tool_choice'] === undefined) return
  const choice = object(request['tool_choice'], 'tool_choice')
  if (names.size === 0) refuse('tool_choice', 'may only be specified while providing tools')
  oneOf(choice['type'], ['auto', 'any', 'tool', 'none'], 'tool_choice.type')
  only(choice, MEMBERS_OF_CHOICE[String(choice['type'])] ?? '', 'tool_choice')
  if (choice['type'] === 'tool' && !names.has(string(choice['name'], 'tool_choice.name'))) {
    refuse('tool_choice.name', 'Tool not found in provided tools')
  }
}

const MEMBERS_OF_CHOICE: { readonly [type: string]: string } = {
  auto: 'type disable_parallel_tool_use',
  any: 'type disable_parallel_tool_use',
  tool: 'type name disable_parallel_tool_use',
  none: 'type',
}

function acceptMessages(value: unknown, rules: MessagesRules): void {
  const messages = filled(value, 'messages').map((item, index) => object(item, `messages.${index}`))
  acceptSystemTurns(messages, rules)
  let open: readonly string[] = []
  for (const [index, message] of messages.entries())
    acceptMessage(message, `messages.${index}`, index === messages.length - 1, rules)
  for (const turn of turnsOf(messages)) {
    acceptResults(turn.blocks, open, turn.path)
    open = idsOf(turn.blocks, 'tool_use', 'id')
  }
  const all = turnsOf(messages).flatMap(({ blocks }) => idsOf(blocks, 'tool_use', 'id'))
  if (new Set(all).size !== all.length) refuse('messages', '`tool_use` ids must be unique')
  if (open.length > 0)
    refuse('messages', `\`tool_use\` ids were found without \`tool_result\` blocks: ${open.join(', ')}`)
}

/** System messages, one or several in a row, must be between a user turn and an assistant turn, and have only text. */
function acceptSystemTurns(messages: readonly Wire[], { systemTurns = false }: MessagesRules): void {
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'system') continue
    const path = `messages.${index}`
    if (!systemTurns) refuse(`${path}.role`, "Input should be 'user' or 'assistant'")
    const before = messages[index - 1]?.['role']
    if ((before !== 'user' && before !== 'system') || messages[index + 1]?.['role'] === 'user')
      refuse(path, 'a system message must follow a user message and precede an assistant message')
    for (const block of contentOf(content, path, false)) {
      if (!isFuture(block['type'])) oneOf(block['type'], ['text'], `${path}.content.type`)
    }
  }
}

function acceptMessage(message: Wire, path: string, last: boolean, rules: MessagesRules): void {
  const more = message['role'] === 'system' ? betaMembers('system-turn', rules.betas) : ''
  only(message, `role content${more}`, path)
  oneOf(message['role'], ['user', 'assistant', 'system'], `${path}.role`)
  const blocks = contentOf(message['content'], path, last && message['role'] === 'assistant')
  for (const [index, block] of blocks.entries()) {
    const blockPath = `${path}.content.${index}`
    acceptInRole(acceptBlock(block, blockPath, rules), message['role'], blockPath)
  }
}

/** Consecutive messages of one role are one turn. */
function turnsOf(
  messages: readonly Wire[],
): { readonly path: string; readonly role: unknown; readonly blocks: Wire[] }[] {
  const turns: { readonly path: string; readonly role: unknown; readonly blocks: Wire[] }[] = []
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [{ type: 'text' }] : list(content, 'content').filter(isWire)
    if (turns.at(-1)?.role === role) turns.at(-1)?.blocks.push(...blocks)
    else turns.push({ path: `messages.${index}`, role, blocks: [...blocks] })
  }
  return turns
}

function contentOf(content: unknown, path: string, mayBeEmpty: boolean): readonly Wire[] {
  if (typeof content === 'string') {
    if (content === '' && !mayBeEmpty) refuse(path, 'all messages must have non-empty content')
    return []
  }
  const blocks = list(content, `${path}.content`)
  if (blocks.length === 0 && !mayBeEmpty) refuse(path, 'all messages must have non-empty content')
  return blocks.map((block, index) => object(block, `${path}.content.${index}`))
}

const ONLY_IN: { readonly [type: string]: string } = {
  tool_use: 'assistant',
  server_tool_use: 'assistant',
  web_search_tool_result: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  tool_result: 'user',
  image: 'user',
  document: 'user',
  search_result: 'user',
}

function acceptInRole(block: Wire, role: unknown, path: string): void {
  const needed = ONLY_IN[String(block['type'])]
  if (needed !== undefined && needed !== role)
    refuse(path, `\`${String(block['type'])}\` blocks can only be in \`${needed}\` messages`)
}

/** The turn begins with all results of the calls before it, and with no others. */
function acceptResults(blocks: readonly Wire[], open: readonly string[], path: string): void {
  const answered = idsOf(blocks, 'tool_result', 'tool_use_id')
  const lead = blocks.slice(0, answered.length).every((block) => block['type'] === 'tool_result')
  if (!lead) refuse(path, '`tool_result` blocks must come first')
  for (const id of open)
    if (!answered.includes(id))
      refuse(path, `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`)
  for (const id of answered)
    if (!open.includes(id)) refuse(path, `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`)
  if (new Set(answered).size !== answered.length) refuse(path, 'each `tool_use` must have a single result')
}

function idsOf(blocks: readonly Wire[], type: string, member: string): string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => String(block[member]))
}

function marksIn(node: unknown): number {
  if (Array.isArray(node)) return node.reduce<number>((sum, item) => sum + marksIn(item), 0)
  if (!isWire(node)) return 0
  const own = isWire(node['cache_control']) ? 1 : 0
  return Object.entries(node).reduce(
    (sum, [key, value]) => sum + (key === 'input_schema' || key === 'input' ? 0 : marksIn(value)),
    own,
  )
}
