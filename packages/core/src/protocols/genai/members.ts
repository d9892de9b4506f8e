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
  CLAMPED,
  tablesOf,
  UNSUPPORTED,
  WHOLE,
  type CitedBy,
  type NodeTables,
  type WrittenOf,
} from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { NAME } from './schema.ts'

const table = tablesOf(NAME)

/** File names are for responses, and for upstreams that accept them. */
export function takesTitles({ toward, dialect }: Encoding): boolean {
  return toward === 'client' || dialect?.['displayName'] === true
}

type Setting =
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'seed'
  | 'logprobs'
  | 'candidates'

/** The settings that genai has. */
export type WrittenSettings = WrittenOf<Settings, Setting>

const media = table<Media, 'kind' | 'source' | 'detail' | 'clip' | 'seal' | 'extras'>(NAME, {
  title: (context) => (takesTitles(context) ? undefined : 'this upstream takes no names of files'),
  context: UNSUPPORTED,
  cite: UNSUPPORTED,
  transcript: UNSUPPORTED,
  cache: UNSUPPORTED,
  item: UNSUPPORTED,
})

const FROM_START = 'genai has all tools from the start'

/** What genai can express of each node, in a request and in a response. */
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
    | 'safety'
    | 'cachedContent'
    | 'serviceTier'
    | 'delivery'
    | 'extras'
  >(NAME, {
    user: UNSUPPORTED,
    metadata: UNSUPPORTED,
    routing: UNSUPPORTED,
    promptCacheKey: UNSUPPORTED,
    promptCacheRetention: UNSUPPORTED,
    promptCacheOptions: UNSUPPORTED,
    moderation: UNSUPPORTED,
  }),
  delivery: table<Delivery, 'stream' | 'usage'>(NAME, {
    hideReasoning: 'genai shows what it is asked to show',
    obfuscation: UNSUPPORTED,
  }),
  settings: table<Settings, Setting>(NAME, {
    logitBias: UNSUPPORTED,
  }),
  reasoning: table<ReasoningOptions, 'on' | 'effort' | 'budget' | 'show'>(NAME, {}),
  output: table<OutputOptions, 'format' | 'schema' | 'modalities' | 'speech' | 'image'>(NAME, {
    name: UNSUPPORTED,
    description: UNSUPPORTED,
    strict: UNSUPPORTED,
    verbosity: UNSUPPORTED,
  }),
  schema: table<Schema, 'dialect' | 'value'>('a genai schema', {}),
  toolChoice: table<ToolChoice, 'mode' | 'names'>(NAME, { parallel: UNSUPPORTED }),
  tool: {
    function: table<FunctionTool, 'name' | 'description' | 'schema' | 'extras'>(NAME, {
      strict: UNSUPPORTED,
      cache: UNSUPPORTED,
      since: FROM_START,
    }),
    custom: WHOLE,
    builtin: table<BuiltinTool, 'kind' | 'protocol' | 'version' | 'options' | 'extras'>(NAME, {
      cache: UNSUPPORTED,
      since: FROM_START,
    }),
  },
  message: table<Message, 'role' | 'parts' | 'extras'>('a genai turn', { name: 'genai turns have no names' }),
  part: {
    text: table<Text, 'text' | 'seal' | 'extras'>(NAME, {
      citations: ({ toward }) => (toward === 'client' ? undefined : 'genai takes no citations back'),
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    refusal: WHOLE,
    reasoning: table<Reasoning, 'text' | 'hidden' | 'seal' | 'extras'>(NAME, {
      summary: UNSUPPORTED,
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    'tool-call': table<ToolCall, 'id' | 'name' | 'arguments' | 'by' | 'seal' | 'extras'>(NAME, {
      custom: 'genai functions take JSON',
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    'tool-result': table<ToolResult, 'callId' | 'name' | 'output' | 'failed' | 'by' | 'seal' | 'extras'>(NAME, {
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    'search-hit': WHOLE,
    code: table<Code, 'language' | 'text' | 'seal' | 'extras'>(NAME, { cache: UNSUPPORTED, item: UNSUPPORTED }),
    'code-output': table<CodeOutput, 'outcome' | 'text' | 'seal' | 'extras'>(NAME, {
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
    }),
    opaque: table<Opaque, 'protocol' | 'value' | 'words' | 'extras'>(NAME, {
      cache: UNSUPPORTED,
      item: UNSUPPORTED,
      seal: UNSUPPORTED,
    }),
  },
  media: { image: media, audio: media, video: media, document: media },
  source: {
    base64: table<SourceOf<'base64'>, 'kind' | 'mime' | 'data'>(NAME, {}),
    url: table<SourceOf<'url'>, 'kind' | 'url' | 'mime'>(NAME, {}),
    file: table<SourceOf<'file'>, 'kind' | 'issuer' | 'id' | 'mime'>(NAME, {}),
    text: WHOLE,
    parts: WHOLE,
  },
  clip: table<Clip, 'start' | 'end' | 'fps'>(NAME, {}),
  cacheMark: WHOLE,
  citation: table<Citation, 'range' | 'source' | 'grounded' | 'extras'>(NAME, { quote: UNSUPPORTED }),
  cited: {
    file: WHOLE,
    url: table<CitedBy<'url'>, 'kind' | 'url' | 'title' | 'license' | 'date'>(NAME, { seal: UNSUPPORTED }),
    document: WHOLE,
    'search-hit': WHOLE,
  },
  citationSpan: WHOLE,
  response: table<ModelResponse, 'id' | 'model' | 'created' | 'candidates' | 'blocked' | 'usage' | 'extras'>(
    'a genai answer',
    { serviceTier: UNSUPPORTED },
  ),
  blocked: table<Blocked, 'reason' | 'message' | 'safety'>('genai feedback', {}),
  candidate: table<Candidate, 'parts' | 'finish' | 'safety' | 'grounding' | 'logprobs' | 'extras'>(
    'a genai candidate',
    {},
  ),
  finish: table<Finish, 'reason' | 'raw' | 'message'>('a genai finish', {
    sequence: 'genai does not name the stop sequence that matched',
  }),
  logprobs: table<Logprobs, 'tokens' | 'average'>(NAME, {}),
  logprob: table<Logprob, 'token' | 'logprob' | 'top' | 'extras'>(NAME, { bytes: UNSUPPORTED }),
  usage: table<
    Usage,
    'input' | 'output' | 'cacheRead' | 'reasoning' | 'toolPrompt' | 'searches' | 'modalities' | 'extras'
  >(NAME, {
    cacheWrite5m: UNSUPPORTED,
    cacheWrite1h: UNSUPPORTED,
    fetches: UNSUPPORTED,
    estimated: UNSUPPORTED,
    clamped: CLAMPED,
  }),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>
