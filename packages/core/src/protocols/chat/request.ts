import { leftover, nest, restore, unknownOf } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/leftovers.ts'
import { NO_LOSSES, type Path } from '../../ir/loss.ts'
import type { Message } from '../../ir/message.ts'
import { pairCalls, type Pairs } from '../../ir/pairs.ts'
import type { Part, ToolResult } from '../../ir/part.ts'
import type { Delivery, Request } from '../../ir/request.ts'
import type { Tool } from '../../ir/tool.ts'
import { arrangeTurns, bareText, eachPart, type Turn } from '../../ir/turns.ts'
import type { Draft } from '../../lib/draft.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import type { DecodeContext, EncodeContext } from '../protocol.ts'
import { decodeResult, encodeResult } from './calls.ts'
import { decodeContent, encodePart, plain } from './content.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeAssistant, encodeAssistant } from './assistant.ts'
import { NAME, type ChatRequest, type WireMessage, type WirePart } from './schema.ts'
import { decodeFormat, decodeSettings, encodeOutput, encodeSettings, formatRest } from './settings.ts'
import { decodeTool, decodeToolChoice, encodeSearch, encodeTool, encodeToolChoice } from './tools.ts'

export function decodeRequest(wire: ChatRequest, context: DecodeContext): Request {
  const { model, messages, tools, tool_choice, parallel_tool_calls: parallel, metadata, stream } = wire
  const request: Draft<Request> = {
    model,
    messages: decodeMessages(messages, context),
    settings: decodeSettings(wire),
    delivery: {},
  }
  let left: object = unknownOf(wire, REQUEST) ?? {}
  if (wire.top_logprobs != null && wire.logprobs !== true) left = { ...left, top_logprobs: wire.top_logprobs }
  if (tools != null || wire.web_search_options != null) request.tools = decodeTools(wire, context)
  const choice = decodeToolChoice(tool_choice, context)
  if (choice.choice !== undefined || parallel != null) {
    request.toolChoice = { ...choice.choice, ...(parallel == null ? {} : { parallel }) }
  }
  left = nest(left, 'tool_choice', choice.rest)
  const wish = decodeReasoning(wire)
  if (wish !== undefined) request.reasoning = wish
  if (wire.response_format != null || wire.verbosity != null) {
    const output = {
      ...decodeFormat(wire.response_format),
      ...(wire.verbosity == null ? {} : { verbosity: wire.verbosity }),
    }
    if (!isEmpty(output)) request.output = output
    left = nest(left, 'response_format', formatRest(wire.response_format))
  }
  if (metadata != null) request.metadata = metadata
  const delivery: Draft<Delivery> = stream == null ? {} : { stream }
  if (wire.stream_options != null) {
    const { include_usage, ...rest } = wire.stream_options
    if (include_usage !== undefined) delivery.usage = include_usage
    left = nest(left, 'stream_options', rest)
  }
  if (wire.reasoning != null) {
    const { enabled, effort, max_tokens, exclude, ...rest } = wire.reasoning
    if (exclude != null) delivery.hideReasoning = exclude
    left = nest(left, 'reasoning', rest)
  }
  request.delivery = delivery
  const routing = decodeRouting(wire)
  if (routing !== undefined) request.routing = routing
  return isEmpty(left) ? request : { ...request, ...leftover(NAME, left) }
}

const REQUEST = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'verbosity',
  'reasoning',
  'reasoning_effort',
  'metadata',
  'stream',
  'stream_options',
  'web_search_options',
  'provider',
  'model_routing_config',
  'usage',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'logit_bias',
  'n',
  'stop',
  'logprobs',
  'top_logprobs',
])

/** Web search is a member of the request in chat, and a tool among others here. */
function decodeTools({ tools, web_search_options: search }: ChatRequest, context: DecodeContext): Tool[] {
  const declared: Tool[] = (tools ?? []).map((tool) => decodeTool(tool, context))
  if (search != null) declared.push({ ...WEB_SEARCH, options: search as JsonObject }) // parsed JSON
  return declared
}

