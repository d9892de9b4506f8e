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
  tablesOf,
  UNSUPPORTED,
  WHOLE,
  WRITTEN,
  type MembersOf,
  type NodeTables,
  type WrittenOf,
} from '../member-tables.ts'
import type { Encoding } from '../protocol.ts'
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

/** Some upstreams give several candidates. */
export function answersSeveral({ dialect }: Encoding): boolean {
  return dialect?.['candidates'] === true
}

export const EFFORT_ALONE = 'this upstream has efforts alone'
const cache = (context: Encoding) => (takesMarks(context) ? undefined : 'this upstream has no cache marks')

const SETTINGS = {
  maxTokens: WRITTEN,
  temperature: WRITTEN,
  topP: WRITTEN,
  topK: UNSUPPORTED,
  stop: WRITTEN,
  presencePenalty: WRITTEN,
  frequencyPenalty: WRITTEN,
  seed: WRITTEN,
  logitBias: WRITTEN,
  logprobs: WRITTEN,
  candidates: (context) => (answersSeveral(context) ? undefined : 'chat answers once'),
} as const satisfies MembersOf<Settings>

/** The settings that chat has. */
export type WrittenSettings = WrittenOf<Settings, typeof SETTINGS>

export const OUTPUT: MembersOf<OutputOptions> = {
  format: WRITTEN,
  modalities: UNSUPPORTED,
  speech: UNSUPPORTED,
  image: UNSUPPORTED,
  schema: WRITTEN,
  name: WRITTEN,
  strict: WRITTEN,
  description: WRITTEN,
  verbosity: WRITTEN,
}
export const REASONING: MembersOf<Reasoning> = {
  text: WRITTEN,
  summary: WRITTEN,
  hidden: WRITTEN,
  cache: UNSUPPORTED,
  item: UNSUPPORTED,
  seal: WRITTEN,
  extras: WRITTEN,
}
const MEDIA: MembersOf<Media> = {
  kind: WRITTEN,
  source: WRITTEN,
  context: UNSUPPORTED,
  cite: UNSUPPORTED,
  clip: UNSUPPORTED,
  transcript: UNSUPPORTED,
  title: UNSUPPORTED,
  detail: UNSUPPORTED,
  cache,
  item: UNSUPPORTED,
  seal: UNSUPPORTED,
  extras: WRITTEN,
}

