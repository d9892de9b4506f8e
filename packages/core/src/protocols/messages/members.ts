import type { Finish, Candidate, ModelResponse } from '../../ir/response.ts'
import type { Message, Delivery, ModelRequest, OutputOptions } from '../../ir/request.ts'
import type {
  Citation,
  Media,
  Opaque,
  Part,
  Reasoning,
  SearchHit,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { BuiltinTool, FunctionTool, Tool } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import type { PathsOf } from '../locate.ts'
import { CLAMPED, tablesOf, WHOLE, type CitedBy, type NodeTables } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { NAME, type Block, type MessagesRequest, type WireHit, type WireTool } from './schema.ts'

const table = tablesOf(NAME)

export const NO_LOGPROBS = 'messages answers have no logprobs'
export const NO_CANDIDATES = 'messages answers have no candidates'
const NO_ITEMS = 'messages has no output items'
const NO_SEALS = 'messages signs only reasoning'

/** Clients send back the seals of other parts in separate blocks. */
const carried = ({ toward }: Encoding) => (toward === 'client' ? undefined : NO_SEALS)

const FROM_START = 'messages has all tools from the start'

/** What messages can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>('messages', [
    'model',
    'messages',
    'tools',
    'toolChoice',
    'settings',
    'reasoning',
    'output',
    'user',
    'serviceTier',
    'delivery',
    'extras',
  ]),
  delivery: table<Delivery>('messages', ['stream', 'usage']),
  output: table<OutputOptions>('messages', ['format', 'schema']),
  tool: {
    function: table<FunctionTool>('a messages tool', ['name', 'description', 'schema', 'strict', 'cache', 'extras'], {
      since: FROM_START,
    }),
    builtin: table<BuiltinTool>('a messages tool', ['kind', 'protocol', 'version', 'options', 'cache', 'extras'], {
      since: FROM_START,
    }),
  },
  message: table<Message>('a messages turn', ['role', 'parts', 'extras'], { name: 'messages turns have no names' }),
  part: {
    text: table<Text>('a messages text', ['text', 'citations', 'cache', 'extras'], { item: NO_ITEMS, seal: carried }),
    reasoning: table<Reasoning>('messages thinking', ['text', 'hidden', 'seal', 'extras'], { item: NO_ITEMS }),
    'tool-call': table<ToolCall>('a messages call', ['id', 'name', 'arguments', 'by', 'cache', 'extras'], {
      custom: 'messages tools take JSON',
      item: NO_ITEMS,
      seal: carried,
    }),
    'tool-result': table<ToolResult>('a messages result', ['callId', 'output', 'failed', 'by', 'cache', 'extras'], {
      name: 'messages results are matched by id',
      item: NO_ITEMS,
      seal: NO_SEALS,
    }),
    'search-hit': table<SearchHit>('a messages search result', ['url', 'title', 'parts', 'cite', 'cache', 'extras'], {
      item: NO_ITEMS,
      seal: NO_SEALS,
    }),
    opaque: table<Opaque>('a messages block', ['protocol', 'value', 'words', 'extras'], {
      item: NO_ITEMS,
      seal: NO_SEALS,
    }),
  },
  media: {
    image: table<Media>('a messages image', ['kind', 'source', 'cache', 'extras'], { item: NO_ITEMS, seal: carried }),
    document: table<Media>('a messages document', ['kind', 'source', 'title', 'context', 'cite', 'cache', 'extras'], {
      item: NO_ITEMS,
      seal: carried,
    }),
    audio: WHOLE,
    video: WHOLE,
  },
  source: {
    url: table<SourceOf<'url'>>('a messages URL', ['kind', 'url']),
    file: table<SourceOf<'file'>>('a messages file', ['kind', 'issuer', 'id']),
  },
  // A grounded citation repeats the grounding, whose loss is reported.
  citation: table<Citation>('a messages citation', ['quote', 'source', 'grounded', 'extras'], {
    range: 'messages cites for whole text blocks',
  }),
  cited: {
    url: table<CitedBy<'url'>>('a messages citation', ['kind', 'url', 'title', 'seal']),
    document: table<CitedBy<'document'>>('a cited document', ['kind', 'index', 'title', 'span']),
    'search-hit': table<CitedBy<'search-hit'>>('a cited search result', ['kind', 'index', 'title', 'source', 'span']),
  },
  response: table<ModelResponse>('a messages answer', [
    'id',
    'model',
    'candidates',
    'blocked',
    'usage',
    'serviceTier',
    'extras',
  ]),
  candidate: table<Candidate>('a messages answer', ['parts', 'finish'], {
    logprobs: NO_LOGPROBS,
    extras: NO_CANDIDATES,
  }),
  finish: table<Finish>('a messages finish', ['reason', 'raw', 'sequence'], {
    message: 'messages has no text for why it stopped',
  }),
  usage: table<Usage>(
    'messages usage',
    ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'reasoning', 'searches', 'fetches', 'extras'],
    { clamped: CLAMPED },
  ),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>

/** Where its wire has the members of the IR that have other names in it. */
export const PATHS = {
  request: {
    settings: '.',
    reasoning: ['thinking', 'output_config.effort'],
    'reasoning.on': 'thinking.type',
    'reasoning.budget': 'thinking.budget_tokens',
    'reasoning.effort': 'output_config.effort',
    'reasoning.show': 'thinking.display',
    output: 'output_config.format',
    'output.format': 'output_config.format.type',
    'toolChoice.mode': 'tool_choice.type',
    'toolChoice.names': 'tool_choice.name',
    'toolChoice.parallel': 'tool_choice.disable_parallel_tool_use',
    user: 'metadata.user_id',
    delivery: 'stream',
  } satisfies PathsOf<ModelRequest, MessagesRequest & { metadata?: { user_id?: string } }>,
  part: {
    text: ['text', 'thinking'],
    cache: 'cache_control',
    seal: ['signature', 'encrypted_content', 'data', 'id'],
    hidden: 'type',
    'source.mime': 'source.media_type',
    cite: ['citations.enabled', 'citations'],
    arguments: 'input',
    callId: 'tool_use_id',
    output: 'content',
    failed: ['is_error', 'content.error_code'],
    url: ['url', 'source'],
    age: 'page_age',
    parts: 'content',
    value: '.',
  } satisfies PathsOf<Part, Block | WireHit>,
  tool: {
    schema: 'input_schema',
    cache: 'cache_control',
    version: 'type',
    options: '.',
  } satisfies PathsOf<Tool, WireTool>,
}

/** Nodes that messages has in more than one form. */
export const FORMS = {
  /** A format without a schema: messages has none. */
  plainOutput: table<OutputOptions>('messages', []),
  /** A result of the upstream's own web search. */
  foundHit: table<SearchHit>('a messages search hit', ['url', 'title', 'age', 'seal', 'extras']),
}
