import {
  kept,
  atLeast,
  byOpenTag,
  byTagOr,
  either,
  filled,
  flag,
  json,
  lazy,
  list,
  maybe,
  number,
  object,
  only,
  openWords,
  optional,
  positive,
  refine,
  share,
  text,
  textOr,
  upTo,
  whole,
  words,
  type Infer,
  type KeptWord,
  type Unread,
  type UnreadWords,
  type Schema,
} from '../../lib/grammar/schema.ts'
import { cacheControl } from '../cache-control.ts'
import { inlineData } from '../../lib/data-url.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'messages'
export const ISSUER = 'anthropic'

/** The wire, as clients send it. Objects are loose: unknown members are kept. */

/** Nested blocks. The type ends here, so that it is not circular; the check is recursive. */
const nested = list(lazy((): Schema<{ readonly type: string }> => contentBlock))

type Location = 'char' | 'page' | 'content_block' | 'search_result' | 'web_search_result'
export const citation = object({
  type: words<`${Location}_location`>(),
  cited_text: maybe(text),
  document_index: optional(number),
  document_title: maybe(text),
  start_char_index: optional(number),
  end_char_index: optional(number),
  start_page_number: optional(number),
  end_page_number: optional(number),
  start_block_index: optional(number),
  end_block_index: optional(number),
  search_result_index: optional(number),
  source: maybe(text),
  url: optional(text),
  title: maybe(text),
  encrypted_index: optional(text),
  file_id: kept,
})
export const textBlock = object({ type: only('text'), text, citations: maybe(list(citation)), ...cacheControl })

