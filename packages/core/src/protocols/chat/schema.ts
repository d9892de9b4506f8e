import {
  atLeast,
  atMost,
  byTag,
  either,
  filled,
  flag,
  json,
  list,
  mapOf,
  maybe,
  nullable,
  number,
  object,
  only,
  optional,
  positive,
  refine,
  text,
  textOr,
  upTo,
  whole,
  type Infer,
} from '../../lib/schema.ts'
import { cacheControl } from '../cache-control.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'chat'
export const ISSUER = 'openai'

/** The wire, as clients send it. Objects are loose: what is not named here is kept. */

const textPart = object({ type: only('text'), text, ...cacheControl })
const knownParts = {
  text: textPart,
  image_url: object({
    type: only('image_url'),
    image_url: object({ url: text, detail: optional(text) }),
    ...cacheControl,
  }),
  input_audio: object({
    type: only('input_audio'),
    input_audio: object({ data: text, format: text }),
    ...cacheControl,
  }),
  file: object({
    type: only('file'),
    file: object({ file_id: optional(text), file_data: optional(text), filename: optional(text) }),
    ...cacheControl,
  }),
  refusal: object({ type: only('refusal'), refusal: text }),
}
/** A kind of part this version does not know is kept whole. */
const contentPart = byTag('type', knownParts, object({ type: text }))
/** The kinds known here; at run time any other kind can stand in its place, and meets the default of every switch. */
export type WirePart = Infer<(typeof knownParts)[keyof typeof knownParts]>

const texts = textOr(list(textPart))
const functionCall = object({ name: text, arguments: text })
const functionToolCall = object({ id: text, type: optional(only('function')), function: functionCall })
const customToolCall = object({ id: text, type: only('custom'), custom: object({ name: text, input: text }) })
const toolCall = byTag('type', { function: functionToolCall, custom: customToolCall }, functionToolCall)
const reasoningDetail = object({
  type: text,
  text: maybe(text),
  summary: maybe(text),
  data: maybe(text),
  signature: maybe(text),
  index: maybe(number),
})

const assistantMessage = object({
  role: only('assistant'),
  content: maybe(textOr(list(contentPart))),
  refusal: maybe(text),
  name: optional(text),
  tool_calls: maybe(list(toolCall)),
  function_call: maybe(functionCall),
  reasoning: maybe(text),
  reasoning_content: maybe(text),
  reasoning_details: maybe(list(reasoningDetail)),
})
const message = byTag('role', {
  user: object({ role: only('user'), content: textOr(list(contentPart)), name: optional(text) }),
  assistant: refine(
    assistantMessage,
    ({ content, tool_calls, function_call, refusal }) =>
      content != null || tool_calls != null || function_call != null || refusal != null,
    'is required when there are no tool calls',
    ['content'],
  ),
  tool: object({ role: only('tool'), tool_call_id: text, content: texts, name: optional(text) }),
  system: object({ role: only('system'), content: texts, name: optional(text) }),
  developer: object({ role: only('developer'), content: texts, name: optional(text) }),
  function: object({ role: only('function'), name: text, content: nullable(text) }),
})

const named = { name: filled(text), description: optional(text) }
const tool = byTag('type', {
  function: object({
    type: only('function'),
    function: object({ ...named, parameters: optional(json), strict: maybe(flag) }),
    ...cacheControl,
  }),
  custom: object({ type: only('custom'), custom: object({ ...named, format: optional(json) }) }),
})
const toolChoice = either(
  only('none', 'auto', 'required'),
  byTag('type', {
    function: object({ type: only('function'), function: object({ name: text }) }),
    custom: object({ type: only('custom'), custom: object({ name: text }) }),
    allowed_tools: object({ type: only('allowed_tools') }),
  }),
)

const formatName = refine(
  text,
  (name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name),
  'must be 1 to 64 letters, digits, underscores or dashes',
)
const responseFormat = byTag('type', {
  text: object({ type: only('text') }),
  json_object: object({ type: only('json_object') }),
  json_schema: object({
    type: only('json_schema'),
    json_schema: object({
      name: formatName,
      schema: optional(json),
      strict: maybe(flag),
      description: optional(text),
    }),
  }),
})

/** Members of the `provider` object, which some clients nest one level deeper. */
const routing = {
  type: maybe(only('priority', 'round_robin', 'least_latency')),
  primary_factor: maybe(only('cost', 'speed', 'quality')),
  providers: maybe(list(text)),
  fallback: maybe(textOr(flag)),
}

const modelRouting = object({
  available_models: maybe(list(text)),
  preference: maybe(text),
  task_info: maybe(
    object({
      task_type: maybe(only('chat', 'completion', 'embedding')),
      complexity: maybe(only('low', 'medium', 'high')),
      additional_properties: maybe(json),
    }),
  ),
  additional_properties: maybe(json),
})