/** What chat can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>('chat', {
    model: WRITTEN,
    messages: WRITTEN,
    tools: WRITTEN,
    toolChoice: WRITTEN,
    settings: WRITTEN,
    reasoning: WRITTEN,
    output: WRITTEN,
    safety: UNSUPPORTED,
    cachedContent: UNSUPPORTED,
    user: ({ dialect }) => (dialect?.['user'] === false ? 'this upstream takes no identifier of users' : undefined),
    metadata: WRITTEN,
    delivery: WRITTEN,
    routing: WRITTEN,
    extras: WRITTEN,
  }),
  delivery: table<Delivery>('chat', {
    stream: WRITTEN,
    usage: WRITTEN,
    hideReasoning: ({ dialect }) => (hasEffortsAlone(dialect) ? EFFORT_ALONE : undefined),
  }),
  settings: table<Settings>('chat', SETTINGS),
  reasoning: table<ReasoningOptions>('chat', { on: WRITTEN, effort: WRITTEN, budget: WRITTEN, show: WRITTEN }),
  output: table<OutputOptions>('chat', OUTPUT),
  schema: table<Schema>('a chat schema', { dialect: WRITTEN, value: WRITTEN }),
  toolChoice: table<ToolChoice>('chat', { mode: WRITTEN, names: WRITTEN, parallel: WRITTEN }),
  tool: {
    function: table<FunctionTool>('a chat tool', {
      name: WRITTEN,
      description: WRITTEN,
      schema: WRITTEN,
      strict: WRITTEN,
      cache,
      extras: WRITTEN,
    }),
    custom: table<CustomTool>('a chat tool', {
      name: WRITTEN,
      description: WRITTEN,
      format: WRITTEN,
      extras: WRITTEN,
    }),
    builtin: table<BuiltinTool>('a chat web search', {
      kind: WRITTEN,
      protocol: WRITTEN,
      version: UNSUPPORTED,
      options: WRITTEN,
      cache: UNSUPPORTED,
      extras: WRITTEN,
    }),
  },
  message: table<Message>('a chat message', { role: WRITTEN, parts: WRITTEN, name: WRITTEN, extras: WRITTEN }),
  part: {
    text: table<Text>('a chat text', {
      text: WRITTEN,
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
      citations: UNSUPPORTED,
      cache,
      extras: WRITTEN,
    }),
    refusal: table<Refusal>('a chat refusal', {
      text: WRITTEN,
      cache: UNSUPPORTED,
      seal: UNSUPPORTED,
      item: UNSUPPORTED,
      extras: 'chat refusals are plain text',
    }),
    reasoning: table<Reasoning>('chat reasoning', REASONING),
    'tool-call': table<ToolCall>('a chat call', {
      id: WRITTEN,
      name: WRITTEN,
      arguments: WRITTEN,
      by: WRITTEN,
      custom: WRITTEN,
      item: UNSUPPORTED,
      cache,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'tool-result': table<ToolResult>('a chat result', {
      callId: WRITTEN,
      name: WRITTEN,
      output: WRITTEN,
      by: WRITTEN,
      failed: UNSUPPORTED,
      cache,
      seal: UNSUPPORTED,
      item: UNSUPPORTED,
      extras: WRITTEN,
    }),
    'search-hit': WHOLE,
    code: WHOLE,
    'code-output': WHOLE,
    opaque: table<Opaque>('a chat part', {
      protocol: WRITTEN,
      value: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
      extras: WRITTEN,
    }),
  },
  media: {
    image: table<Media>('a chat image', { ...MEDIA, detail: WRITTEN }),
    audio: table<Media>('a chat audio', MEDIA),
    document: table<Media>('a chat document', { ...MEDIA, title: WRITTEN }),
    video: WHOLE,
  },
  source: {
    base64: table<SourceOf<'base64'>>('chat data', { kind: WRITTEN, mime: WRITTEN, data: WRITTEN }),
    url: table<SourceOf<'url'>>('a chat URL', { kind: WRITTEN, url: WRITTEN, mime: UNSUPPORTED }),
    file: table<SourceOf<'file'>>('a chat file', { kind: WRITTEN, issuer: WRITTEN, id: WRITTEN, mime: UNSUPPORTED }),
    text: WHOLE,
    parts: WHOLE,
  },
  clip: WHOLE,
  cacheMark: table<CacheMark>('a chat cache mark', { ttl: WRITTEN }),
  citation: table<Citation>('a chat citation', {
    range: WRITTEN,
    quote: UNSUPPORTED,
    source: WRITTEN,
    grounded: WRITTEN, // the loss of the grounding is reported
    extras: WRITTEN,
  }),
  cited: {
    url: table<Extract<CitationSource, { kind: 'url' }>>('a chat citation', {
      kind: WRITTEN,
      url: WRITTEN,
      title: WRITTEN,
      seal: UNSUPPORTED,
      license: UNSUPPORTED,
      date: UNSUPPORTED,
    }),
    document: WHOLE,
    'search-hit': WHOLE,
  },
  citationSpan: WHOLE,
  response: table<ModelResponse>('a chat answer', {
    id: WRITTEN,
    model: WRITTEN,
    created: WRITTEN,
    candidates: WRITTEN,
    blocked: WRITTEN,
    usage: WRITTEN,
    extras: WRITTEN,
  }),
  blocked: WHOLE,
  candidate: table<Candidate>('a chat answer', {
    parts: WRITTEN,
    finish: WRITTEN,
    safety: UNSUPPORTED,
    grounding: UNSUPPORTED,
    logprobs: WRITTEN,
    extras: WRITTEN,
  }),
  finish: table<Finish>('a chat finish', {
    reason: WRITTEN,
    raw: WRITTEN,
    sequence: UNSUPPORTED,
    message: UNSUPPORTED,
  }),
  logprobs: table<Logprobs>('chat', { tokens: WRITTEN, average: UNSUPPORTED }),
  logprob: table<Logprob>('chat', { token: WRITTEN, logprob: WRITTEN, bytes: WRITTEN, top: WRITTEN, extras: WRITTEN }),
  usage: table<Usage>('chat usage', {
    input: WRITTEN,
    output: WRITTEN,
    cacheRead: WRITTEN,
    cacheWrite5m: WRITTEN,
    cacheWrite1h: UNSUPPORTED,
    reasoning: WRITTEN,
    toolPrompt: UNSUPPORTED,
    searches: UNSUPPORTED,
    fetches: UNSUPPORTED,
    modalities: UNSUPPORTED,
    estimated: UNSUPPORTED,
    extras: WRITTEN,
  }),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
