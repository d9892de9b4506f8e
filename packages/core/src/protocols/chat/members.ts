import type { Finish, Candidate, Logprob, Logprobs, ModelResponse } from '../../ir/response.ts'
import type { Message, Delivery, ModelRequest, OutputOptions } from '../../ir/request.ts'
import type {
  Citation,
  CitationSource,
  Media,
  Opaque,
  Part,
  Reasoning,
  Refusal,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { BuiltinTool, CustomTool, FunctionTool, Tool } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { PathsOf } from '../locate.ts'
import { CLAMPED, tablesOf, WHOLE, type NodeTables } from '../member-tables.ts'
import { SERVING } from '../openai.ts'
import type { Encoding } from '../context.ts'
import {
  NAME,
  type ChatRequest,
  type MessageOf,
  type WireDetail,
  type WireMessage,
  type WirePart,
  type WireTool,
  type WireToolCall,
} from './schema.ts'

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

const MEDIA = ['kind', 'source', 'extras'] as const

const FROM_START = 'chat has all tools from the start'

/** What chat can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>(
    'chat',
    [
      'model',
      'messages',
      'tools',
      'toolChoice',
      'settings',
      'reasoning',
      'output',
      'metadata',
      'delivery',
      'routing',
      'extras',
      ...SERVING,
    ],
    { user: ({ dialect }) => (dialect?.['user'] === false ? 'this upstream takes no identifier of users' : undefined) },
  ),
  delivery: table<Delivery>('chat', ['stream', 'usage', 'obfuscation'], {
    hideReasoning: ({ dialect }) => (hasEffortsAlone(dialect) ? EFFORT_ALONE : undefined),
  }),
  output: table<OutputOptions>('chat', ['format', 'schema', 'name', 'strict', 'description', 'verbosity']),
  tool: {
    function: table<FunctionTool>('a chat tool', ['name', 'description', 'schema', 'strict', 'extras'], {
      cache,
      since: FROM_START,
    }),
    custom: table<CustomTool>('a chat tool', ['name', 'description', 'grammar', 'extras'], { since: FROM_START }),
    builtin: table<BuiltinTool>('a chat web search', ['kind', 'protocol', 'options', 'extras'], { since: FROM_START }),
  },
  message: table<Message>('a chat message', ['role', 'parts', 'name', 'extras']),
  part: {
    text: table<Text>('a chat text', ['text', 'extras'], { cache }),
    refusal: table<Refusal>('a chat refusal', ['text'], { extras: 'chat refusals are plain text' }),
    reasoning: table<Reasoning>('chat reasoning', ['text', 'hidden', 'summary', 'seal', 'extras']),
    'tool-call': table<ToolCall>('a chat call', ['id', 'name', 'arguments', 'by', 'custom', 'seal', 'extras'], {
      cache,
    }),
    'tool-result': table<ToolResult>('a chat result', ['callId', 'name', 'output', 'by', 'extras'], { cache }),
    opaque: table<Opaque>('a chat part', ['protocol', 'value', 'words', 'extras']),
  },
  media: {
    image: table<Media>('a chat image', [...MEDIA, 'detail'], { cache }),
    audio: table<Media>('a chat audio', MEDIA, { cache }),
    document: table<Media>('a chat document', [...MEDIA, 'title'], { cache }),
    video: WHOLE,
  },
  source: {
    url: table<SourceOf<'url'>>('a chat URL', ['kind', 'url']),
    file: table<SourceOf<'file'>>('a chat file', ['kind', 'issuer', 'id']),
  },
  // A grounded citation repeats the grounding, whose loss is reported.
  citation: table<Citation>('a chat citation', ['range', 'source', 'grounded', 'extras']),
  cited: {
    url: table<Extract<CitationSource, { kind: 'url' }>>('a chat citation', ['kind', 'url', 'title']),
  },
  response: table<ModelResponse>('a chat answer', [
    'id',
    'model',
    'created',
    'candidates',
    'blocked',
    'usage',
    'serviceTier',
    'extras',
  ]),
  candidate: table<Candidate>('a chat answer', ['parts', 'finish', 'logprobs', 'extras']),
  finish: table<Finish>('a chat finish', ['reason', 'raw']),
  logprobs: table<Logprobs>('chat', ['tokens']),
  logprob: table<Logprob>('chat', ['token', 'logprob', 'bytes', 'top', 'extras']),
  usage: table<Usage>(
    'chat usage',
    ['input', 'output', 'cacheRead', 'cacheWrite5m', 'reasoning', 'searches', 'extras'],
    { clamped: CLAMPED },
  ),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>

/** The forms of a part in chat: also the older form of a call, and a member of Google. */
type WireNode =
  | WirePart
  | WireMessage
  | WireDetail
  | WireToolCall
  | NonNullable<MessageOf<'assistant'>['function_call']>
  | { readonly extra_content: unknown }

/** Where its wire has the members of the IR that have other names in it. */
export const PATHS = {
  request: {
    settings: '.',
    reasoning: ['reasoning', 'reasoning_effort'],
    'reasoning.on': ['reasoning.enabled', 'reasoning.effort', 'reasoning_effort'],
    'reasoning.effort': ['reasoning.effort', 'reasoning_effort'],
    'reasoning.budget': 'reasoning.max_tokens',
    output: ['response_format.json_schema', 'response_format'],
    'output.format': 'response_format',
    'output.verbosity': 'verbosity',
    toolChoice: ['tool_choice', 'parallel_tool_calls'],
    'toolChoice.mode': ['tool_choice.allowed_tools.mode', 'tool_choice'],
    'toolChoice.parallel': 'parallel_tool_calls',
    user: ['safety_identifier', 'user'],
    delivery: '.',
    'delivery.usage': 'stream_options.include_usage',
    'delivery.obfuscation': 'stream_options.include_obfuscation',
    'delivery.hideReasoning': 'reasoning.exclude',
  } satisfies PathsOf<ModelRequest, ChatRequest>,
  part: {
    text: ['text', 'summary', 'refusal'],
    cache: 'cache_control',
    source: ['image_url.url', 'input_audio', 'file.file_data', 'file.file_id', 'data'],
    detail: 'image_url.detail',
    title: 'file.filename',
    name: ['function.name', 'custom.name', 'name'],
    arguments: ['function.arguments', 'custom.input', 'arguments'],
    custom: 'type',
    seal: ['signature', 'data', 'extra_content', 'id'],
    summary: 'type',
    hidden: 'type',
    callId: 'tool_call_id',
    output: 'content',
    value: '.',
  } satisfies PathsOf<Part, WireNode>,
  tool: {
    name: ['function.name', 'custom.name'],
    description: ['function.description', 'custom.description'],
    schema: 'function.parameters',
    strict: 'function.strict',
    grammar: 'custom.format',
    cache: 'cache_control',
    options: '.',
    version: 'type',
  } satisfies PathsOf<Tool, WireTool>,
}

/** Nodes that chat has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions>('chat', ['format', 'verbosity']),
  /** The single text of a response. */
  answerText: table<Text>('the text of a chat answer', ['text', 'citations', 'seal'], { extras: 'chat has one text' }),
  /** The single audio of a response. */
  answerAudio: table<Media>('the audio of a chat answer', ['kind', 'source', 'transcript', 'extras']),
  /** Audio that is joined to the audio before it. */
  moreAudio: table<Media>('the audio of a chat answer', ['kind', 'source', 'transcript'], {
    extras: 'chat has one audio',
  }),
  /** A turn with only tool results: each is a message, and the turn itself is not. */
  resultTurn: table<Message>('a chat result', ['role', 'parts'], { extras: 'chat has no message for these' }),
  /** Reasoning that only its issuer can read. */
  hiddenReasoning: table<Reasoning>('hidden chat reasoning', ['text', 'hidden', 'seal', 'extras']),
  /** Reasoning for upstreams that accept it as a plain string. */
  plainReasoning: table<Reasoning>('reasoning as plain text', ['text', 'hidden'], {
    extras: 'reasoning as plain text has no further members',
  }),
}
