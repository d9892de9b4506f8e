import { BEARER, factoryOf, type Chooser, type ProviderDefinition, type Quirk } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Members that make it use other models, in all protocols: fallbacks, routers, stored settings, tools that call models. */
const CHOOSERS: readonly Chooser[] = [
  'models',
  'route',
  'preset',
  'plugins',
  'fallbacks',
  { at: 'tools.*.type', begins: 'openrouter:' },
]

/** Its own names of tools begin with `openrouter:`. Namespaces and unknown types are a 400 (2026-08). */
const TOOLS = [
  'function',
  'web_search',
  'web_search_preview',
  'openrouter:web_search',
  'openrouter:web_fetch',
  'openrouter:datetime',
  'openrouter:image_generation',
]

const EFFORTS: readonly Quirk[] = [
  { verb: 'replace', at: 'reasoning.effort', values: { max: 'xhigh' }, because: 'has no such effort' },
]

/** Models of many vendors with one key; accepts cache marks, the `reasoning` object and images of assistants; its model list is open, so the health check uses the key. */
export const openrouter: ProviderDefinition = {
  name: 'openrouter',
  issuer: 'openrouter',
  baseURL: 'https://openrouter.ai/api/v1',
  endpoints: { chat: '.', messages: '..', responses: '.' },
  auth: BEARER,
  environment: variablesOf.openrouter,
  list: './models',
  health: './auth/key',
  models: [],
  // Also as the data of a file.
  urls: { chat: true },
  quirks: { chat: EFFORTS, responses: EFFORTS },
  choosers: { chat: CHOOSERS, messages: CHOOSERS, responses: CHOOSERS },
  extensions: {
    chat: { allowedTools: false, cache: true, candidates: false, images: true, reasoning: 'object', user: 'user' },
    responses: { tools: TOOLS },
  },
}

export const createOpenRouter = factoryOf(openrouter)
