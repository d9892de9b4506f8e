import { BEARER } from '@dragoman/core/provider'
import {
  CHAT_DONE,
  chatAnswer,
  chatChunk,
  chatDeltas,
  chatEnd,
  describeProvider,
  type AnswerCase,
  type RequestCase,
} from '@dragoman/testkit'
import {
  createCerebras,
  createDeepSeek,
  createMistral,
  createMoonshot,
  createPerplexity,
  createVllm,
  createXai,
  createZhipu,
} from '../index.ts'

const answer = (title: string, given: AnswerCase['answer'], expects: AnswerCase['expects']): AnswerCase => ({
  title,
  protocol: 'chat',
  answer: given,
  expects,
})
const stream = (...deltas: readonly object[]): AnswerCase['answer'] => ({
  frames: [...chatDeltas(...deltas), chatEnd('stop'), CHAT_DONE],
})
const TEXT = 'It scatters.'

const XAI = [
  answer(
    'counts thoughts beside the completion',
    chatAnswer(
      { content: TEXT },
      {
        usage: {
          prompt_tokens: 9,
          completion_tokens: 4,
          total_tokens: 20,
          completion_tokens_details: { reasoning_tokens: 7 },
        },
      },
    ),
    { text: TEXT, usage: { input: 9, output: 11, reasoning: 7 } },
  ),
]
const DEEPSEEK = [
  answer(
    'names cached tokens its own way',
    chatAnswer(
      { content: TEXT },
      { usage: { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 3 } },
    ),
    { usage: { input: 9, output: 4, cacheRead: 6 } },
  ),
]
const DEEPSEEK_HISTORY: readonly RequestCase[] = [
  {
    title: 'gets its reasoning again after a tool call',
    protocol: 'chat',
    asks: {
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'r',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'sun' },
      ],
    },
    sees: { messages: [{}, { reasoning_content: 'r' }, {}] },
    lacks: ['messages.1.reasoning', 'messages.1.reasoning_details'],
  },
]
const MOONSHOT = [
  answer(
    'counts in the choice',
    {
      frames: [
        ...chatDeltas({ content: TEXT }),
        chatChunk({
          choices: [
            {
              index: 0,
              delta: {},
              finish_reason: 'stop',
              usage: { prompt_tokens: 9, completion_tokens: 4, cached_tokens: 6 },
            },
          ],
        }),
        CHAT_DONE,
      ],
    },
    { text: TEXT, usage: { input: 9, output: 4, cacheRead: 6 } },
  ),
]
const THINKING = { type: 'thinking', thinking: [{ type: 'text', text: 'Rayleigh?' }] }
const MISTRAL = [
  answer('thinks in parts of its content', chatAnswer({ content: [THINKING, { type: 'text', text: TEXT }] }), {
    reasoning: 'Rayleigh?',
    text: TEXT,
  }),
  answer(
    'streams thoughts in parts of its content',
    stream({ content: [THINKING] }, { content: [{ type: 'text', text: 'It ' }] }, { content: 'scatters.' }),
    { reasoning: 'Rayleigh?', text: TEXT },
  ),
  answer(
    'is cut by its own word',
    { frames: [...chatDeltas({ content: TEXT }), chatEnd('model_length'), CHAT_DONE] },
    { finish: 'length' },
  ),
]
const FILTERED = { frames: [...chatDeltas({ content: TEXT }), chatEnd('sensitive'), CHAT_DONE] }
const ZHIPU: readonly AnswerCase[] = [
  { ...answer('filters by its own word', FILTERED, { finish: 'content-filter' }), clients: ['chat', 'genai'] },
  { ...answer('filters by its own word', FILTERED, { finish: 'refusal' }), clients: ['messages'] },
]
const CITED = {
  citations: ['https://a.example', 'https://b.example'],
  search_results: [{ title: 'A', url: 'https://a.example', date: '2026-01-01' }],
}
const PERPLEXITY = [
  answer(
    'thinks between tags',
    stream({ content: '<thi' }, { content: 'nk>Rayl' }, { content: 'eigh?</th' }, { content: 'ink>\n\nIt scatters.' }),
    { reasoning: 'Rayleigh?', text: TEXT },
  ),
  answer('thinks between tags, whole', chatAnswer({ content: '<think>Rayleigh?</think>\n\nIt scatters.' }), {
    reasoning: 'Rayleigh?',
    text: TEXT,
  }),
  answer('cites beside the choices', chatAnswer({ content: TEXT }, CITED), {
    text: TEXT,
    cites: ['https://a.example', 'https://b.example'],
  }),
  answer(
    'cites in every chunk, and says everything again at the end',
    {
      frames: [
        chatChunk({ choices: [{ index: 0, delta: { content: TEXT }, finish_reason: null }], ...CITED }),
        chatChunk({
          object: 'chat.completion.done',
          choices: [
            { index: 0, delta: { content: '' }, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 9, completion_tokens: 4, reasoning_tokens: 2 },
          ...CITED,
        }),
      ],
    },
    { text: TEXT, cites: ['https://a.example', 'https://b.example'], usage: { input: 9, output: 4, reasoning: 2 } },
  ),
]
const FLAT_ERRORS = [
  answer(
    'an error object of its own in a stream',
    { frames: ['data: {"object":"error","message":"Too many.","type":"BadRequestError","code":400}\n\n', CHAT_DONE] },
    { error: true },
  ),
  answer(
    'a flat error in a stream',
    { frames: ['data: {"message":"Too many.","type":"too_many_requests_error","param":"quota","code":"x"}\n\n'] },
    { error: true },
  ),
]
const base = { auth: BEARER, basePath: '/v1', paths: { chat: '/v1/chat/completions' } }
describeProvider('dialect of xai', { ...base, create: createXai, model: 'grok-4.5', answers: XAI })
describeProvider('dialect of deepseek', {
  ...base,
  create: createDeepSeek,
  model: 'deepseek-v4-pro',
  answers: DEEPSEEK,
  requests: DEEPSEEK_HISTORY,
})
describeProvider('dialect of moonshot', { ...base, create: createMoonshot, model: 'kimi-k2.6', answers: MOONSHOT })
describeProvider('dialect of mistral', {
  ...base,
  create: createMistral,
  model: 'mistral-medium-3.5',
  answers: MISTRAL,
})
describeProvider('dialect of zhipu', { ...base, create: createZhipu, model: 'glm-5.1', answers: ZHIPU })
describeProvider('dialect of perplexity', {
  ...base,
  create: createPerplexity,
  model: 'sonar-pro',
  answers: PERPLEXITY,
})
describeProvider('dialect of cerebras', { ...base, create: createCerebras, model: 'zai-glm-4.7', answers: FLAT_ERRORS })
describeProvider('dialect of vllm', {
  ...base,
  auth: { ...BEARER, optional: true },
  create: createVllm,
  answers: FLAT_ERRORS,
})
