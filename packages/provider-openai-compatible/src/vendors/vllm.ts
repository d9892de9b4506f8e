import {
  BEARER,
  defineProvider,
  effortQuirks,
  MAX_TOKENS,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'

/** A model server of one's own; a key only if it was started with one. */
export const vllm = {
  name: 'vllm',
  issuer: 'vllm',
  baseURL: 'http://localhost:8000/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: { ...BEARER, optional: true },
  environment: { keys: 'VLLM_API_KEY', baseURL: 'VLLM_BASE_URL' },
  list: './models',
  health: '../health',
  models: [],
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: ['tools.*.strict', 'tools.*.schema.value.additionalProperties'], because: 'refuses it' },
    ],
  },
  extensions: { chat: { allowedTools: false, history: 'reasoning' } },
} satisfies ProviderDefinition

export function createVllm(options: ProviderOptions = {}): Provider {
  return defineProvider(vllm, options)
}
