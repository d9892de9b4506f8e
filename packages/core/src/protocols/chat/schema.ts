import * as z from 'zod/mini'
import { byTag, list } from '../../lib/check.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'chat'
export const ISSUER = 'openai'

/** The wire, as clients send it. Objects are loose: what is not named here is kept. */

const json = z.record(z.string(), z.unknown())
const maybe = <T extends z.ZodMiniType>(schema: T): z.ZodMiniOptional<z.ZodMiniNullable<T>> =>
  z.optional(z.nullable(schema))

const cacheControl = z.looseObject({ type: z.literal('ephemeral'), ttl: z.optional(z.enum(['5m', '1h'])) })
const cached = { cache_control: maybe(cacheControl) }

const textPart = z.looseObject({ type: z.literal('text'), text: z.string(), ...cached })
const refusalPart = z.looseObject({ type: z.literal('refusal'), refusal: z.string() })
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string(), detail: z.optional(z.string()) }),
  ...cached,
})
const audioPart = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }),
  ...cached,
})
const filePart = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_id: z.optional(z.string()),
    file_data: z.optional(z.string()),
    filename: z.optional(z.string()),
  }),
  ...cached,
})
const knownParts = {
  text: textPart,
  image_url: imagePart,
  input_audio: audioPart,
  file: filePart,
  refusal: refusalPart,
}
/** A kind of part this version does not know is kept whole. */
const contentPart = byTag('type', knownParts, z.looseObject({ type: z.string() }))
/** The kinds known here; at run time any other kind can stand in its place, and meets the default of every switch. */
export type WirePart = z.infer<(typeof knownParts)[keyof typeof knownParts]>

const text = z.union([z.string(), list(textPart)])
const functionCall = z.looseObject({ name: z.string(), arguments: z.string() })
const toolCall = z.union([
  z.looseObject({ id: z.string(), type: z.optional(z.literal('function')), function: functionCall }),
  z.looseObject({
    id: z.string(),
    type: z.literal('custom'),
    custom: z.looseObject({ name: z.string(), input: z.string() }),
  }),
])
const reasoningDetail = z.looseObject({
  type: z.string(),
  text: maybe(z.string()),
  summary: maybe(z.string()),
  data: maybe(z.string()),
  signature: maybe(z.string()),
  index: maybe(z.number()),
})

const instruction = (role: 'system' | 'developer') =>
  z.looseObject({ role: z.literal(role), content: text, name: z.optional(z.string()) })
const userMessage = z.looseObject({
  role: z.literal('user'),
  content: z.union([z.string(), list(contentPart)]),
  name: z.optional(z.string()),
})
const assistantMessage = z
  .looseObject({
    role: z.literal('assistant'),
    content: maybe(z.union([z.string(), list(contentPart)])),
    refusal: maybe(z.string()),
    name: z.optional(z.string()),
    tool_calls: maybe(list(toolCall)),
    function_call: maybe(functionCall),
    reasoning: maybe(z.string()),
    reasoning_content: maybe(z.string()),
    reasoning_details: maybe(list(reasoningDetail)),
  })
  .check(
    z.refine(
      (message) =>
        message.content != null ||
        message.tool_calls != null ||
        message.function_call != null ||
        message.refusal != null,
      { message: 'is required when there are no tool calls', path: ['content'] },
    ),
  )
const toolMessage = z.looseObject({
  role: z.literal('tool'),
  tool_call_id: z.string(),
  content: text,
  name: z.optional(z.string()),
})
const functionMessage = z.looseObject({
  role: z.literal('function'),
  name: z.string(),
  content: z.nullable(z.string()),
})
const message = byTag('role', {
  user: userMessage,
  assistant: assistantMessage,
  tool: toolMessage,
  system: instruction('system'),
  developer: instruction('developer'),
  function: functionMessage,
})

const tool = z.union([
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: z.string().check(z.minLength(1)),
      description: z.optional(z.string()),
      parameters: z.optional(json),
      strict: maybe(z.boolean()),
    }),
    ...cached,
  }),
  z.looseObject({
    type: z.literal('custom'),
    custom: z.looseObject({
      name: z.string().check(z.minLength(1)),
      description: z.optional(z.string()),
      format: z.optional(json),
    }),
  }),
])
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
  z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: z.string() }) }),
  z.looseObject({ type: z.literal('allowed_tools') }),
])

const responseFormat = z.union([
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z
        .string()
        .check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores or dashes')),
      schema: z.optional(json),
      strict: maybe(z.boolean()),
      description: z.optional(z.string()),
    }),
  }),
])

const reasoning = z.looseObject({
  enabled: maybe(z.boolean()),
  effort: maybe(z.string()),
  max_tokens: maybe(z.number()),
  exclude: maybe(z.boolean()),
})

const penalty = maybe(z.number().check(z.gte(-2), z.lte(2)))
const bias = z.record(z.string(), z.number().check(z.gte(-100), z.lte(100)))

export const chatRequest = z.looseObject({
  model: z.string().check(z.minLength(1)),
  messages: list(message).check(z.minLength(1)),
  max_completion_tokens: maybe(z.int().check(z.gte(1))),
  max_tokens: maybe(z.int().check(z.gte(1))),
  temperature: maybe(z.number()),
  top_p: maybe(z.number()),
  n: maybe(z.int().check(z.refine((n) => n === 1, 'only 1 is supported'))),
  frequency_penalty: penalty,
  presence_penalty: penalty,
  stop: maybe(z.union([z.string(), z.array(z.string()).check(z.maxLength(4))])),
  logit_bias: maybe(bias),
  logprobs: maybe(z.boolean()),
  top_logprobs: maybe(z.int().check(z.gte(0), z.lte(20))),
  seed: maybe(z.int()),
  tools: maybe(list(tool)),
  tool_choice: maybe(toolChoice),
  parallel_tool_calls: maybe(z.boolean()),
  reasoning_effort: maybe(z.string()),
  reasoning: maybe(reasoning),
  verbosity: maybe(z.string()),
  web_search_options: maybe(json),
  metadata: maybe(
    z
      .record(z.string(), z.string())
      .check(z.refine((pairs) => Object.keys(pairs).length <= 16, 'has at most 16 pairs')),
  ),
  stream: maybe(z.boolean()),
  stream_options: maybe(z.looseObject({ include_usage: z.optional(z.boolean()) })),
  response_format: maybe(responseFormat),
  provider: maybe(json),
  model_routing_config: maybe(json),
  usage: maybe(z.looseObject({ include: z.optional(z.boolean()) })),
})

export type ChatRequest = z.infer<typeof chatRequest>
export type WireMessage = ChatRequest['messages'][number]
export type MessageOf<Role extends WireMessage['role']> = Extract<WireMessage, { role: Role }>
export type WireAssistant = Partial<MessageOf<'assistant'>>
export type WireTool = z.infer<typeof tool>
export type WireToolChoice = z.infer<typeof toolChoice>
export type WireToolCall = z.infer<typeof toolCall>
export type WireDetail = z.infer<typeof reasoningDetail>
export type WireCacheControl = z.infer<typeof cacheControl>
export type WireFormat = z.infer<typeof responseFormat>

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
