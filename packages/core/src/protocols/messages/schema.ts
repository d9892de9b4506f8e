import * as z from 'zod/mini'
import { byTag, list } from '../../lib/check.ts'

/** The name of this protocol, and the seal domain of signatures in its own fields. */
export const NAME = 'messages'
export const ISSUER = 'anthropic'

/** The wire, as clients send it. Objects are loose: what is not named here is kept. */

const json = z.record(z.string(), z.unknown())
/** Blocks inside blocks. The type ends here, so that it does not go round in circles; the check goes all the way down. */
const nested: z.ZodMiniType<readonly { readonly type: string }[]> = list(z.lazy(() => contentBlock))

const cacheControl = z.looseObject({
  type: z.literal('ephemeral'),
  ttl: z.optional(z.enum(['5m', '1h'])),
})
const cached = { cache_control: z.optional(z.nullable(cacheControl)) }

const citation = z.looseObject({
  type: z.string(),
  cited_text: z.optional(z.nullable(z.string())),
  document_index: z.optional(z.number()),
  document_title: z.optional(z.nullable(z.string())),
  start_char_index: z.optional(z.number()),
  end_char_index: z.optional(z.number()),
  start_page_number: z.optional(z.number()),
  end_page_number: z.optional(z.number()),
  start_block_index: z.optional(z.number()),
  end_block_index: z.optional(z.number()),
  search_result_index: z.optional(z.number()),
  source: z.optional(z.nullable(z.string())),
  url: z.optional(z.string()),
  title: z.optional(z.nullable(z.string())),
  encrypted_index: z.optional(z.string()),
})

const textBlock = z.looseObject({
  type: z.literal('text'),
  text: z.string(),
  citations: z.optional(z.nullable(list(citation))),
  ...cached,
})

const fileSource = z.looseObject({ type: z.literal('file'), file_id: z.string() })
const urlSource = z.looseObject({ type: z.literal('url'), url: z.string() })
const imageSource = z.union([
  z.looseObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.string(),
  }),
  urlSource,
  fileSource,
])
const imageBlock = z.looseObject({ type: z.literal('image'), source: imageSource, ...cached })

const documentSource = z.union([
  z.looseObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.string() }),
  z.looseObject({ type: z.literal('text'), media_type: z.optional(z.literal('text/plain')), data: z.string() }),
  z.looseObject({ type: z.literal('content'), content: z.union([z.string(), nested]) }),
  urlSource,
  fileSource,
])
const citable = { citations: z.optional(z.nullable(z.looseObject({ enabled: z.optional(z.boolean()) }))) }
const documentBlock = z.looseObject({
  type: z.literal('document'),
  source: documentSource,
  title: z.optional(z.nullable(z.string())),
  context: z.optional(z.nullable(z.string())),
  ...citable,
  ...cached,
})

const toolUseBlock = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: json,
  ...cached,
})
const serverToolUseBlock = z.looseObject({
  type: z.literal('server_tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.optional(json),
  ...cached,
})
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.optional(z.nullable(z.union([z.string(), nested]))),
  is_error: z.optional(z.nullable(z.boolean())),
  ...cached,
})

const webSearchResult = z.looseObject({
  type: z.literal('web_search_result'),
  url: z.string(),
  title: z.string(),
  encrypted_content: z.string(),
  page_age: z.optional(z.nullable(z.string())),
})
const webSearchError = z.looseObject({
  type: z.literal('web_search_tool_result_error'),
  error_code: z.string(),
})
const webSearchResultBlock = z.looseObject({
  type: z.literal('web_search_tool_result'),
  tool_use_id: z.string(),
  content: z.union([list(webSearchResult), webSearchError]),
  ...cached,
})

const thinkingBlock = z.looseObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.optional(z.string()),
})
const redactedThinkingBlock = z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() })
const searchResultBlock = z.looseObject({
  type: z.literal('search_result'),
  source: z.optional(z.nullable(z.string())),
  title: z.optional(z.nullable(z.string())),
  content: nested,
  ...citable,
  ...cached,
})

const knownBlocks = {
  text: textBlock,
  tool_use: toolUseBlock,
  tool_result: toolResultBlock,
  image: imageBlock,
  thinking: thinkingBlock,
  redacted_thinking: redactedThinkingBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  server_tool_use: serverToolUseBlock,
  web_search_tool_result: webSearchResultBlock,
}
/** A kind of block this version does not know is kept whole. */
const contentBlock = byTag('type', knownBlocks, z.looseObject({ type: z.string() }))
/** The kinds known here; at run time any other kind can stand in its place, and meets the default of every switch. */
export type Block = z.infer<(typeof knownBlocks)[keyof typeof knownBlocks]>

const tool = z
  .looseObject({
    type: z.optional(z.nullable(z.string())),
    name: z.string().check(z.minLength(1), z.maxLength(128)),
    description: z.optional(z.string()),
    input_schema: z.optional(json),
    strict: z.optional(z.boolean()),
    ...cached,
  })
  .check(
    z.refine(({ type, input_schema }) => input_schema !== undefined || (type != null && type !== 'custom'), {
      message: 'is required for a tool of your own',
      path: ['input_schema'],
    }),
  )

const thinking = z.union([
  z.looseObject({
    type: z.literal('enabled'),
    budget_tokens: z.int().check(z.gte(1024)),
    display: z.optional(z.nullable(z.string())),
  }),
  z.looseObject({ type: z.literal('disabled') }),
  z.looseObject({ type: z.literal('adaptive'), display: z.optional(z.nullable(z.string())) }),
])

const parallel = { disable_parallel_tool_use: z.optional(z.boolean()) }
const toolChoice = z.union([
  z.looseObject({ type: z.literal('auto'), ...parallel }),
  z.looseObject({ type: z.literal('any'), ...parallel }),
  z.looseObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
  z.looseObject({ type: z.literal('none') }),
])

const outputConfig = z.looseObject({
  format: z.optional(z.nullable(z.looseObject({ type: z.string(), schema: z.optional(json) }))),
  effort: z.optional(z.nullable(z.string())),
})

const message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), list(contentBlock)]),
})

export const messagesRequest = z.looseObject({
  model: z.string().check(z.minLength(1)),
  max_tokens: z.int().check(z.gte(1)),
  messages: list(message).check(z.minLength(1), z.maxLength(100_000)),
  system: z.optional(z.union([z.string(), list(textBlock)])),
  stop_sequences: z.optional(z.array(z.string())),
  stream: z.optional(z.boolean()),
  temperature: z.optional(z.number().check(z.gte(0), z.lte(1))),
  top_k: z.optional(z.int().check(z.gte(0))),
  top_p: z.optional(z.number().check(z.gte(0), z.lte(1))),
  thinking: z.optional(thinking),
  tool_choice: z.optional(toolChoice),
  tools: z.optional(list(tool)),
  output_config: z.optional(outputConfig),
  metadata: z.optional(json),
})

/** The body of `POST /v1/messages`. */
export type MessagesRequest = z.infer<typeof messagesRequest>
export type WireMessage = MessagesRequest['messages'][number]
export type WireTool = z.infer<typeof tool>
export type WireToolChoice = z.infer<typeof toolChoice>
export type WireCitation = z.infer<typeof citation>
export type WireCacheControl = z.infer<typeof cacheControl>
export type WireSource = z.infer<typeof imageSource> | z.infer<typeof documentSource>
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
