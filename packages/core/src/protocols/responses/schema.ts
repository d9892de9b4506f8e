import {
  atLeast,
  atMost,
  byOpenTag,
  either,
  filled,
  flag,
  json,
  kept,
  list,
  mapOf,
  maybe,
  number,
  object,
  only,
  openWords,
  optional,
  positive,
  refine,
  text,
  textOr,
  whole,
  words,
  type Infer,
  type Unread,
  type UnreadWords,
} from '../../lib/grammar/schema.ts'
import { isNameInside } from '../../lib/names.ts'
import { inlineData } from '../../lib/data-url.ts'

/** The name of this protocol, and the seal domain of encrypted reasoning in its own fields. */
export const NAME = 'responses'
export const ISSUER = 'openai'
/** The domain of encrypted content. Files are the same in all APIs of OpenAI; encrypted content is for this one alone. */
export const SEALS = 'openai-responses'

/** The wire, as clients send it. Objects are loose: unknown members are kept. */

const marked = {
  prompt_cache_breakpoint: maybe(object({ mode: openWords('explicit'), ttl: optional(words<'30m' | '12h'>()) })),
}
export const inputText = object({ type: only('input_text'), text, ...marked })
type Detail = 'low' | 'high' | 'auto' | 'original'
export const inputImage = object({
  type: only('input_image'),
  image_url: maybe(text),
  file_id: maybe(text),
  detail: maybe(words<Detail>()),
  ...marked,
})
export const inputFile = object({
  type: only('input_file'),
  file_data: maybe(text),
  file_url: maybe(text),
  file_id: maybe(text),
  filename: maybe(text),
  ...({} as Unread<'detail'>),
  ...marked,
})
export const inputAudio = object({
  type: only('input_audio'),
  input_audio: object({ data: inlineData, format: words<'wav' | 'mp3'>() }),
})

/** A source of a text. */
export const annotation = object({
  type: words<'url_citation' | 'file_citation' | 'container_file_citation' | 'file_path'>(),
  url: optional(text),
  title: maybe(text),
  start_index: optional(number),
  end_index: optional(number),
  file_id: optional(text),
  filename: maybe(text),
  ...({} as Unread<'container_id' | 'index'>),
})
const topLogprob = object({ token: text, logprob: number, bytes: maybe(list(number)) })
export const logprob = object({
  token: text,
  logprob: number,
  bytes: maybe(list(number)),
  top_logprobs: optional(list(topLogprob)),
})
export const outputText = object({
  type: only('output_text'),
  text,
  annotations: maybe(list(annotation)),
  logprobs: maybe(list(logprob)),
})
export const refusalPart = object({ type: only('refusal'), refusal: text })
const contentPart = byOpenTag('type', inputText, outputText, refusalPart, inputImage, inputFile, inputAudio)
const content = textOr(list(contentPart))

type Role = 'user' | 'assistant' | 'system' | 'developer'
/** Who has written an item, where several agents work on an answer. */
type Author = 'agent'
export const message = object({
  type: optional(only('message')),
  role: words<Role>(),
  content,
  id: maybe(text),
  ...({} as Unread<'status' | 'phase' | Author>),
})
export const summaryPart = object({ type: openWords('summary_text'), text })
export const thoughtPart = object({ type: openWords('reasoning_text'), text })
export const reasoningItem = object({
  type: only('reasoning'),
  id: maybe(text),
  summary: optional(list(summaryPart)),
  content: maybe(list(thoughtPart)),
  encrypted_content: maybe(text),
  ...({} as Unread<'status' | Author>),
})

/** A name may not have the character that separates it from its namespace. */
const toolName = refine(filled(text), (name) => !isNameInside(name), 'has a character that no name may have')
const called = {
  id: maybe(text),
  call_id: text,
  name: toolName,
  namespace: maybe(toolName),
  ...({} as Unread<'status' | 'caller' | 'async' | Author>),
}
export const functionCall = object({ type: only('function_call'), arguments: text, ...called })
export const customCall = object({ type: only('custom_tool_call'), input: text, ...called })
const output = textOr(list(contentPart))
const answered = {
  id: maybe(text),
  call_id: maybe(text),
  name: maybe(text),
  output,
  ...({} as Unread<'status' | 'caller' | 'namespace' | 'created_by' | Author>),
}
export const functionOutput = object({ type: only('function_call_output'), ...answered })
export const customOutput = object({ type: only('custom_tool_call_output'), ...answered })
const webSource = object({ type: optional(openWords('url')), url: optional(text) })
type CallStatus = 'in_progress' | 'completed' | 'failed'
export const webSearchCall = object({
  type: only('web_search_call'),
  id: maybe(text),
  status: optional(words<CallStatus | 'searching' | 'incomplete'>()),
  action: maybe(
    object({
      type: words<'search' | 'open_page' | 'find_in_page'>(),
      query: maybe(text),
      queries: maybe(list(text)),
      sources: maybe(list(webSource)),
      ...({} as Unread<'url' | 'pattern'>),
    }),
  ),
  ...({} as Unread<Author>),
})
type ImageMember = 'background' | 'output_format' | 'quality' | 'size' | 'revised_prompt' | 'action'
export const imageCall = object({
  type: only('image_generation_call'),
  id: maybe(text),
  status: optional(words<CallStatus | 'generating'>()),
  result: maybe(text),
  ...({} as Unread<ImageMember | 'error' | 'svg_usage' | Author>),
})

