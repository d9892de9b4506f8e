import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import type { Message } from '../../ir/message.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part } from '../../ir/part.ts'
import type { Request } from '../../ir/request.ts'
import type { ReasoningWish } from '../../ir/settings.ts'
import { arrangeTurns, bareText, eachPart, leadingInstructions, type Turn } from '../../ir/turns.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { withinMarks } from './cache.ts'
import { plain } from './calls.ts'
import { decodeContent, encodePart } from './content.ts'
import { decodeThinking, encodeThinking, thinkingRest } from './reasoning.ts'
import { NAME, type Block, type BlockOf, type MessagesRequest, type WireMessage } from './schema.ts'
import {
  decodeFormat,
  decodeSettings,
  encodeMaxTokens,
  encodeMetadata,
  encodeOutputConfig,
  encodeSampling,
} from './settings.ts'
import { decodeTool, decodeToolChoice, encodeTool, encodeToolChoice } from './tools.ts'

export function decodeRequest(wire: MessagesRequest, context: DecodeContext): Request {
  const { model, messages, system, thinking, output_config, tools, tool_choice, stream, metadata } = wire
  const request: Draft<Request> = {
    model,
    messages: [...decodeSystem(system, context), ...messages.map((message) => decodeMessage(message, context))],
    settings: decodeSettings(wire),
    delivery: stream === undefined ? {} : stream ? { stream, usage: true } : { stream }, // its streams always end with usage
  }
  let left: object = unknownOf(wire, REQUEST) ?? {}
  if (tools !== undefined) request.tools = tools.map((tool) => decodeTool(tool, context))
  if (tool_choice !== undefined) {
    const { choice, rest } = decodeToolChoice(tool_choice, context)
    if (choice !== undefined) request.toolChoice = choice
    left = nest(left, 'tool_choice', rest)
  }
  const reasoning = decodeThinking(thinking, output_config?.effort ?? undefined)
  if (reasoning !== undefined) request.reasoning = reasoning
  left = nest(left, 'thinking', thinkingRest(thinking))
  if (output_config !== undefined) {
    const { format, effort, ...rest } = output_config
    const output = format?.type === 'json_schema' ? decodeFormat(format) : undefined
    if (output !== undefined) request.output = output.wish
    const thinks = thinking !== undefined && thinking.type !== 'disabled'
    const unread = thinks || effort == null ? undefined : effort // without thinking, effort is about the answer alone
    const formatRest = output === undefined ? (format ?? undefined) : output.rest
    left = nest(left, 'output_config', nest(nest(rest, 'format', formatRest), 'effort', unread))
  }
  if (metadata !== undefined) request.metadata = metadata as JsonObject // parsed JSON
  return isEmpty(left) ? request : { ...request, ...leftover(NAME, left) }
}

const REQUEST = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'thinking',
  'output_config',
  'tools',
  'tool_choice',
  'stream',
  'metadata',
])

function decodeSystem(system: MessagesRequest['system'], context: DecodeContext): Message[] {
  return system === undefined || system.length === 0 ? [] : [{ role: 'system', parts: decodeContent(system, context) }]
}

function decodeMessage(wire: WireMessage, context: DecodeContext): Message {
  const message: Draft<Message> = { role: wire.role, parts: decodeContent(wire.content, context) }
  const rest = unknownOf(wire, MESSAGE)
  if (rest !== undefined) message.extras = { [NAME]: rest }
  return message
}

const MESSAGE = new Set(['role', 'content'])

export function encodeRequest(request: Request, given: EncodeContext): MessagesRequest {
  const context = withinMarks(request, given)
  const maxTokens = encodeMaxTokens(request.settings, context)
  const tools = encodeTools(request, context)
  const choice = tools === undefined ? undefined : encodeChoice(request, context)
  const { system, messages } = encodeMessages(request, context)
  const thought = encodeThinking(
    request.reasoning,
    maxTokens,
    barThinking(request.reasoning, choice, messages),
    context,
  )
  const config = encodeOutputConfig(request, thought, context)
  const metadata = encodeMetadata(request, context)
  const wire: Draft<MessagesRequest> = { model: request.model, max_tokens: maxTokens, messages }
  if (system !== undefined) wire.system = system
  Object.assign(wire, encodeSampling(request.settings, thought, context)) // members of our own making
  if (thought.thinking !== undefined) wire.thinking = thought.thinking
  if (tools !== undefined) wire.tools = tools
  if (choice !== undefined) wire.tool_choice = choice
  if (config !== undefined) wire.output_config = config
  if (metadata !== undefined) wire.metadata = metadata
  if (request.delivery.stream !== undefined) wire.stream = request.delivery.stream
  reportUnsaid(request, context)
  reportForeign(request, NAME, context.losses)
  return restore(NAME, request, wire)
}

/** Why this call cannot think, although it may have been asked to. */
function barThinking(
  wish: ReasoningWish | undefined,
  choice: MessagesRequest['tool_choice'],
  messages: readonly WireMessage[],
): string | undefined {
  if (choice?.type === 'any' || choice?.type === 'tool') return 'messages cannot think when a tool must be called'
  if (wish?.on === 'dynamic' || !isLoopUnsigned(messages)) return undefined
  return 'the calls that are answered here came back without the thinking before them'
}

