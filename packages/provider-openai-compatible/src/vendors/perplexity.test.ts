import { BEARER } from '@dragoman/core/provider'
import { describeProvider } from '@dragoman/testkit'
import { createPerplexity, fromEnvironment } from '../index.ts'

describeProvider('perplexity', {
  create: createPerplexity,
  auth: BEARER,
  basePath: '',
  paths: { chat: '/chat/completions' },
  environment: { key: 'PERPLEXITY_API_KEY', baseURL: 'PERPLEXITY_BASE_URL', enable: fromEnvironment },
  model: 'sonar-pro',
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
