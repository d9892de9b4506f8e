import { keep, known, restore, unknownOf, withoutMember } from '../../ir/extras.ts'
import { reportForeign } from '../../ir/foreign-extras.ts'
import { reportStreamUsage, type Delivery, type ModelRequest } from '../../ir/request.ts'
import type { ToolChoice } from '../../ir/tool.ts'
import { defined, type Draft } from '../../lib/members.ts'
import { isEmpty, isObject, type JsonObject } from '../../lib/json.ts'
import { reportUnsupported } from '../member-tables.ts'
import { decodeServing, encodeServing } from '../openai.ts'
import type { DecodeContext, EncodeContext } from '../context.ts'
import { TABLES } from './members.ts'
import { decodeOptions, encodeOptions, unreadOptions } from './reasoning.ts'
import { fitTools, knownTools } from './fit-tools.ts'
import { NAME, responsesRequest, type ResponsesRequest } from './schema.ts'
import {
  decodeOutput,
  encodeOutput,
  encodeIncludes,
  encodeUser,
  SETTINGS,
  unreadIncludes,
  unreadLogprobs,
  unreadText,
  userMember,
} from './settings.ts'
import { decodeToolChoice, decodeTools, encodeToolChoice, encodeTools, unreadChoice } from './tools.ts'
import { decodeInput, encodeInput } from './input.ts'

export function decodeRequest(wire: ResponsesRequest, context: DecodeContext): ModelRequest {
  const { tool_choice, parallel_tool_calls: parallel, metadata } = wire
  const { messages, tools: later } = decodeInput(wire, context)
  const tools = [...decodeTools(wire.tools ?? [], context), ...later]
  const request: Draft<ModelRequest> = {
    model: wire.model,
    messages,
    settings: SETTINGS.decode(wire),
    delivery: decodeDelivery(wire),
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
  if (metadata != null) request.metadata = metadata
  return keep(request, NAME, keepOwn(decodeServing(withoutMember(unread(wire, choice), user), request), request))
}

/** What OpenAI serves only through this protocol stays with its own members: chat would refuse it. */
function keepOwn(rest: JsonObject | undefined, request: Draft<ModelRequest>): JsonObject | undefined {
  const { promptCacheOptions } = request
  if (promptCacheOptions?.['comparison_response_id'] === undefined) return rest
  const { comparison_response_id, ...options } = promptCacheOptions
  if (isEmpty(options)) delete request.promptCacheOptions
  else request.promptCacheOptions = options
  return { ...rest, prompt_cache_options: { comparison_response_id } }
}

/** Its streams always end with usage. */
function decodeDelivery({ stream, stream_options }: ResponsesRequest): Delivery {
  return defined({
    stream,
    usage: stream ? true : undefined,
    obfuscation: stream_options?.include_obfuscation,
  })
}

/** Which members of some objects are read depends on their values. */
function unread(wire: ResponsesRequest, choice: ToolChoice | undefined): JsonObject | undefined {
  const members = defined({
    include: unreadIncludes(wire),
    top_logprobs: unreadLogprobs(wire),
    tool_choice: unreadChoice(wire.tool_choice, choice),
    reasoning: unreadOptions(wire.reasoning),
    text: unreadText(wire.text),
  }) as JsonObject // parsed JSON
  const rest = unknownOf(wire, REQUEST)
  return isEmpty(members) ? rest : { ...rest, ...members }
}

const REQUEST = known(responsesRequest, {
  apart: ['reasoning', 'text', 'tool_choice', 'metadata'],
  unread: ['prompt_cache_key', 'user'],
})

export function encodeRequest(request: ModelRequest, context: EncodeContext): ResponsesRequest {
  const { losses } = context
  const { model, toolChoice, delivery, metadata } = request
  const own = request.extras?.[NAME]
  const types = knownTools(context.dialect)
  const { messages, tools } =
    types === undefined
      ? { messages: request.messages, tools: (request.tools ?? []).map((tool, index) => [index, tool] as const) }
      : fitTools(request, types, losses)
  const first = encodeTools(
    tools.filter(([, { since }]) => since === undefined),
    losses,
    context,
  )
  const choice = tools.length === 0 ? undefined : toolChoice
  const { instructions, input } = encodeInput(messages, tools, losses, context)
  const members = {
    model,
    instructions,
    input,
    tools: first.length === 0 ? undefined : first,
    tool_choice: choice && encodeToolChoice(choice, tools, losses.at('toolChoice'), context),
    parallel_tool_calls: choice?.parallel,
    reasoning: encodeOptions(request.reasoning, isObject(own?.['reasoning']) ? own['reasoning'] : undefined, losses),
    text: encodeOutput(request.output, losses.at('output'), context),
    safety_identifier: encodeUser(request.user, losses),
    metadata,
    ...encodeServing(request, undefined, losses),
    stream: delivery.stream,
    stream_options:
      delivery.obfuscation === undefined || !delivery.stream
        ? undefined
        : { include_obfuscation: delivery.obfuscation },
    store: context.toward === 'upstream' ? false : undefined,
  }
  const settings = {
    ...SETTINGS.encode(request.settings, { losses: losses.at('settings'), context }),
    include: encodeIncludes(request.settings, first, own),
  }
  const wire = defined(members, settings) as ResponsesRequest // JSON by construction
  if (toolChoice !== undefined && tools.length === 0) losses.dropped(['toolChoice'], 'there are no tools')
  if (delivery.obfuscation !== undefined && !delivery.stream)
    losses.dropped(['delivery', 'obfuscation'], 'only streams have padding')
  reportUnsupported(delivery, TABLES.delivery, losses.at('delivery'), context)
  reportStreamUsage(delivery, NAME, losses.at('delivery'))
  reportUnsupported(request, TABLES.request, losses, context)
  reportForeign(request, NAME, losses)
  return restore(NAME, request, wire)
}
