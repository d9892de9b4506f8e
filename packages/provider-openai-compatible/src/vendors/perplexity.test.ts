import { BEARER } from '@dragoman/core/provider'
import { chatAnswer, chatChunk, describeProvider } from '@dragoman/testkit'
import { createPerplexity, fromEnvironment } from '../index.ts'
import { answer, stream, TEXT } from '../../test/answer-cases.ts'

const CITED = {
  citations: ['https://a.example', 'https://b.example'],
  search_results: [{ title: 'A', url: 'https://a.example', date: '2026-01-01' }],
}
const ANSWERS = [
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

describeProvider('perplexity', {
  create: createPerplexity,
  auth: BEARER,
  basePath: '',
  paths: { chat: '/chat/completions' },
  environment: { key: 'PERPLEXITY_API_KEY', baseURL: 'PERPLEXITY_BASE_URL', enable: fromEnvironment },
  model: 'sonar-pro',
  answers: ANSWERS,
  requests: [
    {
      title: 'names the token limit max_tokens',
      protocol: 'chat',
      asks: { max_completion_tokens: 100 },
      sees: { max_tokens: 100 },
      lacks: ['max_completion_tokens'],
    },
    {
      title: 'has no tools',
      protocol: 'chat',
      asks: {
        tools: [
          {
            type: 'function',
            function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
          },
        ],
        tool_choice: 'required',
      },
      lacks: ['tools', 'tool_choice'],
      losses: ['dropped tools', 'dropped toolChoice'],
    },
    {
      title: 'drops unknown members',
      protocol: 'chat',
      asks: { stop: 'a', seed: 1, reasoning_effort: 'high' },
      lacks: ['stop', 'seed', 'reasoning_effort'],
      losses: ['dropped reasoning', 'dropped settings.stop', 'dropped settings.seed'],
    },
    {
      title: 'forwards its own members unchanged',
      protocol: 'chat',
      asks: { search_mode: 'academic', search_domain_filter: ['nature.com'] },
      sees: { search_mode: 'academic', search_domain_filter: ['nature.com'] },
    },
  ],
})
