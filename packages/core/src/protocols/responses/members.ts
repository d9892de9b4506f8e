import type { Finish } from '../../ir/finish.ts'
import type { Message } from '../../ir/message.ts'
import type {
  CacheMark,
  Citation,
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
import type { Serving } from '../openai-members.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

const NO_SEALS = 'responses signs only reasoning'

/** Clients send back the seals of other parts in items of their own, or in ids. */
const carried = ({ toward }: Encoding) => (toward === 'client' ? undefined : NO_SEALS)

type Setting = 'maxTokens' | 'temperature' | 'topP' | 'logprobs'

/** The settings that responses has. */
export type WrittenSettings = WrittenOf<Settings, Setting>

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
export type WrittenMedia = 'kind' | 'source' | 'cache' | 'extras'
export const MEDIA: MembersOf<Media, WrittenMedia> = {
  context: UNSUPPORTED,
  cite: UNSUPPORTED,
  clip: UNSUPPORTED,
  transcript: UNSUPPORTED,
  title: UNSUPPORTED,
  detail: UNSUPPORTED,
  item: UNSUPPORTED,
  seal: NO_SEALS,
}

/** What responses can express of each node, in a request and in a response. */
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
    | 'metadata'
    | 'delivery'
    | 'extras'
    | Serving
  >('responses', { safety: UNSUPPORTED, cachedContent: UNSUPPORTED, routing: UNSUPPORTED }),
  delivery: table<Delivery, 'stream' | 'usage' | 'obfuscation'>('responses', { hideReasoning: UNSUPPORTED }),
  settings: table<Settings, Setting>('responses', {
    topK: UNSUPPORTED,
    stop: UNSUPPORTED,
    presencePenalty: UNSUPPORTED,
    frequencyPenalty: UNSUPPORTED,
    seed: UNSUPPORTED,
    logitBias: UNSUPPORTED,
    candidates: 'responses answers once',
  }),
  reasoning: table<ReasoningOptions, 'on' | 'effort' | 'budget' | 'show'>('responses', {}),
  output: table<OutputOptions, WrittenOutput>('responses', OUTPUT),
  schema: table<Schema, 'dialect' | 'value'>('a responses schema', {}),
  toolChoice: table<ToolChoice, 'mode' | 'names' | 'parallel'>('responses', {}),
  tool: {
    function: table<FunctionTool, 'name' | 'description' | 'schema' | 'strict' | 'since' | 'extras'>(
      'a responses tool',
      { cache: UNSUPPORTED },
    ),
    custom: table<CustomTool, 'name' | 'description' | 'grammar' | 'since' | 'extras'>('a responses tool', {}),
    builtin: table<BuiltinTool, 'kind' | 'protocol' | 'version' | 'options' | 'since' | 'extras'>('a responses tool', {
      cache: UNSUPPORTED,
    }),
  },
  message: table<Message, 'role' | 'parts' | 'extras'>('a responses message', { name: UNSUPPORTED }),
  part: {
    text: table<Text, 'text' | 'citations' | 'item' | 'extras'>('a responses text', {
      cache: UNSUPPORTED,
      seal: carried,
    }),
    refusal: table<Refusal, 'text' | 'item' | 'extras'>('a responses refusal', {
      cache: UNSUPPORTED,
      seal: NO_SEALS,
    }),
    reasoning: table<Reasoning, 'text' | 'hidden' | 'summary' | 'seal' | 'item' | 'extras'>('responses reasoning', {
      cache: UNSUPPORTED,
    }),
    'tool-call': table<ToolCall, 'id' | 'name' | 'arguments' | 'by' | 'custom' | 'item' | 'extras'>(
      'a responses call',
      { cache: UNSUPPORTED, seal: carried },
    ),
    'tool-result': table<ToolResult, 'callId' | 'output' | 'by' | 'item' | 'extras'>('a responses result', {
      name: 'responses results are matched by id',
      failed: UNSUPPORTED,
      cache: UNSUPPORTED,
      seal: NO_SEALS,
    }),
    'search-hit': WHOLE,
    code: WHOLE,
    'code-output': WHOLE,
    opaque: table<Opaque, 'protocol' | 'value' | 'words' | 'item' | 'extras'>('a responses item', {
      cache: UNSUPPORTED,
      seal: NO_SEALS,
    }),
  },
  media: {
    image: table<Media, WrittenMedia>('a responses image', { ...MEDIA, detail: WRITTEN }),
    audio: table<Media, WrittenMedia>('a responses audio', MEDIA),
    document: table<Media, WrittenMedia>('a responses file', { ...MEDIA, title: WRITTEN }),
    video: WHOLE,
  },
  source: {
    base64: table<SourceOf<'base64'>, 'kind' | 'mime' | 'data'>('responses data', {}),
    url: table<SourceOf<'url'>, 'kind' | 'url'>('a responses URL', { mime: UNSUPPORTED }),
    file: table<SourceOf<'file'>, 'kind' | 'issuer' | 'id'>('a responses file', { mime: UNSUPPORTED }),
    text: WHOLE,
    parts: WHOLE,
  },
  clip: WHOLE,
  cacheMark: table<CacheMark, 'ttl'>('a responses cache mark', {}),
  // What is grounded repeats the grounding, whose loss is reported.
  citation: table<Citation, 'range' | 'source' | 'grounded' | 'extras'>('a responses citation', { quote: UNSUPPORTED }),
  cited: {
    url: table<CitedBy<'url'>, 'kind' | 'url' | 'title'>('a responses citation', {
      seal: UNSUPPORTED,
      license: UNSUPPORTED,
      date: UNSUPPORTED,
    }),
    file: table<CitedBy<'file'>, 'kind' | 'id' | 'title'>('a responses citation', {}),
    document: WHOLE,
    'search-hit': WHOLE,
  },
  citationSpan: WHOLE,
  response: table<
    ModelResponse,
    'id' | 'model' | 'created' | 'candidates' | 'blocked' | 'usage' | 'serviceTier' | 'extras'
  >('a responses answer', {}),
  blocked: WHOLE,
  candidate: table<Candidate, 'parts' | 'finish' | 'logprobs'>('a responses answer', {
    safety: UNSUPPORTED,
    grounding: UNSUPPORTED,
    extras: 'a responses answer has no candidates',
  }),
  finish: table<Finish, 'reason' | 'raw'>('a responses finish', { sequence: UNSUPPORTED, message: UNSUPPORTED }),
  logprobs: table<Logprobs, 'tokens'>('responses', { average: UNSUPPORTED }),
  logprob: table<Logprob, 'token' | 'logprob' | 'bytes' | 'top' | 'extras'>('responses', {}),
  usage: table<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite5m' | 'reasoning' | 'searches' | 'extras'>(
    'responses usage',
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
