import type { Finish } from '../../ir/finish.ts'
import type { Message } from '../../ir/message.ts'
import type {
  CacheMark,
  Citation,
  CitationSpan,
  Media,
  Opaque,
  Reasoning,
  SearchHit,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { Delivery, ModelRequest } from '../../ir/request.ts'
import type { Candidate, ModelResponse } from '../../ir/response.ts'
import type { OutputOptions, ReasoningOptions, Settings } from '../../ir/settings.ts'
import type { BuiltinTool, FunctionTool, Schema, ToolChoice } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import {
  tablesOf,
  UNSUPPORTED,
  WHOLE,
  WRITTEN,
  type CitedBy,
  type MembersOf,
  type NodeTables,
  type WrittenOf,
} from '../member-tables.ts'
import type { Encoding } from '../protocol.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

export const NO_LOGPROBS = 'messages answers have no logprobs'
export const NO_CANDIDATES = 'messages answers have no candidates'
const NO_ITEMS = 'messages has no output items'
const NO_SEALS = 'messages signs only reasoning'

/** Clients send back the seals of other parts in separate blocks. */
const carried = ({ toward }: Encoding) => (toward === 'client' ? undefined : NO_SEALS)

const SETTINGS = {
  maxTokens: WRITTEN,
  temperature: WRITTEN,
  topP: WRITTEN,
  topK: WRITTEN,
  stop: WRITTEN,
  presencePenalty: UNSUPPORTED,
  frequencyPenalty: UNSUPPORTED,
  seed: UNSUPPORTED,
  logitBias: UNSUPPORTED,
  logprobs: UNSUPPORTED,
  candidates: UNSUPPORTED,
} as const satisfies MembersOf<Settings>

/** The settings that messages has. */
export type WrittenSettings = WrittenOf<Settings, typeof SETTINGS>

export const OUTPUT: MembersOf<OutputOptions> = {
  format: WRITTEN,
  schema: WRITTEN,
  name: UNSUPPORTED,
  description: UNSUPPORTED,
  strict: UNSUPPORTED,
  modalities: UNSUPPORTED,
  speech: UNSUPPORTED,
  image: UNSUPPORTED,
  verbosity: UNSUPPORTED,
}
const MEDIA: MembersOf<Media> = {
  kind: WRITTEN,
  source: WRITTEN,
  detail: UNSUPPORTED,
  clip: UNSUPPORTED,
  transcript: UNSUPPORTED,
  title: WRITTEN,
  context: WRITTEN,
  cite: WRITTEN,
  cache: WRITTEN,
  item: NO_ITEMS,
  seal: carried,
  extras: WRITTEN,
}

/** What messages can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>('messages', {
    model: WRITTEN,
    messages: WRITTEN,
    tools: WRITTEN,
    toolChoice: WRITTEN,
    settings: WRITTEN,
    reasoning: WRITTEN,
    output: WRITTEN,
    safety: UNSUPPORTED,
    cachedContent: UNSUPPORTED,
    user: WRITTEN,
    metadata: UNSUPPORTED,
    delivery: WRITTEN,
    routing: UNSUPPORTED,
    extras: WRITTEN,
  }),
  delivery: table<Delivery>('messages', { stream: WRITTEN, usage: WRITTEN, hideReasoning: UNSUPPORTED }),
  settings: table<Settings>('messages', SETTINGS),
  reasoning: table<ReasoningOptions>('messages', { on: WRITTEN, effort: WRITTEN, budget: WRITTEN, show: WRITTEN }),
  output: table<OutputOptions>('messages', OUTPUT),
  schema: table<Schema>('a messages schema', { dialect: WRITTEN, value: WRITTEN }),
  toolChoice: table<ToolChoice>('messages', { mode: WRITTEN, names: WRITTEN, parallel: WRITTEN }),
  tool: {
    function: table<FunctionTool>('a messages tool', {
      name: WRITTEN,
      description: WRITTEN,
      schema: WRITTEN,
      strict: WRITTEN,
      cache: WRITTEN,
      extras: WRITTEN,
    }),
    custom: WHOLE,
    builtin: table<BuiltinTool>('a messages tool', {
      kind: WRITTEN,
      protocol: WRITTEN,
      version: WRITTEN,
      options: WRITTEN,
      cache: WRITTEN,
      extras: WRITTEN,
    }),
  },
  message: table<Message>('a messages turn', {
    role: WRITTEN,
    parts: WRITTEN,
    name: 'messages turns have no names',
    extras: WRITTEN,
  }),
  part: {
    text: table<Text>('a messages text', {
      text: WRITTEN,
      citations: WRITTEN,
      cache: WRITTEN,
      item: NO_ITEMS,
      seal: carried,
      extras: WRITTEN,
    }),
    refusal: WHOLE,
    reasoning: table<Reasoning>('messages thinking', {
      text: WRITTEN,
      summary: UNSUPPORTED,
      hidden: WRITTEN,
      cache: UNSUPPORTED,
      item: NO_ITEMS,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'tool-call': table<ToolCall>('a messages call', {
      id: WRITTEN,
      name: WRITTEN,
      arguments: WRITTEN,
      by: WRITTEN,
      custom: 'messages tools take JSON',
      cache: WRITTEN,
      item: NO_ITEMS,
      seal: carried,
      extras: WRITTEN,
    }),
    'tool-result': table<ToolResult>('a messages result', {
      callId: WRITTEN,
      name: 'messages results are matched by id',
      output: WRITTEN,
      failed: WRITTEN,
      by: WRITTEN,
      cache: WRITTEN,
      item: NO_ITEMS,
      seal: NO_SEALS,
      extras: WRITTEN,
    }),
    'search-hit': table<SearchHit>('a messages search result', {
      url: WRITTEN,
      title: WRITTEN,
      age: UNSUPPORTED,
      parts: WRITTEN,
      cite: WRITTEN,
      cache: WRITTEN,
      item: NO_ITEMS,
      seal: NO_SEALS,
      extras: WRITTEN,
    }),
    code: WHOLE,
    'code-output': WHOLE,
    opaque: table<Opaque>('a messages block', {
      protocol: WRITTEN,
      value: WRITTEN,
      cache: UNSUPPORTED,
      item: NO_ITEMS,
      seal: NO_SEALS,
      extras: WRITTEN,
    }),
  },
  media: {
    image: table<Media>('a messages image', {
      ...MEDIA,
      title: UNSUPPORTED,
      context: UNSUPPORTED,
      cite: UNSUPPORTED,
    }),
    document: table<Media>('a messages document', MEDIA),
    audio: WHOLE,
    video: WHOLE,
  },
  source: {
    base64: table<SourceOf<'base64'>>('messages data', { kind: WRITTEN, mime: WRITTEN, data: WRITTEN }),
    url: table<SourceOf<'url'>>('a messages URL', { kind: WRITTEN, url: WRITTEN, mime: UNSUPPORTED }),
    file: table<SourceOf<'file'>>('a messages file', {
      kind: WRITTEN,
      issuer: WRITTEN,
      id: WRITTEN,
      mime: UNSUPPORTED,
    }),
    text: table<SourceOf<'text'>>('a messages text', { kind: WRITTEN, text: WRITTEN }),
    parts: table<SourceOf<'parts'>>('messages content', { kind: WRITTEN, parts: WRITTEN }),
  },
  clip: WHOLE,
  cacheMark: table<CacheMark>('a messages cache mark', { ttl: WRITTEN }),
  citation: table<Citation>('a messages citation', {
    range: 'messages cites for whole text blocks',
    quote: WRITTEN,
    source: WRITTEN,
    grounded: WRITTEN, // the loss of the grounding is reported
    extras: WRITTEN,
  }),
  cited: {
    url: table<CitedBy<'url'>>('a messages citation', {
      kind: WRITTEN,
      url: WRITTEN,
      title: WRITTEN,
      seal: WRITTEN,
      license: UNSUPPORTED,
      date: UNSUPPORTED,
    }),
    document: table<CitedBy<'document'>>('a cited document', {
      kind: WRITTEN,
      index: WRITTEN,
      title: WRITTEN,
      source: UNSUPPORTED,
      span: WRITTEN,
    }),
    'search-hit': table<CitedBy<'search-hit'>>('a cited search result', {
      kind: WRITTEN,
      index: WRITTEN,
      title: WRITTEN,
      source: WRITTEN,
      span: WRITTEN,
    }),
  },
  citationSpan: table<CitationSpan>('a messages citation', { unit: WRITTEN, start: WRITTEN, end: WRITTEN }),
  response: table<ModelResponse>('a messages answer', {
    id: WRITTEN,
    model: WRITTEN,
    created: UNSUPPORTED,
    candidates: WRITTEN,
    blocked: WRITTEN,
    usage: WRITTEN,
    extras: WRITTEN,
  }),
  blocked: WHOLE,
  candidate: table<Candidate>('a messages answer', {
    parts: WRITTEN,
    finish: WRITTEN,
    safety: UNSUPPORTED,
    grounding: UNSUPPORTED,
    logprobs: NO_LOGPROBS,
    extras: NO_CANDIDATES,
  }),
  finish: table<Finish>('a messages finish', {
    reason: WRITTEN,
    raw: WRITTEN,
    sequence: WRITTEN,
    message: 'messages has no text for why it stopped',
  }),
  logprobs: WHOLE,
  logprob: WHOLE,
  usage: table<Usage>('messages usage', {
    input: WRITTEN,
    output: WRITTEN,
    cacheRead: WRITTEN,
    cacheWrite5m: WRITTEN,
    cacheWrite1h: WRITTEN,
    reasoning: WRITTEN,
    toolPrompt: UNSUPPORTED,
    searches: WRITTEN,
    fetches: WRITTEN,
    modalities: UNSUPPORTED,
    estimated: UNSUPPORTED,
    extras: WRITTEN,
  }),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
