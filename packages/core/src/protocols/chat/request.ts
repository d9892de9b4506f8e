import { keep, known, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { NO_LOSSES, type Losses, type Path } from '../../ir/loss.ts'
import type { Message, ModelRequest } from '../../ir/request.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Media, Part, ToolResult } from '../../ir/part.ts'
import { customNames, distinctTools, type Tool, type ToolChoice } from '../../ir/tool.ts'
import { carryImages } from '../../ir/carry-images.ts'
import { mediaInside } from '../../ir/unsupported-part.ts'
import {
  arrangeTurns,
  eachPart,
  encodeBeside,
  partPath,
  plainTextOf,
  reportEmptyTurn,
  type Beside,
  type Turn,
} from '../../ir/turns.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeServing, encodeServing } from '../openai.ts'
import type { DecodeContext, EncodeContext, Encoding } from '../context.ts'
import type { WireAnswerMessage } from './answer-schema.ts'
import { decodeAssistant, encodeAssistant, ownRole, roleOf } from './assistant.ts'
import { findEcho } from './echoes.ts'
import { takeMark } from './cache.ts'
import { decodeResult, encodeResult } from './calls.ts'
import { decodeContent, decodePart, encodePart, plain } from './content.ts'
import { FORMS, TABLES, takesImages } from './members.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { chatRequest, NAME, userMessage, type ChatRequest, type WireMessage, type WirePart } from './schema.ts'
import {
  decodeOutput,
  encodeOutput,
  encodeStreamOptions,
  encodeUser,
  SETTINGS,
  unreadOutput,
  userMember,
} from './settings.ts'
import { decodeTool, decodeToolChoice, encodeSearch, encodeTool, encodeToolChoice, unreadChoice } from './tools.ts'

export function decodeRequest(wire: ChatRequest, context: DecodeContext): ModelRequest {
  const { tool_choice, parallel_tool_calls: parallel, stream, stream_options, metadata } = wire
  const request: Draft<ModelRequest> = {
    model: wire.model,
    messages: decodeMessages(wire.messages, context),
    settings: SETTINGS.decode(wire),
    delivery: defined({
      stream,
      usage: stream_options?.include_usage,
      obfuscation: stream_options?.include_obfuscation,
      hideReasoning: wire.reasoning?.exclude,
    }),
  }
  const tools = decodeTools(wire, context)
  const choice = decodeToolChoice(tool_choice, wire.tools, context)
  const reasoning = decodeReasoning(wire)
  const output = decodeOutput(wire)
  const routing = decodeRouting(wire)
  if (tools !== undefined) request.tools = tools
  if (choice !== undefined || parallel != null) request.toolChoice = defined({ parallel }, choice)
  if (reasoning !== undefined) request.reasoning = reasoning
  if (output !== undefined) request.output = output
  const user = userMember(wire)
  if (user !== undefined) request.user = wire[user] as string // it is one
  if (metadata != null) request.metadata = metadata
  if (routing !== undefined) request.routing = routing
  return keep(request, NAME, decodeServing(withoutMember(unread(wire, choice), user), request))
}

/** Provider preferences, for the gateway. */
function decodeRouting({ provider, model_routing_config, usage }: ChatRequest): JsonObject | undefined {
  if (provider == null && model_routing_config == null && usage == null) return undefined
  return defined({ provider, model_routing_config, usage }) as JsonObject // parsed JSON
}

/** Which members of some objects are read depends on their values. */
function unread(wire: ChatRequest, choice: ToolChoice | undefined): JsonObject | undefined {
  const { tool_choice, response_format, logprobs, top_logprobs } = wire
  const rest = unknownOf(wire, REQUEST)
  if (tool_choice == null && response_format == null && top_logprobs == null) return rest
  const members = {
    tool_choice: unreadChoice(tool_choice, choice),
    response_format: unreadOutput(wire),
    top_logprobs: logprobs === true ? undefined : top_logprobs,
  }
  const all = defined(members, rest)
  return isEmpty(all) ? undefined : all
}

const REQUEST = known(chatRequest, { apart: ['provider', 'model_routing_config', 'usage'] })

/** In chat, web search is a member of the request; in the IR it is a tool. */
function decodeTools({ tools, web_search_options: search }: ChatRequest, context: DecodeContext): Tool[] | undefined {
  const declared = tools?.map((tool) => decodeTool(tool, context))
  if (search == null) return declared?.length === 0 ? undefined : declared
  const options = search as JsonObject // parsed JSON
  return [...(declared ?? []), { type: 'builtin', kind: 'web-search', protocol: NAME, options }]
}

const MESSAGE = known(userMessage)

/** Tool messages join the next user message: together they are the turn that answers the calls. */
function decodeMessages(wire: readonly WireMessage[], context: DecodeContext): Message[] {
  const messages: Message[] = []
  let results: ToolResult[] = []
  const flush = () => {
    if (results.length > 0) messages.push({ role: 'user', parts: results })
    results = []
  }
  for (const each of wire) {
    if (each.role === 'tool' || each.role === 'function') {
      results.push(decodeResult(each, context))
      continue
    }
    const role = roleOf(each)
    const unread = role === each.role ? undefined : { role: each.role }
    if (role === 'assistant') {
      flush()
      const given = each as WireAnswerMessage // its images and audio are read leniently
      const message = decodeAssistant(findEcho(given)?.wire ?? given, context)
      if (each.name !== undefined) message.name = each.name
      messages.push(
        unread === undefined ? message : { ...message, extras: { [NAME]: { ...message.extras?.[NAME], ...unread } } },
      )
    } else {
      if (each.role !== 'user') flush()
      const content = decodeContent(each.content)
      const message: Draft<Message> = {
        role,
        parts: results.length === 0 ? content : [...results, ...content],
      }
      results = []
      if (each.name !== undefined) message.name = each.name
      const rest = takeMark(content.at(-1), unknownOf(each, MESSAGE))
      messages.push(keep(message, NAME, unread === undefined ? rest : { ...rest, ...unread }))
    }
  }
  flush()
  return messages
}

export function encodeRequest(request: ModelRequest, context: EncodeContext): ChatRequest {
  const { losses } = context
  const { model, toolChoice, delivery, metadata, routing } = request
  const tools = encodeTools(request, losses, context)
  const choice = tools === undefined ? undefined : toolChoice
  const { reasoning, reasoning_effort } = encodeReasoning(request.reasoning, delivery.hideReasoning, losses, context)
  const { response_format, verbosity } = encodeOutput(request.output, losses.at('output'), context)
  const members = {
    model,
    messages: encodeMessages(request, losses, context),
    tools: tools?.tools,
    web_search_options: tools?.web_search_options,
    tool_choice:
      choice && encodeToolChoice(choice, new Set(customNames(request.tools)), losses.at('toolChoice'), context),
    parallel_tool_calls: choice?.parallel,
    reasoning,
    reasoning_effort,
    response_format,
    verbosity,
    ...encodeUser(request.user, losses, context),
    metadata: metadata as ChatRequest['metadata'], // as chat has it
    stream: delivery.stream,
    ...encodeServing(request, context.dialect?.['serving'], losses),
    stream_options: encodeStreamOptions(delivery, losses.at('delivery'), context),
  }
  const scope = { losses: losses.at('settings'), context, stream: delivery.stream }
  const settings = SETTINGS.encode(request.settings, scope)
  const wire: ChatRequest = defined(members, routing === undefined ? settings : { ...settings, ...routing })
  if (toolChoice !== undefined && tools === undefined) losses.dropped(['toolChoice'], 'there are no tools')
  reportUnsupported(delivery, TABLES.delivery, losses.at('delivery'), context)
  reportUnsupported(request, TABLES.request, losses, context)
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}

function encodeTools(
  request: ModelRequest,
  losses: Losses,
  context: Encoding,
): Pick<ChatRequest, 'tools' | 'web_search_options'> | undefined {
  if (request.tools === undefined) return undefined
  let search: JsonObject | undefined
  let last = 0
  let after = 0 // tools after the search: a reader puts it last
  const tools: NonNullable<ChatRequest['tools']> = []
  for (const [index, tool] of distinctTools(request.tools, losses)) {
    const at = losses.at('tools', index)
    const searches = tool.type === 'builtin' && tool.kind === 'web-search' && search === undefined
    if (searches) {
      search = encodeSearch(tool, at, context)
      last = index
    }
    const wire = searches ? undefined : encodeTool(tool, at, context)
    if (wire === undefined) continue
    if (search !== undefined) after++
    tools.push(wire)
  }
  if (after > 0) losses.moved(['tools', last], ['tools'], 'chat has web search outside of its tools')
  if (tools.length === 0 && search === undefined) return undefined
  return defined({
    tools: tools.length === 0 ? undefined : tools,
    web_search_options: search,
  })
}

function encodeMessages(request: ModelRequest, losses: Losses, context: Encoding): WireMessage[] {
  const pairs = pairCalls(request.messages)
  const messages: WireMessage[] = []
  let resultsOf: number | undefined // the turn whose results end the list so far, without text of its own
  const arranged = arrangeTurns(request.messages, losses)
  const turns = takesImages(context) ? arranged : carryImages(arranged, isInline, losses)
  for (const turn of turns) {
    const { message, index } = turn
    const before = messages.length
    const plainText = plainTextOf(turn)
    if (plainText !== undefined) messages.push({ role: message.role, content: plainText })
    else if (message.role === 'assistant') pushAssistant(turn, messages, losses, context, pairs)
    else pushUserTurn(turn, messages, losses, context, pairs)
    const last = messages.at(-1)
    if (messages.length === before) continue
    const answers = last?.role === 'user' && messages.length === before + 1
    if (answers && resultsOf !== undefined)
      losses.merged(['messages', index], ['messages', resultsOf], 'chat joins two answers in a row')
    resultsOf = last?.role === 'tool' ? index : undefined
    if (last?.role !== 'tool') continue
    // A turn of only results is not a separate message in chat.
    reportUnsupported(message, FORMS.resultTurn, losses.at('messages', index), context)
  }
  return messages
}

/** An image that a user message can contain. */
function isInline({ source }: Media): boolean {
  return source.kind === 'base64' || source.kind === 'url'
}

function pushAssistant(turn: Turn, messages: WireMessage[], losses: Losses, context: Encoding, pairs: Pairs): void {
  const { message } = turn
  const wire = encodeAssistant(turn, 'many', losses, context, pairs)
  if (wire === undefined) return reportEmptyTurn(turn, 'nothing is left of it', losses)
  const sent: WireMessage = { ...wire, role: ownRole(message) as 'assistant' }
  if (message.name !== undefined) sent.name = message.name
  messages.push(restore(NAME, message, sent))
}

const NO_MEDIA = 'chat results hold no media'

/** The results of a user's turn as tool messages, then the rest, with the media that tool messages cannot contain. */
function pushUserTurn(turn: Turn, messages: WireMessage[], losses: Losses, context: Encoding, pairs: Pairs): void {
  const { message, index } = turn
  const own: WirePart[] = []
  const last: WirePart[] = [] // own parts that were moved
  const beside: Beside[] = []
  const moved: { readonly part: Part; readonly losses: Losses; readonly from: Path }[] = []
  const before = messages.length
  const firstMoved = turn.parts.length - (turn.moved ?? 0)
  const addInside = (part: Part) => {
    for (const inner of mediaInside(part)) beside.push({ part: inner, reason: 'chat has no media in documents' })
  }
  eachPart(turn, losses, (part, scope, position) => {
    if (part.type !== 'tool-result' || part.by !== 'client' || message.role !== 'user') {
      const wire = encodePart(part, scope, context)
      if (wire !== undefined) (position < firstMoved ? own : last).push(wire)
      return addInside(part)
    }
    const { message: result, media } = encodeResult(part, scope, context, pairs)
    for (const each of media) {
      if (each.index === undefined) beside.push({ part: each.part, reason: NO_MEDIA })
      else {
        const inside = scope.at('output').at('parts', each.index)
        const from = [...partPath(turn, position), 'output', 'parts', each.index]
        moved.push({ part: each.part, losses: inside, from })
      }
      addInside(each.part)
    }
    messages.push(result)
  })
  // Parts that were moved to the end of the turn come after the added media.
  const added = encodeBeside(beside, turn, losses, (part) => encodePart(part, NO_LOSSES, context), decodePart)
  const content = [...own, ...added, ...last]
  for (const { part, losses: inside, from } of moved) {
    const wire = encodePart(part, inside, context)
    if (wire === undefined) continue
    losses.moved(from, ['messages', index, 'parts'], NO_MEDIA)
    content.push(wire)
  }
  if (content.length === 0 && messages.length > before) return
  if (content.length === 0 && message.parts.length > 0)
    return losses.dropped(['messages', index], 'nothing is left of it')
  const wire = defined({ role: ownRole(message) as 'user', content: plain(content), name: message.name }) // or an instruction, which looks the same
  messages.push(restore(NAME, message, wire))
}
