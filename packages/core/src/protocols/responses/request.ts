import { keep, known, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { carryImages } from '../../ir/carry-images.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { guessRole, type Message, type Role } from '../../ir/message.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Media, Part, ToolResult } from '../../ir/part.ts'
import { mediaInside } from '../../ir/part-text.ts'
import type { ModelRequest } from '../../ir/request.ts'
import { reportStreamUsage } from '../../ir/stream-usage.ts'
import type { Tool, ToolChoice } from '../../ir/tool.ts'
import { arrangeTurns, eachPart, encodeBeside, reportEmptyTurn, type Beside, type Turn } from '../../ir/turns.ts'
import type { Draft } from '../../lib/draft.ts'
import { defined } from '../../lib/defined.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { decodeItems, encodeItems, isMessage, MESSAGE } from './assistant.ts'
import { decodeResult, encodeResult, withoutUsual } from './calls.ts'
import { decodeContent, decodePart, encodePart, plain } from './content.ts'
import { FORMS } from './forms.ts'
import { TABLES } from './members.ts'
import { decodeOptions, encodeOptions, unreadOptions } from './reasoning.ts'
import {
  addedTools,
  NAME,
  responsesRequest,
  type Item,
  type ItemOf,
  type ResponsesRequest,
  type WireMessage,
  type WirePart,
  type WireTool,
} from './schema.ts'
import {
  decodeOutput,
  decodeSettings,
  encodeOutput,
  encodeSettings,
  encodeUser,
  unreadIncludes,
  unreadText,
  userMember,
} from './settings.ts'
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools, unreadChoice } from './tools.ts'

export function decodeRequest(wire: ResponsesRequest, context: DecodeContext): ModelRequest {
  const { tool_choice, parallel_tool_calls: parallel, stream, metadata } = wire
  const { messages, tools: later } = decodeInput(wire, context)
  const tools = [...decodeTools(wire.tools ?? [], context), ...later]
  const request: Draft<ModelRequest> = {
    model: wire.model,
    messages,
    settings: decodeSettings(wire),
    delivery: stream == null ? {} : stream ? { stream, usage: true } : { stream }, // its streams always end with usage
  }
  const choice = decodeToolChoice(tool_choice, context)
  const reasoning = decodeOptions(wire.reasoning)
  const output = decodeOutput(wire.text)
  if (tools.length > 0) request.tools = tools
  if (choice !== undefined || parallel != null) request.toolChoice = defined({ parallel }, choice)
  if (reasoning !== undefined) request.reasoning = reasoning
  if (output !== undefined) request.output = output
  const user = userMember(wire)
  if (user !== undefined) request.user = wire[user] as string // it is one
  if (metadata != null) request.metadata = metadata as JsonObject // parsed JSON
  return keep(request, NAME, withoutMember(unread(wire, choice), user))
}

/** Which members of some objects are read depends on their values. */
function unread(wire: ResponsesRequest, choice: ToolChoice | undefined): JsonObject | undefined {
  const members = {
    ...unreadIncludes(wire),
    tool_choice: unreadChoice(wire.tool_choice, choice),
    reasoning: unreadOptions(wire.reasoning),
    text: unreadText(wire.text),
  }
  const all = defined(members, unknownOf(wire, REQUEST)) as JsonObject // parsed JSON
  return isEmpty(all) ? undefined : all
}

const REQUEST = known(responsesRequest, {
  apart: ['reasoning', 'text', 'tool_choice', 'metadata'],
  unread: ['prompt_cache_key', 'user'],
})

interface Input {
  readonly messages: readonly Message[]
  /** Tools that appear in the middle of the conversation. */
  readonly tools: readonly Tool[]
}

/** Items to turns: what the assistant says and calls is one turn, and results join the next user message. */
function decodeInput({ input, instructions }: ResponsesRequest, context: DecodeContext): Input {
  const messages: Message[] = []
  const tools: Tool[] = []
  const custom = new Set<string>()
  let said: Item[] = []
  let results: ToolResult[] = []
  if (instructions != null) messages.push({ role: 'system', parts: [{ type: 'text', text: instructions }] })
  const flush = () => {
    if (said.length > 0) messages.push({ role: 'assistant', parts: decodeItems(said, context) })
    if (results.length > 0) messages.push({ role: 'user', parts: results })
    said = []
    results = []
  }
  const items: readonly Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  for (const [index, item] of items.entries()) {
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      if (said.length > 0) flush()
      results.push(decodeResult(item, custom))
    } else if (item.type === 'additional_tools') {
      flush()
      for (const tool of decodeAdded(item, messages.length, context)) tools.push(tool)
    } else if (isMessage(item) && roleOf(item) !== 'assistant') {
      const answers = results
      results = roleOf(item) === 'user' ? [] : results
      flush()
      const isLike = index === 0 && instructions == null && instructionsOf(items) !== undefined
      messages.push(decodeMessage(item, roleOf(item) === 'user' ? answers : [], isLike))
    } else {
      if (results.length > 0) flush()
      if (item.type === 'custom_tool_call') custom.add(item.call_id)
      said.push(item)
    }
  }
  flush()
  return { messages, tools }
}

