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
  CLAMPED,
  tablesOf,
  UNSUPPORTED,
  WHOLE,
  WRITTEN,
  type CitedBy,
  type MembersOf,
  type NodeTables,
  type WrittenOf,
} from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

export const NO_LOGPROBS = 'messages answers have no logprobs'
export const NO_CANDIDATES = 'messages answers have no candidates'
const NO_ITEMS = 'messages has no output items'
const NO_SEALS = 'messages signs only reasoning'

/** Clients send back the seals of other parts in separate blocks. */
const carried = ({ toward }: Encoding) => (toward === 'client' ? undefined : NO_SEALS)

type Setting = 'maxTokens' | 'temperature' | 'topP' | 'topK' | 'stop'

/** The settings that messages has. */
export type WrittenSettings = WrittenOf<Settings, Setting>

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
type WrittenMedia = 'kind' | 'source' | 'cache' | 'extras'
const MEDIA: MembersOf<Media, WrittenMedia> = {
  detail: UNSUPPORTED,
  clip: UNSUPPORTED,
  transcript: UNSUPPORTED,
  title: WRITTEN,
  context: WRITTEN,
  cite: WRITTEN,
  item: NO_ITEMS,
  seal: carried,
}

const FROM_START = 'messages has all tools from the start'

/** What messages can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<
    ModelRequest,
    | 'model'
    | 'messages'
    | 'tools'
    | 'toolChoice'
    | 'settings'
    | 'reasoning'
    | 'output'
    | 'user'
    | 'serviceTier'
    | 'delivery'
    | 'extras'
  >('messages', {
    safety: UNSUPPORTED,
    cachedContent: UNSUPPORTED,
    metadata: UNSUPPORTED,
    routing: UNSUPPORTED,
    promptCacheKey: UNSUPPORTED,
    promptCacheRetention: UNSUPPORTED,
    promptCacheOptions: UNSUPPORTED,
    moderation: UNSUPPORTED,
  }),
  delivery: table<Delivery, 'stream' | 'usage'>('messages', {
    hideReasoning: UNSUPPORTED,
    obfuscation: UNSUPPORTED,
  }),
  settings: table<Settings, Setting>('messages', {
    presencePenalty: UNSUPPORTED,
    frequencyPenalty: UNSUPPORTED,
    seed: UNSUPPORTED,
    logitBias: UNSUPPORTED,
    logprobs: UNSUPPORTED,
    candidates: UNSUPPORTED,
  }),
  reasoning: table<ReasoningOptions, 'on' | 'effort' | 'budget' | 'show'>('messages', {}),
  output: table<OutputOptions>('messages', OUTPUT),
  schema: table<Schema, 'dialect' | 'value'>('a messages schema', {}),
  toolChoice: table<ToolChoice, 'mode' | 'names' | 'parallel'>('messages', {}),
  tool: {
    function: table<FunctionTool, 'name' | 'description' | 'schema' | 'strict' | 'cache' | 'extras'>(
      'a messages tool',
      { since: FROM_START },
    ),
    custom: WHOLE,
    builtin: table<BuiltinTool, 'kind' | 'protocol' | 'version' | 'options' | 'cache' | 'extras'>('a messages tool', {
      since: FROM_START,
    }),
  },
  message: table<Message, 'role' | 'parts' | 'extras'>('a messages turn', { name: 'messages turns have no names' }),
  part: {
    text: table<Text, 'text' | 'citations' | 'cache' | 'extras'>('a messages text', { item: NO_ITEMS, seal: carried }),
    refusal: WHOLE,
    reasoning: table<Reasoning, 'text' | 'hidden' | 'seal' | 'extras'>('messages thinking', {
      summary: UNSUPPORTED,
      cache: UNSUPPORTED,
      item: NO_ITEMS,
    }),
    'tool-call': table<ToolCall, 'id' | 'name' | 'arguments' | 'by' | 'cache' | 'extras'>('a messages call', {
      custom: 'messages tools take JSON',
      item: NO_ITEMS,
      seal: carried,
    }),
    'tool-result': table<ToolResult, 'callId' | 'output' | 'failed' | 'by' | 'cache' | 'extras'>('a messages result', {
      name: 'messages results are matched by id',
      item: NO_ITEMS,
      seal: NO_SEALS,
    }),
    'search-hit': table<SearchHit, 'url' | 'title' | 'parts' | 'cite' | 'cache' | 'extras'>(
      'a messages search result',
      { age: UNSUPPORTED, item: NO_ITEMS, seal: NO_SEALS },
    ),
    code: WHOLE,
    'code-output': WHOLE,
    opaque: table<Opaque, 'protocol' | 'value' | 'words' | 'extras'>('a messages block', {
      cache: UNSUPPORTED,
      item: NO_ITEMS,
      seal: NO_SEALS,
    }),
  },
  media: {
    image: table<Media, WrittenMedia>('a messages image', {
      ...MEDIA,
      title: UNSUPPORTED,
      context: UNSUPPORTED,
      cite: UNSUPPORTED,
    }),
    document: table<Media, WrittenMedia>('a messages document', MEDIA),
    audio: WHOLE,
    video: WHOLE,
  },
  source: {
    base64: table<SourceOf<'base64'>, 'kind' | 'mime' | 'data'>('messages data', {}),
    url: table<SourceOf<'url'>, 'kind' | 'url'>('a messages URL', { mime: UNSUPPORTED }),
    file: table<SourceOf<'file'>, 'kind' | 'issuer' | 'id'>('a messages file', { mime: UNSUPPORTED }),
    text: table<SourceOf<'text'>, 'kind' | 'text'>('a messages text', {}),
    parts: table<SourceOf<'parts'>, 'kind' | 'parts'>('messages content', {}),
  },
  clip: WHOLE,
  cacheMark: table<CacheMark, 'ttl'>('a messages cache mark', {}),
  // What is grounded repeats the grounding, whose loss is reported.
  citation: table<Citation, 'quote' | 'source' | 'grounded' | 'extras'>('a messages citation', {
    range: 'messages cites for whole text blocks',
  }),
  cited: {
    file: WHOLE,
    url: table<CitedBy<'url'>, 'kind' | 'url' | 'title' | 'seal'>('a messages citation', {
      license: UNSUPPORTED,
      date: UNSUPPORTED,
    }),
    document: table<CitedBy<'document'>, 'kind' | 'index' | 'title' | 'span'>('a cited document', {
      source: UNSUPPORTED,
    }),
    'search-hit': table<CitedBy<'search-hit'>, 'kind' | 'index' | 'title' | 'source' | 'span'>(
      'a cited search result',
      {},
    ),
  },
  citationSpan: table<CitationSpan, 'unit' | 'start' | 'end'>('a messages citation', {}),
  response: table<ModelResponse, 'id' | 'model' | 'candidates' | 'blocked' | 'usage' | 'serviceTier' | 'extras'>(
    'a messages answer',
    {
      created: UNSUPPORTED,
    },
  ),
  blocked: WHOLE,
  candidate: table<Candidate, 'parts' | 'finish'>('a messages answer', {
    safety: UNSUPPORTED,
    grounding: UNSUPPORTED,
    logprobs: NO_LOGPROBS,
    extras: NO_CANDIDATES,
  }),
  finish: table<Finish, 'reason' | 'raw' | 'sequence'>('a messages finish', {
    message: 'messages has no text for why it stopped',
  }),
  logprobs: WHOLE,
  logprob: WHOLE,
  usage: table<
    Usage,
    'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'cacheWrite1h' | 'reasoning' | 'searches' | 'fetches' | 'extras'
  >('messages usage', { toolPrompt: UNSUPPORTED, modalities: UNSUPPORTED, estimated: UNSUPPORTED, clamped: CLAMPED }),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
