import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Your own model server; a key only if it was started with one. */
export const vllm: ProviderDefinition = {
  name: 'vllm',
  issuer: 'vllm',
  baseURL: 'http://localhost:8000/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: { ...BEARER, optional: true },
  environment: variablesOf.vllm,
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
  extensions: { chat: { allowedTools: false, history: 'reasoning', serving: [], user: 'user' } },
}

export const createVllm = factoryOf(vllm)
