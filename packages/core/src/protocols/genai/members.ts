import type { Finish, Candidate, Logprob, Logprobs, ModelResponse } from '../../ir/response.ts'
import type { Message, Delivery, ModelRequest, OutputOptions } from '../../ir/request.ts'
import type {
  Citation,
  Code,
  CodeOutput,
  Media,
  Opaque,
  Part,
  Reasoning,
  Source,
  Text,
  ToolCall,
  ToolResult,
} from '../../ir/part.ts'
import type { BuiltinTool, FunctionTool, Tool, ToolChoice } from '../../ir/tool.ts'
import type { Usage } from '../../ir/usage.ts'
import type { PathsOf } from '../locate.ts'
import { CLAMPED, tablesOf, type CitedBy, type NodeTables } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { NAME, type GenaiRequest, type WireDeclaration, type WirePart } from './schema.ts'

const table = tablesOf(NAME)

/** File names are for responses, and for upstreams that accept them. */
export function takesTitles({ toward, dialect }: Encoding): boolean {
  return toward === 'client' || dialect?.['displayName'] === true
}

const media = table<Media>(NAME, ['kind', 'source', 'detail', 'clip', 'seal', 'extras'], {
  title: (context) => (takesTitles(context) ? undefined : 'this upstream takes no names of files'),
})

const FROM_START = 'genai has all tools from the start'

/** What genai can express of each node, in a request and in a response. */
export const TABLES = {
  request: table<ModelRequest>(NAME, [
    'model',
    'messages',
    'tools',
    'toolChoice',
    'settings',
    'reasoning',
    'output',
    'safety',
    'cachedContent',
    'serviceTier',
    'delivery',
    'extras',
  ]),
  delivery: table<Delivery>(NAME, ['stream', 'usage'], { hideReasoning: 'genai shows what it is asked to show' }),
  output: table<OutputOptions>(NAME, ['format', 'schema', 'modalities', 'speech', 'image']),
  toolChoice: table<ToolChoice>(NAME, ['mode', 'names']),
  tool: {
    function: table<FunctionTool>(NAME, ['name', 'description', 'schema', 'extras'], { since: FROM_START }),
    builtin: table<BuiltinTool>(NAME, ['kind', 'protocol', 'version', 'options', 'extras'], { since: FROM_START }),
  },
  message: table<Message>('a genai turn', ['role', 'parts', 'extras'], { name: 'genai turns have no names' }),
  part: {
    text: table<Text>(NAME, ['text', 'seal', 'extras'], {
      citations: ({ toward }) => (toward === 'client' ? undefined : 'genai takes no citations back'),
    }),
    reasoning: table<Reasoning>(NAME, ['text', 'hidden', 'seal', 'extras']),
    'tool-call': table<ToolCall>(NAME, ['id', 'name', 'arguments', 'by', 'seal', 'extras'], {
      custom: 'genai functions take JSON',
    }),
    'tool-result': table<ToolResult>(NAME, ['callId', 'name', 'output', 'failed', 'by', 'seal', 'extras']),
    code: table<Code>(NAME, ['language', 'text', 'seal', 'extras']),
    'code-output': table<CodeOutput>(NAME, ['outcome', 'text', 'seal', 'extras']),
    opaque: table<Opaque>(NAME, ['protocol', 'value', 'words', 'extras']),
  },
  media: { image: media, audio: media, video: media, document: media },
  source: {
    url: table<SourceOf<'url'>>(NAME, ['kind', 'url', 'mime']),
    file: table<SourceOf<'file'>>(NAME, ['kind', 'issuer', 'id', 'mime']),
  },
  citation: table<Citation>(NAME, ['range', 'source', 'grounded', 'extras']),
  cited: {
    url: table<CitedBy<'url'>>(NAME, ['kind', 'url', 'title', 'license', 'date']),
  },
  response: table<ModelResponse>('a genai answer', [
    'id',
    'model',
    'created',
    'candidates',
    'blocked',
    'usage',
    'extras',
  ]),
  candidate: table<Candidate>('a genai candidate', ['parts', 'finish', 'safety', 'grounding', 'logprobs', 'extras']),
  finish: table<Finish>('a genai finish', ['reason', 'raw', 'message'], {
    sequence: 'genai does not name the stop sequence that matched',
  }),
  logprobs: table<Logprobs>(NAME, ['tokens', 'average']),
  logprob: table<Logprob>(NAME, ['token', 'logprob', 'top', 'extras']),
  usage: table<Usage>(
    NAME,
    ['input', 'output', 'cacheRead', 'reasoning', 'toolPrompt', 'searches', 'modalities', 'extras'],
    { clamped: CLAMPED },
  ),
} satisfies NodeTables

type SourceOf<Kind extends Source['kind']> = Extract<Source, { kind: Kind }>

/** Where its wire has the members of the IR that have other names in it. */
export const PATHS = {
  request: {
    messages: 'contents',
    settings: 'generationConfig',
    reasoning: 'generationConfig.thinkingConfig',
    'reasoning.on': 'generationConfig.thinkingConfig.thinkingBudget',
    'reasoning.budget': 'generationConfig.thinkingConfig.thinkingBudget',
    'reasoning.effort': 'generationConfig.thinkingConfig.thinkingLevel',
    'reasoning.show': 'generationConfig.thinkingConfig.includeThoughts',
    output: 'generationConfig',
    'output.format': 'generationConfig.responseMimeType',
    'output.schema': ['generationConfig.responseJsonSchema', 'generationConfig.responseSchema'],
    'output.modalities': 'generationConfig.responseModalities',
    'output.speech': 'generationConfig.speechConfig',
    'output.image': 'generationConfig.imageConfig',
    toolChoice: 'toolConfig.functionCallingConfig',
    'toolChoice.names': 'toolConfig.functionCallingConfig.allowedFunctionNames',
    safety: 'safetySettings',
  } satisfies PathsOf<ModelRequest, GenaiRequest>,
  part: {
    text: ['text', 'executableCode.code', 'codeExecutionResult.output'],
    seal: 'thoughtSignature',
    hidden: 'thought',
    source: ['inlineData', 'fileData'],
    'source.mime': ['inlineData.mimeType', 'fileData.mimeType'],
    title: ['inlineData.displayName', 'fileData.displayName'],
    detail: 'mediaResolution',
    clip: 'videoMetadata',
    'clip.start': 'videoMetadata.startOffset',
    'clip.end': 'videoMetadata.endOffset',
    id: 'functionCall.id',
    name: ['functionCall.name', 'functionResponse.name'],
    arguments: 'functionCall.args',
    callId: 'functionResponse.id',
    output: ['functionResponse.response', 'functionResponse'],
    failed: 'functionResponse.response',
    language: 'executableCode.language',
    outcome: 'codeExecutionResult.outcome',
    value: '.',
  } satisfies PathsOf<Part, WirePart>,
  tool: {
    schema: ['parametersJsonSchema', 'parameters'],
    version: '.',
    options: '.',
  } satisfies PathsOf<Tool, WireDeclaration>,
}

/** Nodes that genai has in more than one form. */
export const FORMS = {
  /** A text inside a tool result. */
  resultText: table<Text>('a genai result', ['text'], { extras: 'genai results are plain text' }),
}