/** Whom to ask, for the gateway. */
function decodeRouting({ provider, model_routing_config, usage }: ChatRequest): JsonObject | undefined {
  if (provider == null && model_routing_config == null && usage == null) return undefined
  return {
    ...(provider == null ? {} : { provider }),
    ...(model_routing_config == null ? {} : { model_routing_config }),
    ...(usage == null ? {} : { usage }),
  } as JsonObject // parsed JSON
}

const WEB_SEARCH = { type: 'builtin', kind: 'web-search', protocol: NAME } as const

const MESSAGE = new Set(['role', 'content', 'name'])

/** Tool messages join the user message that follows them: together they are the turn that answers. */
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
    } else if (each.role === 'assistant') {
      flush()
      const message: Draft<Message> = { role: 'assistant', ...decodeAssistant(each, context) }
      if (each.name !== undefined) message.name = each.name
      messages.push(message)
    } else {
      if (each.role !== 'user') flush()
      const said = decodeContent(each.content, context)
      const message: Draft<Message> = { role: each.role, parts: results.length === 0 ? said : [...results, ...said] }
      results = []
      if (each.name !== undefined) message.name = each.name
      const rest = unknownOf(each, MESSAGE)
      if (rest !== undefined) message.extras = { [NAME]: rest }
      messages.push(message)
    }
  }
  flush()
  return messages
}

export function encodeRequest(request: Request, context: EncodeContext): ChatRequest {
  const tools = encodeTools(request, context)
  const { toolChoice, delivery, metadata, routing } = request
  const choice = tools === undefined || toolChoice === undefined ? undefined : encodeToolChoice(toolChoice, context)
  const usage =
    delivery.usage === undefined || !delivery.stream ? {} : { stream_options: { include_usage: delivery.usage } }
  const wire = {
    model: request.model,
    messages: encodeMessages(request, context),
    ...encodeSettings(request.settings, context),
    ...(tools === undefined ? {} : tools),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(tools === undefined || toolChoice?.parallel === undefined ? {} : { parallel_tool_calls: toolChoice.parallel }),
    ...encodeReasoning(request.reasoning, delivery.hideReasoning, context),
    ...encodeOutput(request.output, context),
    ...(metadata === undefined ? {} : { metadata }),
    ...(delivery.stream === undefined ? {} : { stream: delivery.stream }),
    ...usage,
    ...routing,
  } as ChatRequest // built of its members
  if (delivery.usage !== undefined && !delivery.stream)
    context.losses.dropped(['delivery', 'usage'], 'only streams have a choice about usage')
  if (toolChoice !== undefined && tools === undefined) context.losses.dropped(['toolChoice'], 'there are no tools')
  for (const key of ['safety', 'cachedContent'] as const) {
    if (request[key] !== undefined) context.losses.dropped([key], `chat has no ${key}`)
  }
  reportForeign(request, NAME, context.losses)
  return restore(NAME, request, wire)
}

function encodeTools(
  request: Request,
  context: EncodeContext,
): Pick<ChatRequest, 'tools' | 'web_search_options'> | undefined {
  if (request.tools === undefined) return undefined
  let search: JsonObject | undefined
  let place = 0
  let after = 0 // tools behind the search: it stands last for a reader
  const tools = request.tools.flatMap((tool, index) => {
    context.losses.enter('tools', index)
    const searches = tool.type === 'builtin' && tool.kind === 'web-search' && search === undefined
    if (searches) {
      search = encodeSearch(tool, context)
      place = index
    }
    const wire = searches ? undefined : encodeTool(tool, context)
    context.losses.leave()
    if (wire !== undefined && search !== undefined) after++
    return wire ?? []
  })
  if (after > 0) context.losses.moved(['tools', place], ['tools'], 'web search is no tool among others in chat')
  if (tools.length === 0 && search === undefined && request.tools.length > 0) return undefined
  return {
    ...(tools.length === 0 && search !== undefined ? {} : { tools }),
    ...(search === undefined ? {} : { web_search_options: search }),
  }
}

