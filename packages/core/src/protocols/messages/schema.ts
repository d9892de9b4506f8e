import {
  atLeast,
  byTag,
  choose,
  filled,
  flag,
  json,
  list,
  maybe,
  number,
  object,
  only,
  optional,
  positive,
  refine,
  share,
  text,
  textOr,
  upTo,
  whole,
  type Infer,
  type Schema,
} from '../../lib/schema.ts'
import { cacheControl } from '../cache-control.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'messages'
export const ISSUER = 'anthropic'

/** The wire, as clients send it. Objects are loose: what is not named here is kept. */

/** Blocks inside blocks. The type ends here, so that it does not go round in circles; the check goes all the way down. */
const nested: Schema<{ readonly type: string }[]> = list(choose((): Schema<{ readonly type: string }> => contentBlock))

const citation = object({
  type: text,
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
})
const textBlock = object({ type: only('text'), text, citations: maybe(list(citation)), ...cacheControl })

const remote = {
  url: object({ type: only('url'), url: text }),
  file: object({ type: only('file'), file_id: text }),
}
const imageSource = byTag('type', {
  base64: object({
    type: only('base64'),
    media_type: only('image/jpeg', 'image/png', 'image/gif', 'image/webp'),
    data: text,
  }),
  ...remote,
})
const documentSource = byTag('type', {
  base64: object({ type: only('base64'), media_type: only('application/pdf'), data: text }),
  text: object({ type: only('text'), media_type: optional(only('text/plain')), data: text }),
  content: object({ type: only('content'), content: textOr(nested) }),
  ...remote,
})
const citable = { citations: maybe(object({ enabled: optional(flag) })) }

const webSearchResult = object({
  type: only('web_search_result'),
  url: text,
  title: text,
  encrypted_content: text,
  page_age: maybe(text),
})
const webSearchResults = list(webSearchResult)
const webSearchError = object({ type: only('web_search_tool_result_error'), error_code: text })
type WebSearch = Infer<typeof webSearchResults> | Infer<typeof webSearchError>

const knownBlocks = {
  text: textBlock,
  tool_use: object({ type: only('tool_use'), id: text, name: text, input: json, ...cacheControl }),
  tool_result: object({
    type: only('tool_result'),
    tool_use_id: text,
    content: maybe(textOr(nested)),
    is_error: maybe(flag),
    ...cacheControl,
  }),
  image: object({ type: only('image'), source: imageSource, ...cacheControl }),
  thinking: object({ type: only('thinking'), thinking: text, signature: optional(text) }),
  redacted_thinking: object({ type: only('redacted_thinking'), data: text }),
  document: object({
    type: only('document'),
    source: documentSource,
    title: maybe(text),
    context: maybe(text),
    ...citable,
    ...cacheControl,
  }),
  search_result: object({
    type: only('search_result'),
    source: maybe(text),
    title: maybe(text),
    content: nested,
    ...citable,
    ...cacheControl,
  }),
  server_tool_use: object({
    type: only('server_tool_use'),
    id: text,
    name: text,
    input: optional(json),
    ...cacheControl,
  }),
  web_search_tool_result: object({
    type: only('web_search_tool_result'),
    tool_use_id: text,
    content: choose<WebSearch>((value) => (Array.isArray(value) ? webSearchResults : webSearchError)),
    ...cacheControl,
  }),
}
/** A kind of block this version does not know is kept whole. */
const contentBlock = byTag('type', knownBlocks, object({ type: text }))
/** The kinds known here; at run time any other kind can stand in its place, and meets the default of every switch. */
export type Block = Infer<(typeof knownBlocks)[keyof typeof knownBlocks]>

const tool = refine(
  object({
    type: maybe(text),
    name: upTo(128, filled(text)),
    description: optional(text),
    input_schema: optional(json),
    strict: optional(flag),
    ...cacheControl,
  }),
  ({ type, input_schema }) => input_schema !== undefined || (type != null && type !== 'custom'),
  'is required for a tool of your own',
  ['input_schema'],
)

const thinking = byTag('type', {
  enabled: object({ type: only('enabled'), budget_tokens: atLeast(whole, 1024), display: maybe(text) }),
  disabled: object({ type: only('disabled') }),
  adaptive: object({ type: only('adaptive'), display: maybe(text) }),
})

const parallel = { disable_parallel_tool_use: optional(flag) }
const toolChoice = byTag('type', {
  auto: object({ type: only('auto'), ...parallel }),
  any: object({ type: only('any'), ...parallel }),
  tool: object({ type: only('tool'), name: text, ...parallel }),
  none: object({ type: only('none') }),
})

const outputConfig = object({
  format: maybe(object({ type: text, schema: optional(json) })),
  effort: maybe(text),
})

const message = object({ role: only('user', 'assistant', 'system'), content: textOr(list(contentBlock)) })

export const messagesRequest = object(
  {
    model: filled(text),
    max_tokens: positive,
    messages: upTo(100_000, filled(list(message))),
    system: optional(textOr(list(textBlock))),
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
  },
  'service_tier thread container context_management mcp_servers inference_geo',
)

/** The body of `POST /v1/messages`. */
export type MessagesRequest = Infer<typeof messagesRequest>
export type WireMessage = MessagesRequest['messages'][number]
export type WireTool = Infer<typeof tool>
export type WireToolChoice = Infer<typeof toolChoice>
export type WireCitation = Infer<typeof citation>
export type WireCacheControl = NonNullable<Infer<(typeof cacheControl)['cache_control']>>
export type WireSource = Infer<typeof imageSource> | Infer<typeof documentSource>
export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>

/** An answer, read leniently: nothing about an upstream's answer is taken for granted. */
export interface MessagesResponse {
  readonly id?: string
  readonly type?: string
  readonly role?: string
  readonly model?: string
  readonly content?: readonly Block[]
  readonly stop_reason?: string | null
  readonly stop_sequence?: string | null
  readonly usage?: WireUsage
}

export interface WireUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
  readonly cache_creation_input_tokens?: number | null
  readonly cache_read_input_tokens?: number | null
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number
    readonly ephemeral_1h_input_tokens?: number
  } | null
  readonly server_tool_use?: { readonly web_search_requests?: number } | null
}
