import { BEARER, factoryOf, type Chooser, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Members that make it use other models, in both protocols: fallbacks, routers, stored settings, tools that call models. */
const CHOOSERS: readonly Chooser[] = [
  'models',
  'route',
  'preset',
  'plugins',
  'fallbacks',
  { at: 'tools.*.type', begins: 'openrouter:' },
]

/** Models of many vendors with one key; accepts cache marks, the `reasoning` object and images of assistants; its model list is open, so the health check uses the key. */
export const openrouter: ProviderDefinition = {
  name: 'openrouter',
  issuer: 'openrouter',
  baseURL: 'https://openrouter.ai/api/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: BEARER,
  environment: variablesOf.openrouter,
  list: './models',
  health: './auth/key',
  models: [],
  quirks: {
    chat: [{ verb: 'replace', at: 'reasoning.effort', values: { max: 'xhigh' }, because: 'has no such effort' }],
  },
  choosers: { chat: CHOOSERS, messages: CHOOSERS },
  extensions: { chat: { allowedTools: false, cache: true, images: true, reasoning: 'object', user: 'user' } },
}

export const createOpenRouter = factoryOf(openrouter)
