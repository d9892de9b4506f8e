import { genai, messages, responses } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { everywhere, type Row } from './row.ts'

// Shapes as the types of openai 7.53, @anthropic-ai/sdk 1.8 (beta) and @google/genai 2.32 have them.
const USER = { role: 'user', content: 'Hi' }
const TEXT = { type: 'text', text: 'Hello' }
const MODEL = { model: 'm', max_tokens: 99 }
const F = { name: 'f', input_schema: { type: 'object' } }
const NOT_MESSAGES = ['chat', 'genai', 'responses']
const NOT_GENAI = ['chat', 'messages', 'responses']
const NOT_RESPONSES = ['chat', 'messages', 'genai']

const asked = (name: string, members: JsonObject, others: Row['others']): Row => ({
  name,
  from: responses,
  body: { model: 'm', input: 'Hi', ...members },
  whole: members,
  others,
})
const COMPARED = 'dropped prompt_cache_options.comparison_response_id: only responses has this'
const member = (name: string, members: JsonObject, ...at: string[]): Row => ({
  name,
  from: messages,
  body: { ...MODEL, messages: [USER], ...members },
  whole: members,
  others: everywhere(NOT_MESSAGES, { losses: at.map((path) => `dropped ${path}: only messages has this`) }),
})
const turns = (name: string, conversation: readonly JsonObject[], others: Row['others']): Row => ({
  name,
  from: messages,
  body: { ...MODEL, messages: conversation },
  whole: { messages: conversation },
  others,
})
const earlier = (block: JsonObject) => [USER, { role: 'assistant', content: [block, TEXT] }, USER]
const only = (path: string) => everywhere(NOT_MESSAGES, { losses: [`dropped ${path}: only messages has this`] })
const tool = (type: string, members: JsonObject): Row => ({
  name: `the tool ${type}`,
  from: messages,
  body: { ...MODEL, messages: [USER], tools: [{ type, ...members }] },
  whole: { tools: [{ type, ...members }] },
  others: everywhere(NOT_MESSAGES, (to) => ({
    losses: [`dropped tools[0]: ${to} has no ${type} tool of messages`],
  })),
})
const serverCall = (name: string, result: JsonObject): Row['body'][] => [
  USER,
  {
    role: 'assistant',
    content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name, input: { url: 'https://a.example' } }, result, TEXT],
  },
  USER,
]
const WHY_NO_CALL = {
  chat: 'chat does not show what its upstream calls',
  genai: 'genai does not show what its upstream calls',
  responses: 'responses has no tool-call here',
} as const

const FOUND = {
  type: 'web_search_result',
  url: 'https://a.example',
  title: 'A',
  encrypted_content: 'x',
  page_age: null,
}
const FETCHED = {
  type: 'web_fetch_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: {
    type: 'web_fetch_result',
    url: 'https://a.example',
    retrieved_at: null,
    content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A page.' }, title: 'A' },
  },
}
const COMPACTED = {
  type: 'compaction',
  content: 'A summary.',
  encrypted_content: 'x',
  signature: 'signed',
  tool_changes: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'f' } }],
}
const REMOVAL = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'f' } }
const ADDITION = { type: 'tool_addition', tool: { type: 'tool_definition', definition: F } }
const LISTING = { type: 'mcp_tool_listing', mcp_server_name: 's', tools: [F] }
const FALLBACK = { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }

/** Claude Code's tool search. */
const SEARCHED = [
  USER,
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: { query: 'weather' } }],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        content: [
          { type: 'tool_reference', tool_name: 'get_weather' },
          { type: 'tool_reference', tool_name: 'get_time' },
        ],
      },
    ],
  },
]
const REFERENCES = 'messages[2].content[0].content'

const clip = { inlineData: { mimeType: 'image/png', data: 'AAAA' }, mediaProcessing: 'AGENTIC' }
const film = { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/film.mp4' }, mediaProcessing: 'AGENTIC' }
const parts = (name: string, part: JsonObject, others: Row['others']): Row => ({
  name,
  from: genai,
  body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }, part] }] },
  whole: { contents: [{ role: 'user', parts: [{ text: 'Hi' }, part] }] },
  others,
})
const PART = 'contents[0].parts[1]'