/** A tool loop goes on with the thinking that led to its calls, signed; clients that echo only text and ids have lost it. */
function isLoopUnsigned(messages: readonly WireMessage[]): boolean {
  const asked = messages.findLast((message) => message.role === 'assistant')
  if (asked === undefined || !holds(messages.at(-1), 'tool_result') || !holds(asked, 'tool_use')) return false
  return !holds(asked, 'thinking') && !holds(asked, 'redacted_thinking')
}

function holds(message: WireMessage | undefined, type: string): boolean {
  return Array.isArray(message?.content) && message.content.some((block) => block.type === type)
}

/** Leading instructions are the system prompt; later ones stay in place, as the user's words. */
function encodeMessages(
  request: Request,
  context: EncodeContext,
): { system?: string | BlockOf<'text'>[]; messages: WireMessage[] } {
  const { losses } = context
  const pairs = pairCalls(request.messages)
  const lead = leadingInstructions(request.messages)
  const system: Block[] = []
  const messages: WireMessage[] = []
  let base: number | undefined // the first instruction that says something: the others join it
  for (const turn of arrangeTurns(request.messages, losses)) {
    const { message, index } = turn
    const instructs = message.role === 'system' || message.role === 'developer'
    if (message.name !== undefined) losses.dropped(['messages', index, 'name'], 'messages turns have no names')
    if (index < lead) {
      const before = system.length
      encodeTurn(turn, system, context, pairs, isText)
      if (system.length === before) {
        losses.dropped(['messages', index], 'an empty instruction says nothing')
        continue
      }
      if (message.role === 'developer')
        losses.changed(['messages', index, 'role'], 'system', 'messages has one system prompt')
      if (message.extras?.[NAME] !== undefined)
        losses.dropped(['messages', index, 'extras', NAME], 'messages has no message for these')
      if (base !== undefined) losses.merged(['messages', index], ['messages', base], 'messages has one system prompt')
      base ??= index
      continue
    }
    const bare = instructs ? undefined : bareText(turn)
    if (bare !== undefined) {
      messages.push({ role: message.role === 'assistant' ? 'assistant' : 'user', content: bare })
      continue
    }
    const blocks: Block[] = []
    encodeTurn(turn, blocks, context, pairs, message.role === 'assistant' ? isOfAssistant : isOfUser)
    if (blocks.length === 0) {
      losses.dropped(['messages', index], 'an empty message is refused')
      continue
    }
    if (instructs) losses.changed(['messages', index, 'role'], 'user', 'messages has instructions at the start only')
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    messages.push(restore(NAME, message, { role, content: plain(blocks) }))
  }
  return { ...(system.length === 0 ? {} : { system: plain(system) as string | BlockOf<'text'>[] }), messages } // isText let only text in
}

function encodeTurn(
  turn: Turn,
  blocks: Block[],
  context: EncodeContext,
  pairs: Pairs,
  allowed: (part: Part) => boolean,
): void {
  eachPart(turn, context.losses, (part) => {
    if (allowed(part)) encodePart(part, blocks, context, pairs)
    else context.losses.dropped([], `messages has no ${part.type} in a ${turn.message.role} turn`)
  })
}

const isText = (part: Part) => part.type === 'text'
const isOfUser = (part: Part) => !(part.type === 'tool-call' || part.type === 'reasoning' || isServerResult(part))
const isOfAssistant = (part: Part) =>
  part.type === 'tool-result' ? part.by === 'server' : part.type !== 'media' && part.type !== 'search-hit'
const isServerResult = (part: Part) => part.type === 'tool-result' && part.by === 'server'

function encodeTools(request: Request, context: EncodeContext): MessagesRequest['tools'] {
  if (request.tools === undefined) return undefined
  const tools = request.tools.flatMap((tool, index) => {
    context.losses.enter('tools', index)
    const wire = encodeTool(tool, context)
    context.losses.leave()
    return wire ?? []
  })
  return tools.length === 0 && request.tools.length > 0 ? undefined : tools
}

function encodeChoice(request: Request, context: EncodeContext): MessagesRequest['tool_choice'] {
  return request.toolChoice === undefined ? undefined : encodeToolChoice(request.toolChoice, context)
}

const UNSAID_SETTINGS = ['presencePenalty', 'frequencyPenalty', 'seed', 'logitBias', 'logprobs', 'candidates'] as const
const UNSAID = ['safety', 'cachedContent', 'routing'] as const

function reportUnsaid(request: Request, { losses }: EncodeContext): void {
  for (const key of UNSAID_SETTINGS)
    if (request.settings[key] !== undefined) losses.dropped(['settings', key], `messages has no ${key}`)
  for (const key of UNSAID) if (request[key] !== undefined) losses.dropped([key], `messages has no ${key}`)
  const { stream, usage, hideReasoning } = request.delivery
  if (hideReasoning !== undefined) losses.dropped(['delivery', 'hideReasoning'], 'messages shows its reasoning')
  if (stream && usage === undefined) losses.added(['delivery', 'usage'], true, 'messages streams end with usage')
  else if (stream && !usage) losses.changed(['delivery', 'usage'], true, 'messages streams end with usage')
  else if (!stream && usage !== undefined)
    losses.dropped(['delivery', 'usage'], 'only streams have a choice about usage')
  if (request.toolChoice !== undefined && request.tools === undefined)
    losses.dropped(['toolChoice'], 'there are no tools')
}
