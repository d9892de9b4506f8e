import type { Finish } from '../../ir/finish.ts'
import type { Message } from '../../ir/message.ts'
import type {
  CacheMark,
  Citation,
  CitationSource,
  Media,
  Opaque,
  Reasoning,
  Refusal,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { Delivery, ModelRequest } from '../../ir/request.ts'
import type { Candidate, Logprob, Logprobs, ModelResponse } from '../../ir/response.ts'
import type { OutputOptions, ReasoningOptions, Settings } from '../../ir/settings.ts'
import type { BuiltinTool, CustomTool, FunctionTool, Schema, ToolChoice } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import type { JsonObject } from '../../lib/json.ts'
import {
  CLAMPED,
  tablesOf,
  UNSUPPORTED,
  WHOLE,
  WRITTEN,
  type MembersOf,
  type NodeTables,
  type WrittenOf,
} from '../member-tables.ts'
import type { Serving } from '../openai-members.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** Cache marks are an extension of some chat upstreams. */
export function takesMarks({ toward, dialect }: Encoding): boolean {
  return toward === 'upstream' && dialect?.['cache'] === true
}

/** Clients get images of assistants in a member of their own, and some upstreams take them back in it. */
export function takesImages({ toward, dialect }: Encoding): boolean {
  return toward === 'client' || dialect?.['images'] === true
}

/** OpenAI has only `reasoning_effort`; some upstreams have the `reasoning` object of the specification. */
export function hasEffortsAlone(dialect: JsonObject | undefined): boolean {
  return dialect?.['reasoning'] !== 'object'
}

/** Most upstreams give several answers to one request. */
export function answersSeveral({ dialect }: Encoding): boolean {
  return dialect?.['candidates'] !== false
}

export const EFFORT_ALONE = 'this upstream has efforts alone'
const cache = (context: Encoding) => (takesMarks(context) ? undefined : 'this upstream has no cache marks')

type Setting =
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'stop'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'seed'
  | 'logitBias'
  | 'logprobs'

/** The settings that chat has. */
export type WrittenSettings = WrittenOf<Settings, Setting | 'candidates'>

export type WrittenOutput = 'format' | 'verbosity'
export const OUTPUT: MembersOf<OutputOptions, WrittenOutput> = {
  modalities: UNSUPPORTED,
  speech: UNSUPPORTED,
  image: UNSUPPORTED,
  schema: WRITTEN,
  name: WRITTEN,
  strict: WRITTEN,
  description: WRITTEN,
}
export type WrittenReasoning = 'text' | 'hidden'
export const REASONING: MembersOf<Reasoning, WrittenReasoning> = {
  summary: WRITTEN,
  cache: UNSUPPORTED,
  item: UNSUPPORTED,
  seal: WRITTEN,
  extras: WRITTEN,
}
export type WrittenMedia = 'kind' | 'source' | 'extras'
export const MEDIA: MembersOf<Media, WrittenMedia> = {
  context: UNSUPPORTED,
  cite: UNSUPPORTED,
  clip: UNSUPPORTED,
  transcript: UNSUPPORTED,
  title: UNSUPPORTED,
  detail: UNSUPPORTED,
  cache,
  item: UNSUPPORTED,
  seal: UNSUPPORTED,
}

const FROM_START = 'chat has all tools from the start'

/** What chat can express of each node, in a request and in a response. */
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
    | 'metadata'
    | 'delivery'
    | 'routing'
    | 'extras'
    | Serving
  >('chat', {
    safety: UNSUPPORTED,
    cachedContent: UNSUPPORTED,
    user: ({ dialect }) => (dialect?.['user'] === false ? 'this upstream takes no identifier of users' : undefined),
  }),
  delivery: table<Delivery, 'stream' | 'usage' | 'obfuscation'>('chat', {
    hideReasoning: ({ dialect }) => (hasEffortsAlone(dialect) ? EFFORT_ALONE : undefined),
  }),
  settings: table<Settings, Setting>('chat', {
    topK: UNSUPPORTED,
    candidates: (context) => (answersSeveral(context) ? undefined : 'this upstream answers once'),
  }),
  reasoning: table<ReasoningOptions, 'on' | 'effort' | 'budget' | 'show'>('chat', {}),
  output: table<OutputOptions, WrittenOutput>('chat', OUTPUT),
  schema: table<Schema, 'dialect' | 'value'>('a chat schema', {}),
  toolChoice: table<ToolChoice, 'mode' | 'names' | 'parallel'>('chat', {}),
  tool: {
    function: table<FunctionTool, 'name' | 'description' | 'schema' | 'strict' | 'extras'>('a chat tool', {
      cache,
      since: FROM_START,
    }),
    custom: table<CustomTool, 'name' | 'description' | 'grammar' | 'extras'>('a chat tool', { since: FROM_START }),
    builtin: table<BuiltinTool, 'kind' | 'protocol' | 'options' | 'extras'>('a chat web search', {
      version: UNSUPPORTED,
      cache: UNSUPPORTED,
      since: FROM_START,
    }),
  },
  message: table<Message, 'role' | 'parts' | 'name' | 'extras'>('a chat message', {}),
  part: {
    text: table<Text, 'text' | 'extras'>('a chat text', {
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
      citations: UNSUPPORTED,
      cache,
    }),
    refusal: table<Refusal, 'text'>('a chat refusal', {
      cache: UNSUPPORTED,
      seal: UNSUPPORTED,
      item: UNSUPPORTED,
      extras: 'chat refusals are plain text',
    }),
    reasoning: table<Reasoning, WrittenReasoning>('chat reasoning', REASONING),
    'tool-call': table<ToolCall, 'id' | 'name' | 'arguments' | 'by' | 'custom' | 'seal' | 'extras'>('a chat call', {
      item: UNSUPPORTED,
      cache,
    }),
    'tool-result': table<ToolResult, 'callId' | 'name' | 'output' | 'by' | 'extras'>('a chat result', {
      failed: UNSUPPORTED,
      cache,
      seal: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    'search-hit': WHOLE,
    code: WHOLE,
    'code-output': WHOLE,
    opaque: table<Opaque, 'protocol' | 'value' | 'words' | 'extras'>('a chat part', {
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
    }),
  },
  media: {
    image: table<Media, WrittenMedia>('a chat image', { ...MEDIA, detail: WRITTEN }),
    audio: table<Media, WrittenMedia>('a chat audio', MEDIA),
    document: table<Media, WrittenMedia>('a chat document', { ...MEDIA, title: WRITTEN }),
    video: WHOLE,
  },
  source: {
    base64: table<SourceOf<'base64'>, 'kind' | 'mime' | 'data'>('chat data', {}),
    url: table<SourceOf<'url'>, 'kind' | 'url'>('a chat URL', { mime: UNSUPPORTED }),
    file: table<SourceOf<'file'>, 'kind' | 'issuer' | 'id'>('a chat file', { mime: UNSUPPORTED }),
    text: WHOLE,
    parts: WHOLE,
  },
  clip: WHOLE,
  cacheMark: table<CacheMark, 'ttl'>('a chat cache mark', {}),
  // What is grounded repeats the grounding, whose loss is reported.
  citation: table<Citation, 'range' | 'source' | 'grounded' | 'extras'>('a chat citation', { quote: UNSUPPORTED }),
  cited: {
    file: WHOLE,
    url: table<Extract<CitationSource, { kind: 'url' }>, 'kind' | 'url' | 'title'>('a chat citation', {
      seal: UNSUPPORTED,
      license: UNSUPPORTED,
      date: UNSUPPORTED,
    }),
    document: WHOLE,
    'search-hit': WHOLE,
  },
  citationSpan: WHOLE,
  response: table<
    ModelResponse,
    'id' | 'model' | 'created' | 'candidates' | 'blocked' | 'usage' | 'serviceTier' | 'extras'
  >('a chat answer', {}),
  blocked: WHOLE,
  candidate: table<Candidate, 'parts' | 'finish' | 'logprobs' | 'extras'>('a chat answer', {
    safety: UNSUPPORTED,
    grounding: UNSUPPORTED,
  }),
  finish: table<Finish, 'reason' | 'raw'>('a chat finish', { sequence: UNSUPPORTED, message: UNSUPPORTED }),
  logprobs: table<Logprobs, 'tokens'>('chat', { average: UNSUPPORTED }),
  logprob: table<Logprob, 'token' | 'logprob' | 'bytes' | 'top' | 'extras'>('chat', {}),
  usage: table<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'reasoning' | 'searches' | 'extras'>(
    'chat usage',
    {
      cacheWrite1h: UNSUPPORTED,
      toolPrompt: UNSUPPORTED,
      fetches: UNSUPPORTED,
      modalities: UNSUPPORTED,
      estimated: UNSUPPORTED,
      clamped: CLAMPED,
    },
  ),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
