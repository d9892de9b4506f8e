import type { Finish } from '../../ir/finish.ts'
import type { Message } from '../../ir/message.ts'
import type {
  Citation,
  Clip,
  Code,
  CodeOutput,
  Media,
  Opaque,
  Reasoning,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { Delivery, ModelRequest } from '../../ir/request.ts'
import type { Blocked, Candidate, Logprob, Logprobs, ModelResponse } from '../../ir/response.ts'
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

/** File names are for responses, and for upstreams that accept them. */
export function takesTitles({ toward, dialect }: Encoding): boolean {
  return toward === 'client' || dialect?.['displayName'] === true
}

const SETTINGS = {
  maxTokens: WRITTEN,
  temperature: WRITTEN,
  topP: WRITTEN,
  topK: WRITTEN,
  stop: WRITTEN,
  presencePenalty: WRITTEN,
  frequencyPenalty: WRITTEN,
  seed: WRITTEN,
  logitBias: UNSUPPORTED,
  logprobs: WRITTEN,
  candidates: WRITTEN,
} as const satisfies MembersOf<Settings>

/** The settings that genai has. */
export type WrittenSettings = WrittenOf<Settings, typeof SETTINGS>

const media = table<Media>(NAME, {
  kind: WRITTEN,
  source: WRITTEN,
  title: (context) => (takesTitles(context) ? undefined : 'this upstream takes no names of files'),
  context: UNSUPPORTED,
  cite: UNSUPPORTED,
  transcript: UNSUPPORTED,
  detail: WRITTEN,
  clip: WRITTEN,
  cache: UNSUPPORTED,
  item: UNSUPPORTED,
  seal: WRITTEN,
  extras: WRITTEN,
})

/** What genai can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>(NAME, {
    model: WRITTEN,
    messages: WRITTEN,
    tools: WRITTEN,
    toolChoice: WRITTEN,
    settings: WRITTEN,
    reasoning: WRITTEN,
    output: WRITTEN,
    safety: WRITTEN,
    cachedContent: WRITTEN,
    user: UNSUPPORTED,
    metadata: UNSUPPORTED,
    delivery: WRITTEN,
    routing: UNSUPPORTED,
    extras: WRITTEN,
  }),
  delivery: table<Delivery>(NAME, {
    stream: WRITTEN,
    usage: WRITTEN,
    hideReasoning: 'genai shows what it is asked to show',
  }),
  settings: table<Settings>(NAME, SETTINGS),
  reasoning: table<ReasoningOptions>(NAME, { on: WRITTEN, effort: WRITTEN, budget: WRITTEN, show: WRITTEN }),
  output: table<OutputOptions>(NAME, {
    format: WRITTEN,
    schema: WRITTEN,
    name: UNSUPPORTED,
    description: UNSUPPORTED,
    strict: UNSUPPORTED,
    modalities: WRITTEN,
    speech: WRITTEN,
    image: WRITTEN,
    verbosity: UNSUPPORTED,
  }),
  schema: table<Schema>('a genai schema', { dialect: WRITTEN, value: WRITTEN }),
  toolChoice: table<ToolChoice>(NAME, { mode: WRITTEN, names: WRITTEN, parallel: UNSUPPORTED }),
  tool: {
    function: table<FunctionTool>(NAME, {
      name: WRITTEN,
      description: WRITTEN,
      schema: WRITTEN,
      strict: UNSUPPORTED,
      cache: UNSUPPORTED,
      extras: WRITTEN,
    }),
    custom: WHOLE,
    builtin: table<BuiltinTool>(NAME, {
      kind: WRITTEN,
      protocol: WRITTEN,
      version: WRITTEN,
      options: WRITTEN,
      cache: UNSUPPORTED,
      extras: WRITTEN,
    }),
  },
  message: table<Message>('a genai turn', {
    role: WRITTEN,
    parts: WRITTEN,
    name: 'genai turns have no names',
    extras: WRITTEN,
  }),
  part: {
    text: table<Text>(NAME, {
      text: WRITTEN,
      citations: ({ toward }) => (toward === 'client' ? undefined : 'genai takes no citations back'),
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    refusal: WHOLE,
    reasoning: table<Reasoning>(NAME, {
      text: WRITTEN,
      summary: UNSUPPORTED,
      hidden: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'tool-call': table<ToolCall>(NAME, {
      id: WRITTEN,
      name: WRITTEN,
      arguments: WRITTEN,
      by: WRITTEN,
      custom: 'genai functions take JSON',
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'tool-result': table<ToolResult>(NAME, {
      callId: WRITTEN,
      name: WRITTEN,
      output: WRITTEN,
      failed: WRITTEN,
      by: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'search-hit': WHOLE,
    code: table<Code>(NAME, {
      language: WRITTEN,
      text: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    'code-output': table<CodeOutput>(NAME, {
      outcome: WRITTEN,
      text: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: WRITTEN,
      extras: WRITTEN,
    }),
    opaque: table<Opaque>(NAME, {
      protocol: WRITTEN,
      value: WRITTEN,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
      extras: WRITTEN,
    }),
  },
  media: { image: media, audio: media, video: media, document: media },
  source: {
    base64: table<SourceOf<'base64'>>(NAME, { kind: WRITTEN, mime: WRITTEN, data: WRITTEN }),
    url: table<SourceOf<'url'>>(NAME, { kind: WRITTEN, url: WRITTEN, mime: WRITTEN }),
    file: table<SourceOf<'file'>>(NAME, { kind: WRITTEN, issuer: WRITTEN, id: WRITTEN, mime: WRITTEN }),
    text: WHOLE,
    parts: WHOLE,
  },
  clip: table<Clip>(NAME, { start: WRITTEN, end: WRITTEN, fps: WRITTEN }),
  cacheMark: WHOLE,
  citation: table<Citation>(NAME, {
    range: WRITTEN,
    quote: UNSUPPORTED,
    source: WRITTEN,
    grounded: WRITTEN,
    extras: WRITTEN,
  }),
  cited: {
    url: table<CitedBy<'url'>>(NAME, {
      kind: WRITTEN,
      url: WRITTEN,
      title: WRITTEN,
      seal: UNSUPPORTED,
      license: WRITTEN,
      date: WRITTEN,
    }),
    document: WHOLE,
    'search-hit': WHOLE,
  },
  citationSpan: WHOLE,
  response: table<ModelResponse>('a genai answer', {
    id: WRITTEN,
    model: WRITTEN,
    created: WRITTEN,
    candidates: WRITTEN,
    blocked: WRITTEN,
    usage: WRITTEN,
    extras: WRITTEN,
  }),
  blocked: table<Blocked>('genai feedback', { reason: WRITTEN, message: WRITTEN, safety: WRITTEN }),
  candidate: table<Candidate>('a genai candidate', {
    parts: WRITTEN,
    finish: WRITTEN,
    safety: WRITTEN,
    grounding: WRITTEN,
    logprobs: WRITTEN,
    extras: WRITTEN,
  }),
  finish: table<Finish>('a genai finish', {
    reason: WRITTEN,
    raw: WRITTEN,
    sequence: 'genai does not name the stop sequence that matched',
    message: WRITTEN,
  }),
  logprobs: table<Logprobs>(NAME, { tokens: WRITTEN, average: WRITTEN }),
  logprob: table<Logprob>(NAME, {
    token: WRITTEN,
    logprob: WRITTEN,
    bytes: UNSUPPORTED,
    top: WRITTEN,
    extras: WRITTEN,
  }),
  usage: table<Usage>(NAME, {
    input: WRITTEN,
    output: WRITTEN,
    cacheRead: WRITTEN,
    cacheWrite5m: UNSUPPORTED,
    cacheWrite1h: UNSUPPORTED,
    reasoning: WRITTEN,
    toolPrompt: WRITTEN,
    searches: UNSUPPORTED,
    fetches: UNSUPPORTED,
    modalities: WRITTEN,
    estimated: UNSUPPORTED,
    extras: WRITTEN,
  }),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
