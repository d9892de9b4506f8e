import { describe, expect, it } from 'vitest'
import { knownProviders } from '../known-providers.ts'
import { operationName, providerName, routeOf } from './names.ts'

describe('the route of a call', () => {
  it.each([
    ['POST', '/api/v1/chat/completions', '/api/v1/chat/completions'],
    ['POST', '/api/anthropic/v1/messages/count_tokens', '/api/anthropic/v1/messages/count_tokens'],
    ['GET', '/api/v1/models', '/api/v1/models'],
    ['GET', '/api/v1/models/openai%2Fgpt-5', '/api/v1/models/{model}'],
    ['GET', '/api/vertex-ai/v1beta/models/a:8b', '/api/vertex-ai/v1beta/models/{model}'],
    [
      'POST',
      '/api/vertex-ai/v1/publishers/google/models/gemini:generateContent',
      '/api/vertex-ai/v1/publishers/{publisher}/models/{model}:generateContent',
    ],
    [
      'POST',
      '/api/vertex-ai/v1beta1/projects/p/locations/l/publishers/x/models/a:b:countTokens',
      '/api/vertex-ai/v1beta1/projects/{project}/locations/{location}/publishers/{publisher}/models/{model}:countTokens',
    ],
    [
      'POST',
      '/api/vertex-ai/v1beta/models/a/b:streamGenerateContent',
      '/api/vertex-ai/v1beta/models/{model}:streamGenerateContent',
    ],
    ['POST', '/api/vertex-ai/v1beta/a/b:generateContent', '/api/vertex-ai/v1beta/{model}:generateContent'],
  ])('%s %s has no names of models', (method, path, route) => {
    expect(routeOf(method, path, path.includes('vertex') ? 'genai' : 'chat')).toBe(route)
  })

  it.each([
    ['chat', 'POST', '/v1/chat/completions', '/api/v1/chat/completions'],
    ['responses', 'POST', '/explain/v1/responses', '/explain/api/v1/responses'],
    ['messages', 'POST', '/v1/messages', '/api/anthropic/v1/messages'],
    ['messages', 'GET', '/v1/models/a%2Fb', '/api/anthropic/v1/models/{model}'],
    ['genai', 'POST', '/v1beta/models/m:countTokens', '/api/vertex-ai/v1beta/models/{model}:countTokens'],
  ])('is the one under the base, for %s at the root too: %s %s', (protocol, method, path, route) => {
    expect(routeOf(method, path, protocol)).toBe(route)
  })
})

/** The well-known values of `gen_ai.provider.name`, as far as they are providers of this server. */
const WELL_KNOWN = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'gcp.gemini',
  deepseek: 'deepseek',
  groq: 'groq',
  mistralai: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  perplexity: 'perplexity',
  'x-ai': 'x_ai',
}

it.each(Object.entries(WELL_KNOWN))('%s has its well-known name %s', (provider, name) => {
  expect(knownProviders).toContain(provider)
  expect(providerName(provider)).toBe(name)
})

it('other providers keep their names', () => {
  expect(['house', 'constructor'].map(providerName)).toEqual(['house', 'constructor'])
})

it('operations have the names of the conventions', () => {
  expect(operationName('generate', 'messages')).toBe('chat')
  expect(operationName('generate', 'genai')).toBe('generate_content')
})