export const urlSource = object({ type: only('url'), url: text })
export const fileSource = object({ type: only('file'), file_id: text })
export const imageData = object({
  type: only('base64'),
  media_type: openWords('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
  data: inlineData,
})
const imageSource = byOpenTag('type', imageData, urlSource, fileSource)
const documentData = object({ type: only('base64'), media_type: openWords('application/pdf'), data: inlineData })
export const textSource = object({ type: only('text'), media_type: optional(openWords('text/plain')), data: text })
export const contentSource = object({ type: only('content'), content: textOr(nested) })
const documentSource = byOpenTag('type', documentData, textSource, contentSource, urlSource, fileSource)
const citable = { citations: maybe(object({ enabled: optional(flag) })) }

export const webSearchResult = object({
  type: only('web_search_result'),
  url: text,
  title: text,
  encrypted_content: text,
  page_age: maybe(text),
})
type SearchError =
  | 'invalid_tool_input'
  | 'unavailable'
  | 'max_uses_exceeded'
  | 'too_many_requests'
  | 'query_too_long'
  | 'request_too_large'
export const webSearchError = object({
  type: only('web_search_tool_result_error'),
  error_code: words<SearchError>(),
})

export const toolUseBlock = object({
  type: only('tool_use'),
  id: text,
  name: text,
  input: json,
  ...({} as Unread<'caller' | 'toolset_name'>),
  ...cacheControl,
})
export const toolResultBlock = object({
  type: only('tool_result'),
  tool_use_id: text,
  content: maybe(textOr(nested)),
  is_error: maybe(flag),
  ...({} as Unread<'toolset_name'>),
  ...cacheControl,
})
const imageBlock = object({
  type: only('image'),
  source: imageSource,
  ...({} as Unread<'transformations'>),
  ...cacheControl,
})
export const thinkingBlock = object({ type: only('thinking'), thinking: text, signature: optional(text) })
export const redactedBlock = object({ type: only('redacted_thinking'), data: text })
export const documentBlock = object({
  type: only('document'),
  source: documentSource,
  title: maybe(text),
  context: maybe(text),
  ...citable,
  ...cacheControl,
})
export const searchResultBlock = object({
  type: only('search_result'),
  source: maybe(text),
  title: maybe(text),
  content: nested,
  ...citable,
  ...cacheControl,
})
type ServerTool =
  | 'advisor'
  | 'web_search'
  | 'web_fetch'
  | 'code_execution'
  | 'bash_code_execution'
  | 'text_editor_code_execution'
  | 'tool_search_tool_regex'
  | 'tool_search_tool_bm25'
const serverToolUseBlock = object({
  type: only('server_tool_use'),
  id: text,
  name: words<ServerTool>(),
  input: optional(json),
  ...({} as Unread<'caller'>),
  ...cacheControl,
})
export const webSearchBlock = object({
  type: only('web_search_tool_result'),
  tool_use_id: text,
  content: either(list(byOpenTag('type', webSearchResult)), byOpenTag('type', webSearchError)),
  ...({} as Unread<'caller'>),
  ...cacheControl,
})
export const contentBlock = byOpenTag(
  'type',
  textBlock,
  toolUseBlock,
  toolResultBlock,
  imageBlock,
  thinkingBlock,
  redactedBlock,
  documentBlock,
  searchResultBlock,
  serverToolUseBlock,
  webSearchBlock,
)
/** The known kinds; at run time there can be any other kind, which takes the default of every switch. */
export type Block = Infer<typeof contentBlock>

const anyTool = object({
  type: maybe(words<'custom'>()),
  name: optional(upTo(128, filled(text))),
  description: optional(text),
  input_schema: optional(json),
  strict: optional(flag),
  ...({} as Unread<'allowed_callers' | 'defer_loading' | 'eager_input_streaming' | 'input_examples'>),
  ...cacheControl,
})
const isOwn = ({ type }: Infer<typeof anyTool>) => type == null || type === 'custom'
const namedTool = refine(anyTool, (tool) => tool.name !== undefined || !isOwn(tool), 'is required', ['name'])
export const tool = refine(
  namedTool,
  (tool) => tool.input_schema !== undefined || !isOwn(tool),
  'is required for a tool of your own',
  ['input_schema'],
)

const shown = { display: maybe(words<'summarized' | 'omitted' | 'updates'>()), ...({} as Unread<'block_binding'>) }
export const enabledThinking = object({
  type: only('enabled'),
  budget_tokens: atLeast(whole, 1024),
  ...shown,
})
export const disabledThinking = object({ type: only('disabled') })
const betweenThinking = object({ type: only('between_tools') })
export const adaptiveThinking = object({ type: only('adaptive'), ...shown })
const thinking = byOpenTag('type', enabledThinking, disabledThinking, betweenThinking, adaptiveThinking)

const parallel = { disable_parallel_tool_use: optional(flag) }
export const namedChoice = object({ type: only('tool'), name: text, ...parallel })
const toolChoice = byOpenTag(
  'type',
  object({ type: only('auto'), ...parallel }),
  object({ type: only('any'), ...parallel }),
  namedChoice,
  object({ type: only('none') }),
)

export const outputConfig = object({
  format: maybe(object({ type: words<'json_schema'>(), schema: optional(json) })),
  effort: maybe(words<'low' | 'medium' | 'high' | 'xhigh' | 'max'>()),
  ...({} as Unread<'task_budget'>),
})

const content = textOr(list(contentBlock))
export const turn = object({ role: only('user', 'assistant'), content })
const systemTurn = object({
  role: only('system'),
  content: optional(content),
  ...({} as Unread<'clear_at' | 'output_config'>),
})
const message = byTagOr('role', { content }, turn, systemTurn)

type BetaMember = 'compaction' | 'fallback_credit_token' | 'fallbacks' | 'output_format'

export const messagesRequest = object({
  model: filled(text),
  max_tokens: positive,
  messages: upTo(100_000, filled(list(message))),
  system: optional(content),
  stop_sequences: optional(list(text)),
  stream: optional(flag),
  temperature: optional(share),
  top_k: optional(atLeast(whole, 0)),
  top_p: optional(share),
  thinking: optional(thinking),
  tool_choice: optional(toolChoice),
  tools: optional(list(tool)),
  output_config: optional(outputConfig),
  metadata: optional(json),
  service_tier: kept as KeptWord<'auto' | 'standard_only'>, // its value is not read
  thread: kept,
  container: kept,
  context_management: kept,
  mcp_servers: kept,
  inference_geo: kept,
  ...({} as Unread<'cache_control' | 'diagnostics' | BetaMember>),
  ...({} as UnreadWords<'speed', 'standard' | 'fast'>),
})

/** The body of `POST /v1/messages`. */
export type MessagesRequest = Infer<typeof messagesRequest>
export type WireMessage = MessagesRequest['messages'][number]
export type WireTool = Infer<typeof tool>
export type WireToolChoice = Infer<typeof toolChoice>
export type WireCitation = Infer<typeof citation>
export type WireCacheControl = NonNullable<Infer<(typeof cacheControl)['cache_control']>>
export type WireSource = Infer<typeof imageSource> | Infer<typeof documentSource>
/** A result of the upstream's own web search. */
export type WireHit = Extract<BlockOf<'web_search_tool_result'>['content'], readonly unknown[]>[number]
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>
