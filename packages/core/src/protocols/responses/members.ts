import type { Finish, Candidate, Logprob, Logprobs, ModelResponse } from '../../ir/response.ts'
import type { Message, Delivery, ModelRequest, OutputOptions } from '../../ir/request.ts'
import type {
  Citation,
  Media,
  Opaque,
  Part,
  Reasoning,
  Refusal,
  Source,
  Text,
  ToolCall,
  ToolResult,
  Code,
  CodeOutput,
  SearchHit,
} from '../../ir/part.ts'
import type { BuiltinTool, CustomTool, FunctionTool, Tool } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import type { PathsOf } from '../locate.ts'
import { CLAMPED, tablesOf, WHOLE, type CitedBy, type NodeTables } from '../member-tables.ts'
import { SERVING } from '../openai.ts'
import type { Encoding } from '../context.ts'
import { NAME, type Item, type ResponsesRequest, type WirePart, type WireTool } from './schema.ts'

const table = tablesOf(NAME)

const NO_SEALS = 'responses signs only reasoning'

/** Clients send back the seals of other parts in items of their own, or in ids. */
const carried = ({ toward }: Encoding) => (toward === 'client' ? undefined : NO_SEALS)

const MEDIA = ['kind', 'source', 'cache', 'extras'] as const

/** What responses can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>('responses', [
    'model',
    'messages',
    'tools',
    'toolChoice',
    'settings',
    'reasoning',
    'output',
    'user',
    'metadata',
    'delivery',
    'extras',
    ...SERVING,
  ]),
  delivery: table<Delivery>('responses', ['stream', 'usage', 'obfuscation']),
  output: table<OutputOptions>('responses', ['format', 'schema', 'name', 'strict', 'description', 'verbosity']),
  tool: {
    function: table<FunctionTool>('a responses tool', ['name', 'description', 'schema', 'strict', 'since', 'extras']),
    custom: table<CustomTool>('a responses tool', ['name', 'description', 'grammar', 'since', 'extras']),
    builtin: table<BuiltinTool>('a responses tool', ['kind', 'protocol', 'version', 'options', 'since', 'extras']),
  },
  message: table<Message>('a responses message', ['role', 'parts', 'extras']),
  part: {
    text: table<Text>('a responses text', ['text', 'citations', 'item', 'extras'], { seal: carried }),
    refusal: table<Refusal>('a responses refusal', ['text', 'item', 'extras'], { seal: NO_SEALS }),
    reasoning: table<Reasoning>('responses reasoning', ['text', 'hidden', 'summary', 'seal', 'item', 'extras']),
    'tool-call': table<ToolCall>('a responses call', ['id', 'name', 'arguments', 'by', 'custom', 'item', 'extras'], {
      seal: carried,
    }),
    'tool-result': table<ToolResult>('a responses result', ['callId', 'output', 'by', 'item', 'extras'], {
      name: 'responses results are matched by id',
      seal: NO_SEALS,
    }),
    opaque: table<Opaque>('a responses item', ['protocol', 'value', 'words', 'item', 'extras'], { seal: NO_SEALS }),
  },
  media: {
    image: table<Media>('a responses image', [...MEDIA, 'detail'], { seal: NO_SEALS }),
    audio: table<Media>('a responses audio', MEDIA, { seal: NO_SEALS }),
    document: table<Media>('a responses file', [...MEDIA, 'title'], { seal: NO_SEALS }),
    video: WHOLE,
  },
  source: {
    url: table<SourceOf<'url'>>('a responses URL', ['kind', 'url']),
    file: table<SourceOf<'file'>>('a responses file', ['kind', 'issuer', 'id']),
  },
  // A grounded citation repeats the grounding, whose loss is reported.
  citation: table<Citation>('a responses citation', ['range', 'source', 'grounded', 'extras']),
  cited: {
    url: table<CitedBy<'url'>>('a responses citation', ['kind', 'url', 'title']),
    file: table<CitedBy<'file'>>('a responses citation', ['kind', 'id', 'title']),
  },
  response: table<ModelResponse>('a responses answer', [
    'id',
    'model',
    'created',
    'candidates',
    'blocked',
    'usage',
    'serviceTier',
    'extras',
  ]),
  candidate: table<Candidate>('a responses answer', ['parts', 'finish', 'logprobs'], {
    extras: 'a responses answer has no candidates',
  }),
  finish: table<Finish>('a responses finish', ['reason', 'raw']),
  logprobs: table<Logprobs>('responses', ['tokens']),
  logprob: table<Logprob>('responses', ['token', 'logprob', 'bytes', 'top', 'extras']),
  usage: table<Usage>(
    'responses usage',
    ['input', 'output', 'cacheRead', 'cacheWrite5m', 'reasoning', 'searches', 'extras'],
    { clamped: CLAMPED },
  ),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>

/** Where its wire has the members of the IR that have other names in it. */
export const PATHS = {
  request: {
    settings: '.',
    'reasoning.on': 'reasoning.effort',
    'reasoning.show': 'reasoning.summary',
    output: ['text.format', 'text'],
    'output.format': 'text.format.type',
    'output.schema': 'text.format.schema',
    'output.name': 'text.format.name',
    'output.strict': 'text.format.strict',
    'output.description': 'text.format.description',
    'output.verbosity': 'text.verbosity',
    toolChoice: ['parallel_tool_calls', 'tool_choice'],
    'toolChoice.mode': ['tool_choice.mode', 'tool_choice.type', 'tool_choice'],
    'toolChoice.names': ['tool_choice.tools', 'tool_choice.name'],
    'toolChoice.parallel': 'parallel_tool_calls',
    user: ['safety_identifier', 'user'],
    delivery: 'stream',
    'delivery.obfuscation': 'stream_options.include_obfuscation',
  } satisfies PathsOf<ModelRequest, ResponsesRequest>,
  part: {
    text: ['text', 'refusal', 'code'],
    cache: 'prompt_cache_breakpoint',
    seal: ['encrypted_content', 'call_id'],
    hidden: 'type',
    custom: 'type',
    arguments: ['arguments', 'input', 'action', 'operation'],
    language: '.',
    outcome: 'status',
    id: ['call_id', 'id'],
    callId: 'call_id',
    item: 'id',
    title: 'filename',
    source: ['image_url', 'file_data', 'file_url', 'file_id', 'input_audio'],
    citations: 'annotations',
    value: '.',
  } satisfies PathsOf<Part, Item | WirePart | { operation: unknown }>,
  tool: {
    schema: 'parameters',
    grammar: 'format',
    version: 'type',
    options: '.',
    since: '.',
  } satisfies PathsOf<Tool, WireTool>,
}

