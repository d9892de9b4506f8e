import { keep, keptWord, known, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { carryImages } from '../../ir/carry-images.ts'
import { NO_LOSSES, type Losses } from '../../ir/loss.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { guessRole, reportStreamUsage, type Message, type ModelRequest } from '../../ir/request.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import { transcriptOf } from '../../ir/unsupported-part.ts'
import type { Media, Part } from '../../ir/part.ts'
import { distinctTools, type ToolChoice } from '../../ir/tool.ts'
import { arrangeTurns, plainTextOf, eachPart, leadingInstructions, reportEmptyTurn, type Turn } from '../../ir/turns.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { encodeTier } from '../tier-words.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import { withinMarks } from './cache.ts'
import { plain } from './calls.ts'
import { decodeContent, encodePart } from './content.ts'
import { encodeMedia } from './media.ts'
import { TABLES } from './members.ts'
import { barThinking, decodeThinking, encodeThinking, knownThinking, reasons, wantedBudget } from './reasoning.ts'
import {
  messagesRequest,
  NAME,
  turn,
  type Block,
  type BlockOf,
  type MessagesRequest,
  type WireMessage,
  type WireTool,
} from './schema.ts'
import {
  decodeFormat,
  decodeUser,
  encodeMaxTokens,
  encodeOutputConfig,
  encodeUser,
  knownConfig,
  SETTINGS,
  withoutUser,
} from './settings.ts'
import { REQUEST_TIERS } from './usage.ts'
import { decodeTool, decodeToolChoice, encodeTool, encodeToolChoice, TOOL_CHOICE } from './tools.ts'

export function decodeRequest(wire: MessagesRequest, context: DecodeContext): ModelRequest {
  const { model, messages, system, thinking, output_config, tools, tool_choice, stream, metadata } = wire
  const request: Draft<ModelRequest> = {
    model,
    messages: [...decodeSystem(system, context), ...messages.map((message) => decodeMessage(message, context))],
    settings: SETTINGS.decode(wire),
    delivery: stream === undefined ? {} : stream ? { stream, usage: true } : { stream }, // its streams always end with usage
  }
  // An empty list is left out: other upstreams refuse it.
  if (tools !== undefined && tools.length > 0) request.tools = tools.map((tool) => decodeTool(tool, context))
  const choice = tool_choice && decodeToolChoice(tool_choice, context)
  if (choice !== undefined) request.toolChoice = choice
  const reasoning = decodeThinking(thinking, output_config?.effort ?? undefined)
  if (reasoning !== undefined) request.reasoning = reasoning
  const output = decodeFormat(output_config?.format)
  if (output !== undefined) request.output = output
  const user = decodeUser(metadata)
  if (user !== undefined) request.user = user
  const rest = unread(wire, choice)
  const tier = REQUEST_TIERS.get(rest?.['service_tier'])
  if (tier === undefined) return keep(request, NAME, rest)
  request.serviceTier = tier
  return keep(request, NAME, withoutMember(rest, 'service_tier'))
}

const REQUEST = known(messagesRequest, {
  apart: ['output_config'],
  unread: ['metadata'],
  inside: { tool_choice: TOOL_CHOICE },
})

/** Unknown members; which members of some objects are read depends on their values. */
function unread(wire: MessagesRequest, choice: ToolChoice | undefined): JsonObject | undefined {
  const { thinking, output_config, metadata } = wire
  const tool_choice = choice === undefined ? (wire.tool_choice as JsonObject | undefined) : undefined // parsed JSON
  const rest = withoutUser(unknownOf(wire, REQUEST), metadata)
  const thought = thinking == null ? undefined : unknownOf(thinking, knownThinking(thinking))
  const config =
    output_config == null ? undefined : unknownOf(output_config, knownConfig(output_config, reasons(thinking)))
  if (thought === undefined && config === undefined && tool_choice === undefined) return rest
  return { ...rest, ...defined({ thinking: thought, output_config: config, tool_choice }) }
}

function decodeSystem(system: MessagesRequest['system'], context: DecodeContext): Message[] {
  return system === undefined || system.length === 0 ? [] : [{ role: 'system', parts: decodeContent(system, context) }]
}

function decodeMessage(wire: WireMessage, context: DecodeContext): Message {
  const parts = decodeContent(wire.content, context)
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (part?.extras?.[NAME]?.['caller'] !== undefined) parts[index] = withoutDirectCaller(part)
  }
  const rest = unknownOf(wire, MESSAGE)
  if (ROLES.has(wire.role)) return keep({ role: wire.role, parts }, NAME, rest)
  return keep({ role: guessRole(wire.role, !parts.every(isOfUser)), parts }, NAME, { ...rest, role: wire.role })
}