const within = (least: number, most: number) => atMost(atLeast(number, least), most)

export const chatRequest = object(
  {
    model: filled(text),
    messages: filled(list(message)),
    max_completion_tokens: maybe(positive),
    max_tokens: maybe(positive),
    temperature: maybe(number),
    top_p: maybe(number),
    n: maybe(refine(number, (n) => n === 1, 'only 1 is supported')),
    frequency_penalty: maybe(within(-2, 2)),
    presence_penalty: maybe(within(-2, 2)),
    stop: maybe(textOr(upTo(4, list(text)))),
    logit_bias: maybe(mapOf(within(-100, 100))),
    logprobs: maybe(flag),
    top_logprobs: maybe(atMost(atLeast(whole, 0), 20)),
    seed: maybe(whole),
    tools: maybe(list(tool)),
    tool_choice: maybe(toolChoice),
    parallel_tool_calls: maybe(flag),
    reasoning_effort: maybe(text),
    reasoning: maybe(
      object({ enabled: maybe(flag), effort: maybe(text), max_tokens: maybe(number), exclude: maybe(flag) }),
    ),
    verbosity: maybe(text),
    web_search_options: maybe(json),
    metadata: maybe(refine(mapOf(text), (pairs) => Object.keys(pairs).length <= 16, 'has at most 16 pairs')),
    stream: maybe(flag),
    stream_options: maybe(object({ include_usage: optional(flag) })),
    response_format: maybe(responseFormat),
    provider: maybe(object({ ...routing, routing: maybe(object(routing)) })),
    model_routing_config: maybe(modelRouting),
    usage: maybe(object({ include: optional(flag) })),
  },
  'audio modalities functions function_call prompt_cache_key prompt_cache_retention safety_identifier store service_tier prediction user',
)

/** The body of `POST /chat/completions`. */
export type ChatRequest = Infer<typeof chatRequest>
export type WireMessage = ChatRequest['messages'][number]
export type MessageOf<Role extends WireMessage['role']> = Extract<WireMessage, { role: Role }>
export type WireAssistant = Partial<MessageOf<'assistant'>>
export type WireTool = Infer<typeof tool>
export type WireToolChoice = Infer<typeof toolChoice>
export type WireToolCall = Infer<typeof toolCall>
export type WireDetail = Infer<typeof reasoningDetail>
export type WireCacheControl = NonNullable<Infer<(typeof cacheControl)['cache_control']>>
export type WireFormat = Infer<typeof responseFormat>

/** An answer, read leniently: nothing about an upstream's answer is taken for granted. */
export interface ChatResponse extends WireSources {
  readonly id?: string
  readonly object?: string
  readonly created?: number
  readonly model?: string
  readonly choices?: readonly WireChoice[]
  readonly usage?: WireUsage | null
  readonly error?: unknown
}

/** What some upstreams say beside the choices: addresses, and more about them. */
export interface WireSources {
  readonly citations?: readonly string[] | null
  readonly search_results?: readonly WireSearchResult[] | null
}

export interface WireSearchResult {
  readonly url?: string
  readonly title?: string
}

export interface WireChoice {
  readonly index?: number
  readonly message?: WireAnswer
  readonly finish_reason?: string | null
  readonly logprobs?: WireLogprobs | null
  readonly usage?: WireUsage | null
}

/** An assistant message with what only answers hold. */
export type WireAnswer = WireAssistant & { readonly annotations?: readonly WireAnnotation[] | null }

export interface WireAnnotation {
  readonly type?: string
  readonly url_citation?: {
    readonly url?: string
    readonly title?: string
    readonly start_index?: number
    readonly end_index?: number
  }
}

export interface WireLogprobs {
  readonly content?: readonly WireLogprob[] | null
  readonly refusal?: readonly WireLogprob[] | null
}

export interface WireLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[] | null
  readonly top_logprobs?: readonly WireLogprob[]
}

export interface WireUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly total_tokens?: number | null
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

/** One chunk of a streamed answer. */
export interface WireChunk extends Omit<ChatResponse, 'choices'> {
  readonly choices?: readonly (WireChoice & { readonly delta?: WireDelta })[]
}

export interface WireDelta {
  readonly role?: string
  readonly content?: string | readonly WirePart[] | null
  readonly refusal?: string | null
  readonly reasoning?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning_details?: readonly WireDetail[] | null
  readonly annotations?: readonly WireAnnotation[] | null
  readonly tool_calls?: readonly WireCallDelta[] | null
}

export interface WireCallDelta {
  readonly index?: number
  readonly id?: string | null
  readonly type?: string
  readonly function?: { readonly name?: string; readonly arguments?: string | null }
  readonly custom?: { readonly name?: string; readonly input?: string | null }
}