/** Nodes that responses has in more than one form. */
export const FORMS = {
  /** A format without a schema. */
  plainOutput: table<OutputOptions>('responses', ['format', 'verbosity']),
  /** Text of a user, an instruction or a result. */
  inputText: table<Text>('a responses text', ['text', 'cache', 'extras']),
  /** A turn with only tool results: each is an item, and the turn itself is not. */
  resultTurn: table<Message>('a responses result', ['role', 'parts'], { extras: 'responses has no item for these' }),
  /** A turn of the assistant: its parts are items, and the turn itself is not. */
  assistantTurn: table<Message>('a responses turn', ['role', 'parts'], {
    extras: 'responses has no item for a whole turn',
  }),
  /** Content of an unknown kind. */
  content: table<Opaque>('responses content', ['protocol', 'value', 'words', 'item', 'extras']),
  /** Reasoning that only its issuer can read. */
  hidden: table<Reasoning>('hidden responses reasoning', ['text', 'hidden', 'seal', 'item', 'extras']),
  /** An image that the model has drawn. */
  drawn: table<Media>('a drawn image', ['kind', 'source', 'extras', 'item', 'seal']),
  /** A search by the upstream. */
  search: table<ToolCall>('a responses search', ['id', 'name', 'arguments', 'by', 'extras']),
  searchResult: table<ToolResult>('a responses search', ['callId', 'output', 'failed', 'by'], {
    extras: 'a responses search has no result of its own',
  }),
  /** Code that the upstream has run, and its outputs. */
  code: table<Code>('responses code', ['language', 'text', 'item', 'extras']),
  codeOutput: table<CodeOutput>('responses code', ['outcome', 'text', 'item', 'extras']),
  codeImage: table<Media>('an image of responses code', ['kind', 'source', 'extras', 'item']),
  /** The result of a call with an item of its own kind. */
  typedResult: table<ToolResult>('a responses result', ['callId', 'output', 'failed', 'by', 'item', 'extras']),
  source: table<SearchHit>('a source of a responses search', ['url', 'extras']),
}