const ROLES: ReadonlySet<string> = new Set<WireMessage['role']>(['user', 'assistant', 'system'])

const MESSAGE = known(turn)

/** That the model itself called a tool is the default. Upstreams say so on every call, and clients send it back. */
function withoutDirectCaller(part: Part): Part {
  const { caller, ...others } = part.extras?.[NAME] ?? {}
  if (!isObject(caller) || caller['type'] !== 'direct') return part
  const { extras: _own, ...rest } = part
  return keep(rest, NAME, isEmpty(others) ? undefined : others)
}

export function encodeRequest(request: ModelRequest, given: EncodeContext): MessagesRequest {
  const { losses } = given
  const context = withinMarks(request, given)
  const { model, settings, reasoning, toolChoice, delivery } = request
  const tools = encodeTools(request, losses, context)
  const choice =
    tools === undefined || toolChoice === undefined
      ? undefined
      : encodeToolChoice(toolChoice, losses.at('toolChoice'), context)
  const { system, messages } = encodeMessages(request, losses, context)
  const barred = barThinking(reasoning, choice, messages)
  const budget = barred === undefined ? wantedBudget(reasoning, context) : undefined
  const max_tokens = encodeMaxTokens(settings, budget ?? 0, losses.at('settings'), context)
  const limit = { sent: max_tokens, given: settings.maxTokens }
  const thought = encodeThinking(reasoning, limit, barred, losses, context)
  const members = {
    model,
    max_tokens,
    messages,
    system,
    thinking: thought.thinking,
    tools,
    tool_choice: choice,
    output_config: encodeOutputConfig(request.output, thought.effort, losses.at('output'), context),
    metadata: encodeUser(request.user, losses),
    service_tier: encodeTier(request.serviceTier, REQUEST_TIERS, NAME, losses),
    stream: delivery.stream,
  }
  const scope = { losses: losses.at('settings'), context, thinks: reasons(thought.thinking) }
  const wire = defined(members, SETTINGS.encode(settings, scope))
  reportMembers(request, losses, context)
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}

/** Messages has schemas, and no JSON without one. */
function isJsonInWords(output: ModelRequest['output']): boolean {
  return output?.format === 'json' && output.schema === undefined
}

function askForJson(index: number, messages: WireMessage[], losses: Losses): void {
  const text = 'Answer with a JSON object and nothing else.'
  messages.push({ role: 'user', content: text })
  losses.added(['messages', index], { role: 'user', parts: [{ type: 'text', text }] }, 'JSON is asked for in words')
}

/** Leading instructions are the system prompt; later ones stay in place, as turns of their own or as user text. */
function encodeMessages(
  request: ModelRequest,
  losses: Losses,
  context: Encoding,
): { system?: string | BlockOf<'text'>[]; messages: WireMessage[] } {
  const pairs = pairCalls(request.messages)
  const lead = leadingInstructions(request.messages)
  const system: Block[] = []
  const messages: WireMessage[] = []
  const instructions: Instruction[] = []
  let base: number | undefined // the first instruction with text: the others join it
  const isTaken = (image: Media) => encodeMedia(image, NO_LOSSES, context, () => []) !== undefined
  for (const turn of carryImages(arrangeTurns(request.messages, losses), isTaken, losses)) {
    const { message, index } = turn
    const leads = index < lead
    const own = message.role === 'user' || message.role === 'assistant'
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const plainText = own ? plainTextOf(turn) : undefined
    if (plainText !== undefined) {
      messages.push({ role, content: plainText })
      continue
    }
    const at = (...keys: string[]) => ['messages', index, ...keys]
    const blocks: Block[] = []
    const ownRole = keptWord(message, NAME, 'role')
    const allowed = leads ? isInstruction : role === 'user' ? isOfUser : isOfAssistant
    encodeTurn(turn, blocks, losses, context, pairs, ownRole === undefined ? allowed : isAny)
    reportUnsupported(message, TABLES.message, losses.at('messages', index), context)
    if (blocks.length === 0) reportEmptyTurn(turn, 'an empty message is refused', losses)
    else if (leads) {
      for (const block of blocks) system.push(block)
      if (message.role === 'developer') losses.changed(at('role'), 'system', ONE_SYSTEM)
      if (message.extras?.[NAME] !== undefined) losses.dropped(at('extras', NAME), ONE_SYSTEM)
      if (base !== undefined) losses.merged(at(), ['messages', base], ONE_SYSTEM)
      base ??= index
    } else {
      const wire = { role: (ownRole ?? role) as 'user', content: plain(blocks) } // or an unknown one
      if (!own) instructions.push({ position: messages.length, index, message })
      messages.push(own ? restore(NAME, message, wire) : wire)
    }
  }
  if (isJsonInWords(request.output)) askForJson(request.messages.length, messages, losses)
  placeInstructions(instructions, messages, losses, context)
  return { ...(base === undefined ? {} : { system: plain(system) as string | BlockOf<'text'>[] }), messages } // or blocks of an unknown kind
}