function roleOf({ role }: WireMessage): Role {
  return ROLES.has(role) ? (role as Role) : guessRole(role, false) // one of these
}

const ROLES: ReadonlySet<string> = new Set<Role>(['user', 'assistant', 'system', 'developer'])

/** A system message at the start is not `instructions`: its extras say so. */
function decodeMessage(wire: WireMessage, results: readonly ToolResult[], isLike: boolean): Message {
  const role = roleOf(wire)
  const parts = decodeContent(wire.content)
  const own = {
    ...withoutUsual(unknownOf(wire, MESSAGE)),
    ...(wire.id == null ? {} : { id: wire.id }),
    ...(role === wire.role ? {} : { role: wire.role }),
  }
  const message: Message = { role, parts: [...results, ...parts] }
  return keep(message, NAME, isLike ? { type: 'message' } : isEmpty(own) ? undefined : own)
}

/** The text of the first item if it can be `instructions`: something must be answered after it. */
function instructionsOf([first, second]: readonly Item[]): string | undefined {
  if (first === undefined || second === undefined || !isMessage(first) || first.role !== 'system') return undefined
  const { content } = first
  const only = typeof content === 'string' ? content : plain(content)
  const isBare = Object.keys(first).every((member) => member === 'type' || member === 'role' || member === 'content')
  return isBare && typeof only === 'string' && only !== '' ? only : undefined
}

function decodeAdded(item: ItemOf<'additional_tools'>, since: number, context: DecodeContext): Tool[] {
  const [first, ...others] = decodeTools(item.tools, context).map((tool): Tool => ({ ...tool, since }))
  if (first === undefined) return []
  const { id } = item
  const said = { ...unknownOf(item, ADDED), ...(id == null ? {} : { id }) }
  const extras = { ...first.extras, [NAME]: { ...first.extras?.[NAME], item: said } }
  return [isEmpty(said) ? first : { ...first, extras }, ...others]
}

const ADDED = known(addedTools, { apart: ['tools'] })

export function encodeRequest(request: ModelRequest, context: EncodeContext): ResponsesRequest {
  const { losses } = context
  const { model, toolChoice, delivery, metadata, tools = [] } = request
  const own = request.extras?.[NAME]
  const custom = new Set(tools.flatMap((tool) => (tool.type === 'custom' ? tool.name : [])))
  const first = encodeTools(tools, (tool) => tool.since === undefined, losses, context)
  const choice = tools.length === 0 ? undefined : toolChoice
  const { instructions, input } = encodeInput(request, losses, context)
  const members = {
    model,
    instructions,
    input,
    tools: first.length === 0 ? undefined : first,
    tool_choice: choice && encodeToolChoice(choice, custom, losses.at('toolChoice'), context),
    parallel_tool_calls: choice?.parallel,
    reasoning: encodeOptions(request.reasoning, isObject(own?.['reasoning']) ? own['reasoning'] : undefined, losses),
    text: encodeOutput(request.output, losses.at('output'), context),
    safety_identifier: encodeUser(request.user, losses),
    metadata,
    stream: delivery.stream,
    store: context.toward === 'upstream' ? false : undefined,
  }
  const settings = encodeSettings(request.settings, own, losses.at('settings'), context)
  const wire = defined(members, settings) as ResponsesRequest // JSON by construction
  if (toolChoice !== undefined && tools.length === 0) losses.dropped(['toolChoice'], 'there are no tools')
  reportUnsupported(delivery, TABLES.delivery, losses.at('delivery'), context)
  reportStreamUsage(delivery, NAME, losses.at('delivery'))
  reportUnsupported(request, TABLES.request, losses, context)
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}

