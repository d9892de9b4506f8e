import { BEARER, effortQuirks, factoryOf, videoTasks, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { images } from './xai-images.ts'
import { models } from './xai-models.ts'
import { videos } from './xai-videos.ts'

const EFFORTS = effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' })

/** The types of tools of its Responses API: others are a 422 (2026-08). */
const TOOLS = ['function', 'web_search', 'x_search', 'code_interpreter', 'code_execution', 'file_search', 'mcp']

/**
 * Recommends Responses, which returns encrypted reasoning; its chat returns none. Chat does not include reasoning in the completion tokens;
 * errors can have status 200. Images and videos have an API of their own.
 */
export const xai: ProviderDefinition = {
  name: 'x-ai',
  issuer: 'xai',
  baseURL: 'https://api.x.ai/v1',
  endpoints: { chat: '.', responses: '.', own: '.' },
  auth: BEARER,
  environment: variablesOf['x-ai'],
  list: './models',
  models,
  drivers: { image: images, video: videoTasks(videos) },
  quirks: {
    chat: [
      ...EFFORTS,
      {
        verb: 'drop',
        at: [
          'settings.stop',
          'settings.presencePenalty',
          'settings.frequencyPenalty',
          'extras.chat.search_parameters',
          'tools.*.schema.value.additionalProperties',
        ],
        because: 'refuses it',
      },
      { verb: 'clamp', at: 'settings.logprobs', max: 8 },
    ],
    responses: [
      ...EFFORTS,
      { verb: 'drop', at: 'settings.logprobs', because: 'includes nothing but encrypted reasoning' },
      { verb: 'drop', at: 'tools.*.options.external_web_access', because: 'refuses it' },
    ],
  },
  dialects: { chat: { usage: { reasoning: 'beside' } } },
  extensions: {
    chat: { allowedTools: false, history: 'reasoning_content', serving: ['prompt_cache_key'], user: 'user' },
    responses: { tools: TOOLS },
  },
}

export const createXai = factoryOf(xai)