function encodeMessages(request: Request, context: EncodeContext): WireMessage[] {
  const { losses } = context
  const pairs = pairCalls(request.messages)
  const messages: WireMessage[] = []
  let resultsOf: number | undefined // the turn whose results end the list so far, without words of its own
  for (const turn of arrangeTurns(request.messages, losses)) {
    const { message, index } = turn
    const before = messages.length
    const bare = bareText(turn)
    if (bare !== undefined) messages.push({ role: message.role, content: bare })
    else if (message.role === 'assistant') pushAssistant(turn, messages, context, pairs)
    else pushSaid(turn, messages, context, pairs)
    const last = messages.at(-1)
    if (messages.length === before) continue
    const answers = last?.role === 'user' && messages.length === before + 1
    if (answers && resultsOf !== undefined)
      losses.merged(['messages', index], ['messages', resultsOf], 'chat tells no two answers in a row apart')
    resultsOf = last?.role === 'tool' ? index : undefined
    if (last?.role === 'tool') reportHomeless(message, index, context)
  }
  return messages
}

/** A turn of results alone is no message of its own in chat. */
function reportHomeless(message: Message, index: number, { losses }: EncodeContext): void {
  if (message.name !== undefined) losses.dropped(['messages', index, 'name'], 'chat names no tool results')
  if (message.extras?.[NAME] !== undefined)
    losses.dropped(['messages', index, 'extras', NAME], 'chat has no message for these')
}

function pushAssistant(turn: Turn, messages: WireMessage[], context: EncodeContext, pairs: Pairs): void {
  const { message, index } = turn
  const wire = encodeAssistant(turn.parts, { list: 'messages', index, origins: turn.origins }, 'many', context, pairs)
  if (wire === undefined) return context.losses.dropped(['messages', index], 'nothing is left of it')
  const name = message.name === undefined ? {} : { name: message.name }
  messages.push(restore(NAME, message, { role: 'assistant', ...wire, ...name }))
}

/** The results of a user's turn as tool messages, then what was said, with the media that tool messages cannot hold. */
function pushSaid(turn: Turn, messages: WireMessage[], context: EncodeContext, pairs: Pairs): void {
  const { losses } = context
  const { message, index } = turn
  const said: WirePart[] = []
  const beside: Part[] = []
  const moved: { readonly part: Part; readonly from: Path }[] = []
  let results = 0
  eachPart(turn, losses, (part, place) => {
    if (part.type === 'tool-result' && part.by === 'client' && message.role === 'user') {
      const { message: result, media } = encodeResult(part, context, pairs)
      const [from, at] = turn.origins?.[place] ?? [index, place]
      for (const each of media) {
        if (each.index === undefined) beside.push(each.part)
        else moved.push({ part: each.part, from: ['messages', from, 'parts', at, 'output', 'parts', each.index] })
      }
      messages.push(result)
      results++
    } else said.push(...encodePart(part, context))
  })
  let next = message.parts.length
  for (const part of beside) {
    for (const wire of encodePart(part, { ...context, losses: NO_LOSSES })) {
      const [read] = decodeContent([wire], context)
      losses.added(['messages', index, 'parts', next++], read, 'chat results hold no media')
      // What was moved behind the results comes after what is added to them.
      if (turn.origins === undefined) said.push(wire)
      else said.splice(next - message.parts.length - 1, 0, wire)
    }
  }
  for (const { part, from } of moved) {
    const wire = encodePart(part, { ...context, losses: scoped(losses, from) })
    if (wire.length > 0) losses.moved(from, ['messages', index, 'parts'], 'chat results hold no media')
    said.push(...wire)
  }
  if (said.length === 0 && results > 0) return
  if (said.length === 0 && message.parts.length > 0) return losses.dropped(['messages', index], 'nothing is left of it')
  const name = message.name === undefined ? {} : { name: message.name }
  messages.push(restore(NAME, message, { role: message.role as 'user', content: plain(said), ...name })) // or an instruction, which looks alike
}

/** Losses of a place given from the root. */
function scoped(losses: EncodeContext['losses'], path: Path): EncodeContext['losses'] {
  return {
    ...losses,
    dropped: (keys, reason) => losses.dropped([...path, ...keys], reason),
    changed: (keys, to, reason) => losses.changed([...path, ...keys], to, reason),
    added: (keys, to, reason) => losses.added([...path, ...keys], to, reason),
  }
}