export const codeCall = object({
  type: only('code_interpreter_call'),
  id: maybe(text),
  status: optional(words<CallStatus | 'interpreting' | 'incomplete'>()),
  code: maybe(text),
  outputs: kept,
  ...({} as Unread<'container_id' | Author>),
})

const named = { name: toolName, description: maybe(text) }
type Caller = 'allowed_callers' | 'async' | 'defer_loading'
export const functionTool = object({
  type: only('function'),
  ...named,
  parameters: maybe(json),
  strict: maybe(flag),
  ...({} as Unread<Caller | 'output_schema'>),
})
export const textFormat = object({ type: only('text') })
export const grammarFormat = object({
  type: only('grammar'),
  syntax: words<'lark' | 'regex'>(),
  definition: text,
})
export const customTool = object({
  type: only('custom'),
  ...named,
  format: optional(byOpenTag('type', textFormat, grammarFormat)),
  ...({} as Unread<Caller>),
})
const ownTool = byOpenTag('type', functionTool, customTool)
export const namespaceTool = object({
  type: only('namespace'),
  name: toolName,
  description: maybe(text),
  tools: list(ownTool),
})
const tool = byOpenTag('type', functionTool, customTool, namespaceTool)
export const addedTools = object({
  type: only('additional_tools'),
  role: optional(words<Role | 'tool' | 'critic' | 'discriminator' | 'unknown'>()),
  tools: list(tool),
  id: maybe(text),
  ...({} as Unread<Author>),
})

export const item = byOpenTag(
  'type',
  message,
  reasoningItem,
  functionCall,
  functionOutput,
  customCall,
  customOutput,
  webSearchCall,
  imageCall,
  codeCall,
  addedTools,
)

export const functionChoice = object({ type: only('function', 'custom'), name: text })
export const allowedChoice = object({
  type: only('allowed_tools'),
  mode: words<'auto' | 'required'>(),
  tools: list(json),
})
const toolChoice = either(openWords('none', 'auto', 'required'), byOpenTag('type', functionChoice, allowedChoice))

const formatName = refine(
  text,
  (name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name),
  'must be 1 to 64 letters, digits, underscores or dashes',
)
export const schemaFormat = object({
  type: only('json_schema'),
  name: formatName,
  schema: optional(json),
  strict: maybe(flag),
  description: optional(text),
})
const format = byOpenTag('type', textFormat, object({ type: only('json_object') }), schemaFormat)
export const textConfig = object({ format: maybe(format), verbosity: maybe(words<'low' | 'medium' | 'high'>()) })

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
export const reasoningConfig = object({
  effort: maybe(words<Effort>()),
  summary: maybe(words<'auto' | 'concise' | 'detailed'>()),
  ...({} as Unread<'context' | 'mode' | 'generate_summary'>),
})

type Includable =
  | 'reasoning.encrypted_content'
  | 'message.output_text.logprobs'
  | 'web_search_call.results'
  | 'web_search_call.action.sources'
  | 'file_search_call.results'
  | 'code_interpreter_call.outputs'
  | 'message.input_image.image_url'
  | 'computer_call_output.output.image_url'

/** Members that only a server with a memory could serve. */
type Stored = 'previous_response_id' | 'conversation' | 'background' | 'prompt' | 'store'
type Unused =
  | 'access_programs'
  | 'client_metadata'
  | 'context_management'
  | 'image'
  | 'max_tool_calls'
  | 'moderation'
  | 'multi_agent'
  | 'personality'
  | 'prompt_cache_options'
  | 'prompt_cache_retention'
  | 'truncation'

/** Tiers of service. */
export type Tier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast'

export const responsesRequest = object({
  model: filled(text),
  input: textOr(list(item)),
  instructions: maybe(text),
  tools: maybe(list(tool)),
  tool_choice: maybe(toolChoice),
  parallel_tool_calls: maybe(flag),
  text: maybe(textConfig),
  reasoning: maybe(reasoningConfig),
  max_output_tokens: maybe(positive),
  temperature: maybe(atMost(atLeast(number, 0), 2)),
  top_p: maybe(number),
  top_logprobs: maybe(atMost(atLeast(whole, 0), 20)),
  include: maybe(list(words<Includable>())),
  metadata: maybe(refine(mapOf(text), (pairs) => Object.keys(pairs).length <= 16, 'has at most 16 pairs')),
  prompt_cache_key: maybe(text),
  safety_identifier: maybe(text),
  user: maybe(text),
  stream: maybe(flag),
  stream_options: maybe(object({ include_obfuscation: maybe(flag) })),
  ...({} as Unread<Stored | Unused>),
  ...({} as UnreadWords<'service_tier', Tier>),
})

/** The body of `POST /responses`. */
export type ResponsesRequest = Infer<typeof responsesRequest>
/** The known kinds; at run time there can be any other kind, which takes the default of every switch. */
export type Item = Infer<typeof item>
export type ItemOf<Type extends Item['type']> = Extract<Item, { type?: Type }>
export type WireMessage = Infer<typeof message>
export type WirePart = Infer<typeof contentPart>
export type PartOf<Type extends WirePart['type']> = Extract<WirePart, { type: Type }>
export type WireTool = Infer<typeof tool>
export type WireOwnTool = Infer<typeof ownTool>
export type WireToolChoice = Infer<typeof toolChoice>
export type WireAnnotation = Infer<typeof annotation>
export type WireLogprob = Infer<typeof logprob>