/** Turns to items. A plain system message at the start is `instructions`. */
function encodeInput(
  request: ModelRequest,
  losses: Losses,
  context: Encoding,
): { readonly instructions?: string | undefined; readonly input: Item[] } {
  const { messages, tools = [] } = request
  const pairs = pairCalls(messages)
  const customIds = customCallIds(messages, pairs)
  const input: Item[] = []
  let first: Message | undefined // whose item is the first
  const added = addedBefore(tools, losses, context)
  const arranged = arrangeTurns(messages, losses)
  let before: { readonly index: number; readonly kind: 'assistant' | 'results' | 'other' } | undefined
  const merge = (index: number, kind: 'assistant' | 'results') => {
    if (before?.kind === kind) losses.merged(['messages', index], ['messages', before.index], JOINED[kind])
  }
  for (const turn of carryImages(arranged, isCarried, losses)) {
    const { message, index } = turn
    for (const item of added(index)) {
      input.push(item)
      before = undefined
    }
    const items: Item[] = []
    if (message.role === 'assistant') {
      for (const item of encodeItems(turn, losses, { context, pairs })) items.push(item)
      if (items.length === 0) reportEmptyTurn(turn, 'nothing is left of it', losses)
      else {
        reportUnsupported(message, FORMS.assistantTurn, losses.at('messages', index), context)
        merge(index, 'assistant')
        before = { index: before?.kind === 'assistant' ? before.index : index, kind: 'assistant' }
      }
    } else {
      const written = encodeUserTurn(turn, items, customIds, losses, context, pairs)
      if (written !== 'results' && items.length === 1 && message.role === 'user') merge(index, 'results')
      if (written === 'results') reportUnsupported(message, FORMS.resultTurn, losses.at('messages', index), context)
      if (items.length > 0) before = { index, kind: written }
    }
    if (input.length === 0) first = message
    for (const item of items) input.push(item)
  }
  for (const item of added(undefined)) input.push(item)
  const instructions = first?.extras?.[NAME] === undefined ? instructionsOf(input) : undefined
  return { instructions, input: instructions === undefined ? input : input.slice(1) }
}

const JOINED = { assistant: 'responses has one turn of items', results: 'responses joins two answers in a row' }

/** Images that the model has drawn go back to their own upstream where they are; to others in the next user turn. */
function isCarried({ item, source }: Media): boolean {
  return item?.startsWith('ig_') !== true && (source.kind === 'base64' || source.kind === 'url')
}

/** The calls of custom tools: their results have a type of their own. */
function customCallIds(messages: readonly Message[], pairs: Pairs): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call' && part.custom === true) ids.add(pairs.distinctId(part))
  return ids
}

/** Items with the tools that appear before a message; undefined for those after the last one. */
function addedBefore(tools: readonly Tool[], losses: Losses, context: Encoding): (index: number | undefined) => Item[] {
  const places = [...new Set(tools.flatMap(({ since }) => since ?? []))].sort((one, other) => one - other)
  let next = 0
  return (index) => {
    const items: Item[] = []
    for (; next < places.length && (index === undefined || (places[next] ?? 0) <= index); next++) {
      const since = places[next]
      const wires = encodeTools(tools, (tool) => tool.since === since, losses, context)
      const said = tools.find((tool) => tool.since === since)?.extras?.[NAME]?.['item']
      if (wires.length > 0) items.push(addedItem(wires, said))
    }
    return items
  }
}

function addedItem(tools: WireTool[], said: unknown): Item {
  return { type: 'additional_tools', role: 'developer', ...(isObject(said) ? said : {}), tools } as Item // of this kind
}

/** The results of a user's turn as items, then the rest, with media of documents that are sent as text. */
function encodeUserTurn(
  turn: Turn,
  items: Item[],
  custom: ReadonlySet<string>,
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
): 'results' | 'other' {
  const { message, index } = turn
  const own: WirePart[] = []
  const last: WirePart[] = [] // parts that were moved here
  const beside: Beside[] = []
  const firstMoved = turn.parts.length - (turn.moved ?? 0)
  const addInside = (part: Part) => {
    for (const inner of mediaInside(part)) beside.push({ part: inner, reason: 'responses has no media in documents' })
  }
  eachPart(turn, losses, (part, scope, position) => {
    if (part.type === 'tool-result' && part.by === 'client' && message.role === 'user') {
      items.push(encodeResult(part, custom.has(pairs.distinctId(part)), scope, context, pairs))
      for (const inner of part.output.parts ?? []) addInside(inner)
      return
    }
    const wire = encodePart(part, scope, context)
    if (wire !== undefined) (position < firstMoved ? own : last).push(wire)
    addInside(part)
  })
  const added = encodeBeside(beside, turn, losses, (part) => encodePart(part, NO_LOSSES, context), decodePart)
  const content = [...own, ...added, ...last]
  if (content.length === 0 && items.length > 0) return 'results'
  if (content.length === 0 && message.parts.length > 0) {
    losses.dropped(['messages', index], 'nothing is left of it')
    return 'other'
  }
  reportUnsupported(message, TABLES.message, losses.at('messages', index), context)
  items.push(restore(NAME, message, { type: 'message', role: message.role, content: plain(content) }) as Item) // of this kind
  return 'other'
}
