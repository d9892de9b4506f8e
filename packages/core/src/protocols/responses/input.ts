import { keep, restore } from '../../ir/extras.ts'
import { carryImages } from '../../ir/carry-images.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { guessRole, type Message, type Role } from '../../ir/request.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Media, Part, ToolResult } from '../../ir/part.ts'
import { mediaInside } from '../../ir/unsupported-part.ts'
import type { Tool } from '../../ir/tool.ts'
import {
  arrangeTurns,
  eachPart,
  encodeBeside,
  plainTextOf,
  reportEmptyTurn,
  type Beside,
  type Turn,
} from '../../ir/turns.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { DecodeContext, Encoding } from '../context.ts'
import { decodeItems, isMessage, MESSAGE } from './assistant.ts'
import { encodeItems } from './write-parts.ts'
import { decodeResult, encodeResult } from './calls.ts'
import { decodeContent, decodePart, encodePart, plain } from './content.ts'
import { callsLast } from './fit-tools.ts'
import { FORMS, TABLES } from './members.ts'
import { unknownOfItem } from './item-facts.ts'
import { addedBefore, decodeAdded, decodeFound, foundTools } from './later-tools.ts'
import { NAME, type Item, type ResponsesRequest, type WireMessage, type WirePart, type WireTool } from './schema.ts'
import { encodeTools, type Listed } from './tools.ts'
import { decodeTypedResult } from './typed-calls.ts'

interface Input {
  readonly messages: readonly Message[]
  /** Tools that appear in the middle of the conversation. */
  readonly tools: readonly Tool[]
}

/** Items to turns: what the assistant says and calls is one turn, and results join the next user message. */
export function decodeInput({ input, instructions }: ResponsesRequest, context: DecodeContext): Input {
  const messages: Message[] = []
  const tools: Tool[] = []
  const custom = new Set<string>()
  let ofAssistant: Item[] = []
  let results: ToolResult[] = []
  if (instructions != null) messages.push({ role: 'system', parts: [{ type: 'text', text: instructions }] })
  const flush = () => {
    if (ofAssistant.length > 0) messages.push({ role: 'assistant', parts: decodeItems(ofAssistant, context) })
    if (results.length > 0) messages.push({ role: 'user', parts: results })
    ofAssistant = []
    results = []
  }
  const items: readonly Item[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    if (item === undefined) break
    if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      if (ofAssistant.length > 0) flush()
      results.push(decodeResult(item, custom))
      continue
    }
    const role = isMessage(item) ? roleOf(item) : undefined
    const result = role === undefined ? decodeTypedResult(item) : undefined
    if (result !== undefined) {
      if (ofAssistant.length > 0) flush()
      results.push(result)
      for (const tool of decodeFound(item, result, messages.length, context)) tools.push(tool)
    } else if (item.type === 'additional_tools') {
      flush()
      for (const tool of decodeAdded(item, messages.length, context)) tools.push(tool)
    } else if (role !== undefined && role !== 'assistant') {
      const answers = role === 'user' ? results : NO_RESULTS
      if (role === 'user') results = []
      flush()
      const isLike = index === 0 && instructions == null && instructionsOf(items) !== undefined
      messages.push(decodeMessage(item as WireMessage, role, answers, isLike)) // only messages have a role
    } else {
      if (results.length > 0) flush()
      if (item.type === 'custom_tool_call') custom.add(item.call_id)
      ofAssistant.push(item)
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
function decodeMessage(wire: WireMessage, role: Role, results: readonly ToolResult[], isLike: boolean): Message {
  const parts = decodeContent(wire.content)
  const message: Message = { role, parts: results.length === 0 ? parts : [...results, ...parts] }
  const rest = unknownOfItem(wire, MESSAGE)
  if (isLike) return keep(message, NAME, { type: 'message' })
  if (wire.id == null && role === wire.role) return keep(message, NAME, rest)
  return keep(message, NAME, {
    ...rest,
    ...(wire.id == null ? {} : { id: wire.id }),
    ...(role === wire.role ? {} : { role: wire.role }),
  })
}

const NO_RESULTS: readonly ToolResult[] = []

/** The text of the first item if it can be `instructions`: something must be answered after it. */
function instructionsOf([first, second]: readonly Item[]): string | undefined {
  if (first === undefined || second === undefined || !isMessage(first) || first.role !== 'system') return undefined
  const { content } = first
  const only = typeof content === 'string' ? content : plain(content)
  const isPlain = Object.keys(first).every((member) => member === 'type' || member === 'role' || member === 'content')
  return isPlain && typeof only === 'string' && only !== '' ? only : undefined
}

/** Turns to items. A plain system message at the start is `instructions`. */
export function encodeInput(
  messages: readonly Message[],
  tools: readonly Listed[],
  losses: Losses,
  context: Encoding,
): { readonly instructions?: string | undefined; readonly input: Item[] } {
  const pairs = pairCalls(messages)
  const customIds = customCallIds(messages, pairs)
  const input: Item[] = []
  let first: Message | undefined // whose item is the first
  const found = foundTools(messages, tools)
  const added = addedBefore(tools, found, losses, context)
  const foundBy = (callId: string | undefined) => encodeTools(found.get(callId) ?? [], losses, context)
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
    const text = context.toward === 'upstream' ? plainTextOf(turn) : undefined
    let items: Item[] = text === undefined ? [] : [plainItem(message, text)]
    if (message.role === 'assistant') {
      if (text === undefined) items = callsLast(encodeItems(turn, losses, { context, pairs }), turn, losses, context)
      if (items.length === 0) reportEmptyTurn(turn, 'nothing is left of it', losses)
      else {
        reportUnsupported(message, FORMS.assistantTurn, losses.at('messages', index), context)
        merge(index, 'assistant')
        before = { index: before?.kind === 'assistant' ? before.index : index, kind: 'assistant' }
      }
    } else {
      const written =
        text === undefined
          ? encodeUserTurn(turn, items, { custom: customIds, foundBy }, losses, context, pairs)
          : 'other'
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

/** A turn of one plain text, which needs no report. */
function plainItem({ role }: Message, text: string): Item {
  return { type: 'message', role, content: role === 'assistant' ? [{ type: 'output_text', text }] : text }
}

const JOINED = { assistant: 'responses has one turn of items', results: 'responses joins two answers in a row' }

/** Images that the model or its code has drawn go back to their own upstream where they are; to others in the next user turn. */
function isCarried({ item, source }: Media): boolean {
  return !/^(ig|ci)_/.test(item ?? '') && (source.kind === 'base64' || source.kind === 'url')
}

/** The calls of custom tools: their results have a type of their own. */
function customCallIds(messages: readonly Message[], pairs: Pairs): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { parts } of messages)
    for (const part of parts) if (part.type === 'tool-call' && part.custom === true) ids.add(pairs.distinctId(part))
  return ids
}

/** What results need to know about their calls. */
interface Results {
  /** The ids of calls of custom tools. */
  readonly custom: ReadonlySet<string>
  /** The tools that a search has found. */
  readonly foundBy: (callId: string | undefined) => readonly WireTool[]
}

/** The results of a user's turn as items, then the rest, with media of documents that are sent as text. */
function encodeUserTurn(
  turn: Turn,
  items: Item[],
  { custom, foundBy }: Results,
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
      items.push(encodeResult(part, custom.has(pairs.distinctId(part)), foundBy, scope, context, pairs))
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
  items.push(restore(NAME, message, { type: 'message', role: message.role, content: plain(content) })) // of this kind
  return 'other'
}