export const REQUESTS: readonly Row[] = [
  asked(
    'image.context_compression',
    { image: { context_compression: 'enabled' } },
    everywhere(NOT_RESPONSES, { losses: ['dropped image.context_compression: only responses has this'] }),
  ),
  asked(
    'the tier ultrafast',
    { service_tier: 'ultrafast' },
    {
      // Under its own name, so that a budget without its price refuses it on every route. The vendor says what it takes.
      chat: { carried: { service_tier: 'ultrafast' } },
      messages: { losses: ['dropped service_tier: messages has no such tier'] },
      genai: { losses: ['dropped service_tier: genai has no such tier'] },
    },
  ),
  asked(
    'the question for prompt_cache_diagnostics',
    { prompt_cache_options: { mode: 'implicit', comparison_response_id: 'resp_1' } },
    {
      chat: { losses: [COMPARED], carried: { prompt_cache_options: { mode: 'implicit' } } },
      messages: { losses: [COMPARED, 'dropped prompt_cache_options: messages has no promptCacheOptions'] },
      genai: { losses: [COMPARED, 'dropped prompt_cache_options: genai has no promptCacheOptions'] },
    },
  ),
  member('fallbacks', { fallbacks: [{ model: 'claude-haiku-5-5', max_tokens: 50 }] }, 'fallbacks'),
  member(
    'fallback_credit_token',
    { fallback_credit_token: { token: 't', mode: 'strict' } },
    'fallback_credit_token.token',
    'fallback_credit_token.mode',
  ),
  member('compaction', { compaction: { type: 'summarize' } }, 'compaction.type'),
  turns('a block fallback', earlier(FALLBACK), only('messages[1].content[0]')),
  turns('a signed compaction', [{ role: 'user', content: [COMPACTED, TEXT] }], only('messages[0].content[0]')),
  turns('an inline tool', [{ role: 'user', content: [TEXT, ADDITION] }], only('messages[0].content[1]')),
  turns('a tool_removal', [{ role: 'user', content: [TEXT, REMOVAL] }], only('messages[0].content[1]')),
  turns('the listing of an MCP server', earlier(LISTING), only('messages[1].content[0]')),
  tool('mcp_toolset', { mcp_server_name: 's', tools: [F] }),
  tool('computer_toolset_20260801', { configs: { zoom: { enabled: true } } }),
  tool('web_fetch_20260318', { name: 'web_fetch', response_inclusion: 'excluded', url_sources: { type: 'none' } }),
  {
    ...tool('web_search_20260318', { name: 'web_search', response_inclusion: 'excluded' }),
    others: {
      chat: {
        losses: ['changed tools[0]: web search under its name in chat, without response_inclusion'],
        carried: { web_search_options: {} },
      },
      genai: {
        losses: ['changed tools[0]: web-search under its name in genai, without response_inclusion'],
        carried: { tools: [{ googleSearch: {} }] },
      },
      responses: {
        losses: ['changed tools[0]: web search under its name in responses, without response_inclusion'],
        carried: { tools: [{ type: 'web_search' }] },
      },
    },
  },
  turns(
    'the result of web_fetch_20260318',
    serverCall('web_fetch', FETCHED),
    everywhere(NOT_MESSAGES, (to) => ({
      losses: [
        `dropped messages[1].content[0]: ${WHY_NO_CALL[to as keyof typeof WHY_NO_CALL]}`,
        'dropped messages[1].content[1]: only messages has this',
      ],
    })),
  ),
  turns(
    'the result of web_search_20260318',
    serverCall('web_search', { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [FOUND] }),
    {
      chat: {
        losses: [
          `dropped messages[1].content[0]: ${WHY_NO_CALL.chat}`,
          'dropped messages[1].content[1]: chat has no tool-result here',
        ],
      },
      genai: {
        losses: [
          `dropped messages[1].content[0]: ${WHY_NO_CALL.genai}`,
          'dropped messages[1].content[1]: genai has no tool-result in a turn of the model',
        ],
      },
      responses: {
        losses: [
          `dropped messages[1].content[0]: ${WHY_NO_CALL.responses}`,
          'dropped messages[1].content[1]: responses has no tool-result here',
        ],
      },
    },
  ),
  turns('a result of references to tools', SEARCHED, {
    chat: {
      losses: [`changed ${REFERENCES}[0]: only messages has this`, `changed ${REFERENCES}[1]: only messages has this`],
      carried: {
        messages: [
          USER,
          { role: 'assistant' },
          {
            role: 'tool',
            content: [
              { type: 'text', text: 'get_weather' },
              { type: 'text', text: 'get_time' },
            ],
          },
        ],
      },
    },
    genai: {
      losses: [`changed ${REFERENCES}: genai results are one text or one object, and media`],
      carried: {
        contents: [
          { role: 'user' },
          { role: 'model' },
          { parts: [{ functionResponse: { response: { output: 'get_weather\n\nget_time' } } }] },
        ],
      },
    },
    responses: {
      losses: [`changed ${REFERENCES}[0]: only messages has this`, `changed ${REFERENCES}[1]: only messages has this`],
      carried: {
        input: [
          { type: 'message' },
          { type: 'function_call' },
          {
            type: 'function_call_output',
            output: [
              { type: 'input_text', text: 'get_weather' },
              { type: 'input_text', text: 'get_time' },
            ],
          },
        ],
      },
    },
  }),
  parts(
    'mediaProcessing of an image',
    clip,
    everywhere(NOT_GENAI, { losses: [`dropped ${PART}.mediaProcessing: only genai has this`] }),
  ),
  parts('mediaProcessing of a film', film, {
    chat: { losses: [`dropped ${PART}: chat has no video by url here`] },
    messages: { losses: [`dropped ${PART}: messages takes no video of this form`] },
    responses: { losses: [`dropped ${PART}: responses has no video by url here`] },
  }),
  parts(
    'audioTranscription',
    { audioTranscription: { text: 'Hello', languageCode: 'en', finished: true } },
    everywhere(NOT_GENAI, { losses: [`dropped ${PART}: only genai has this`] }),
  ),
]