const ONE_SYSTEM = 'messages has one system prompt'

/** An instruction in the middle: its position on the wire, and in the request. */
interface Instruction {
  readonly position: number
  readonly index: number
  readonly message: Message
}

/** Upstreams that accept system turns want one or several of them after a user turn and before an assistant turn; others get them as user text. */
function placeInstructions(
  instructions: readonly Instruction[],
  messages: WireMessage[],
  losses: Losses,
  { dialect }: Encoding,
): void {
  const isTaken = dialect?.['systemTurns'] === true
  // From the end: whether one fits depends on the next one, which may be a system turn by then.
  for (const { position, index, message } of instructions.toReversed()) {
    const wire = messages[position]
    // A turn of an unknown role may be on either side.
    const before = messages[position - 1]?.role ?? 'system'
    const after = messages[position + 1]?.role ?? 'assistant'
    const follows = before !== 'assistant' && before !== 'system'
    const fits = isTaken && follows && after !== 'user' && message.parts.every(isInstruction)
    const role = fits ? 'system' : 'user'
    if (wire !== undefined && fits) messages[position] = restore(NAME, message, { ...wire, role: 'system' })
    const why = isTaken
      ? 'a system turn stands between a question and its answer'
      : 'it takes instructions at the start only'
    if (message.role !== role) losses.changed(['messages', index, 'role'], role, fits ? ONE_ROLE : why)
    if (!fits && message.extras?.[NAME] !== undefined) losses.dropped(['messages', index, 'extras', NAME], why)
  }
}

const ONE_ROLE = 'messages has one role for instructions'
const isInstruction = (part: Part) => part.type === 'text' || (part.type === 'opaque' && part.protocol === NAME)

function encodeTurn(
  turn: Turn,
  blocks: Block[],
  losses: Losses,
  context: Encoding,
  pairs: Pairs,
  allowed: (part: Part) => boolean,
): void {
  eachPart(turn, losses, (part, at) => {
    if (allowed(part)) encodePart(part, blocks, at, context, pairs)
    else at.dropped([], `messages has no ${part.type} in a ${turn.message.role} turn`)
  })
}

const isAny = () => true
const isOfUser = (part: Part) => !(part.type === 'tool-call' || part.type === 'reasoning' || isServerResult(part))
const isOfAssistant = (part: Part) =>
  part.type === 'tool-result'
    ? part.by === 'server'
    : (part.type !== 'media' || transcriptOf(part) !== undefined) && part.type !== 'search-hit'
const isServerResult = (part: Part) => part.type === 'tool-result' && part.by === 'server'

function encodeTools(request: ModelRequest, losses: Losses, context: Encoding): MessagesRequest['tools'] {
  if (request.tools === undefined) return undefined
  const tools: WireTool[] = []
  for (const [index, tool] of distinctTools(request.tools, losses)) {
    const wire = encodeTool(tool, losses.at('tools', index), context)
    if (wire !== undefined) tools.push(wire)
  }
  return tools.length === 0 ? undefined : tools
}

function reportMembers(request: ModelRequest, losses: Losses, context: Encoding): void {
  const { delivery, tools, toolChoice } = request
  reportUnsupported(request, TABLES.request, losses, context)
  reportUnsupported(delivery, TABLES.delivery, losses.at('delivery'), context)
  reportStreamUsage(delivery, NAME, losses.at('delivery'))
  if (toolChoice !== undefined && tools === undefined) losses.dropped(['toolChoice'], 'there are no tools')
}
