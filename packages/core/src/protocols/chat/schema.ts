import {
  kept,
  atLeast,
  atMost,
  byOpenTag,
  byTagOr,
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
  openWords,
  optional,
  positive,
  refine,
  text,
  textOr,
  upTo,
  whole,
  words,
  type Infer,
  type KeptWord,
  type Unread,
} from '../../lib/grammar/schema.ts'
import { cacheControl } from '../cache-control.ts'
import { inlineData } from '../../lib/data-url.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'chat'
export const ISSUER = 'openai'

/** The wire, as clients send it. Objects are loose: unknown members are kept. */

const marks = { ...cacheControl, ...({} as Unread<'prompt_cache_breakpoint'>) }
export const textPart = object({ type: only('text'), text, ...marks })
export const imagePart = object({
  type: only('image_url'),
  image_url: object({ url: text, detail: optional(words<'auto' | 'low' | 'high' | 'original'>()) }),
  ...marks,
})
export const audioPart = object({
  type: only('input_audio'),
  input_audio: object({ data: inlineData, format: words<'wav' | 'mp3'>() }),
  ...marks,
})
export const filePart = object({
  type: only('file'),
  file: object({ file_id: optional(text), file_data: optional(text), filename: optional(text) }),
  ...marks,
})
export const refusalPart = object({ type: only('refusal'), refusal: text })
export const contentPart = byOpenTag('type', textPart, imagePart, audioPart, filePart, refusalPart)
/** The known kinds; at run time there can be any other kind, which takes the default of every switch. */
export type WirePart = Infer<typeof contentPart>

const content = textOr(list(contentPart))
export const functionCall = object({ name: text, arguments: text })
/** Without a type, it is a function: Mistral and Hugging Face let it be left out. */
const typeOfFunction = optional(only('function'))
export const functionToolCall = object({ id: text, type: typeOfFunction, function: functionCall })
export const customToolCall = object({ id: text, type: only('custom'), custom: object({ name: text, input: text }) })
const toolCall = byTagOr('type', { id: text }, functionToolCall, customToolCall)
export const reasoningDetail = object({
  type: text,
  text: maybe(text),
  summary: maybe(text),
  data: maybe(text),
  signature: maybe(text),
  index: maybe(number),
})

/** What an assistant says, in a history and in an answer. */
export const assistantMembers = {
  content: maybe(content),
  refusal: maybe(text),
  name: optional(text),
  tool_calls: maybe(list(toolCall)),
  function_call: maybe(functionCall),
  audio: kept,
  images: kept,
  /** The official clients add it to answers, and send it back. */
  parsed: kept,
  reasoning: maybe(text),
  reasoning_content: maybe(text),
  reasoning_details: maybe(list(reasoningDetail)),
}
export const userMessage = object({ role: only('user'), content, name: optional(text) })
export const toolMessage = object({ role: only('tool'), tool_call_id: text, content, name: optional(text) })
export const functionMessage = object({ role: only('function'), name: text, content: nullable(text) })
/** A message of an unknown role is read as the assistant's or the user's. */
const message = byTagOr(
  'role',
  assistantMembers,
  userMessage,
  refine(
    object({ role: only('assistant'), ...assistantMembers }),
    ({ content, tool_calls, function_call, refusal, images, audio }) =>
      [content, tool_calls, function_call, refusal, images, audio].some((member) => member != null),
    'is required when there are no tool calls',
    ['content'],
  ),
  toolMessage,
  object({ role: only('system'), content, name: optional(text) }),
  object({ role: only('developer'), content, name: optional(text) }),
  functionMessage,
)

const named = { name: filled(text), description: optional(text) }
export const functionTool = object({
  type: typeOfFunction,
  function: object({ ...named, parameters: optional(json), strict: maybe(flag) }),
  ...cacheControl,
})
export const textFormat = object({ type: only('text') })
export const grammarFormat = object({
  type: only('grammar'),
  grammar: object({ syntax: words<'lark' | 'regex'>(), definition: text }),
})
export const customMembers = object({ ...named, format: optional(byOpenTag('type', textFormat, grammarFormat)) })
export const customTool = object({ type: only('custom'), custom: customMembers })
const tool = byOpenTag('type', functionTool, customTool)
export const functionChoice = object({ type: typeOfFunction, function: object({ name: text }) })
export const customChoice = object({ type: only('custom'), custom: object({ name: text }) })
export const allowedChoice = object({
  type: only('allowed_tools'),
  allowed_tools: optional(object({ mode: optional(words<'auto' | 'required'>()), tools: optional(list(json)) })),
})
const toolChoice = either(
  openWords('none', 'auto', 'required'),

  byOpenTag('type', functionChoice, customChoice, allowedChoice),
)

const formatName = refine(
  text,
  (name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name),
  'must be 1 to 64 letters, digits, underscores or dashes',
)
export const schemaFormat = object({
  type: only('json_schema'),
  json_schema: object({
    name: formatName,
    schema: optional(json),
    strict: maybe(flag),
    description: optional(text),
  }),
})
const responseFormat = byOpenTag(
  'type',
  object({ type: only('text') }),
  object({ type: only('json_object') }),
  schemaFormat,
)

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

/** The caller's preferences about routes, for the gateway. */
export const routingMembers = {
  provider: maybe(object({ ...routing, routing: maybe(object(routing)) })),
  model_routing_config: maybe(modelRouting),
}

const effort = words<'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'>()
const within = (least: number, most: number) => atMost(atLeast(number, least), most)

export const chatRequest = object({
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
  reasoning_effort: maybe(effort),
  reasoning: maybe(
    object({ enabled: maybe(flag), effort: maybe(effort), max_tokens: maybe(number), exclude: maybe(flag) }),
  ),
  verbosity: maybe(words<'low' | 'medium' | 'high'>()),
  web_search_options: maybe(json),
  metadata: maybe(refine(mapOf(text), (pairs) => Object.keys(pairs).length <= 16, 'has at most 16 pairs')),
  stream: maybe(flag),
  stream_options: maybe(object({ include_usage: maybe(flag), include_obfuscation: maybe(flag) })),
  response_format: maybe(responseFormat),
  ...routingMembers,
  usage: maybe(object({ include: optional(flag) })),
  audio: kept,
  modalities: kept,
  functions: kept,
  function_call: kept,
  prompt_cache_key: kept,
  prompt_cache_retention: kept,
  safety_identifier: kept,
  store: kept,
  service_tier: kept as KeptWord<'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast'>, // its value is not read
  prediction: kept,
  user: kept,
  ...({} as Unread<'moderation' | 'prompt_cache_options'>),
})

/** The body of `POST /chat/completions`. */
export type ChatRequest = Infer<typeof chatRequest>
export type WireMessage = ChatRequest['messages'][number]
export type MessageOf<Role extends WireMessage['role']> = Extract<WireMessage, { role: Role }>
export type WireTool = Infer<typeof tool>
export type WireToolChoice = Infer<typeof toolChoice>
export type WireToolCall = Infer<typeof toolCall>
export type WireDetail = Infer<typeof reasoningDetail>
