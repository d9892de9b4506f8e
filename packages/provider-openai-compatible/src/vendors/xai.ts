import { BEARER, effortQuirks, factoryOf, videoTasks, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'
import { images } from './xai-images.ts'
import { models } from './xai-models.ts'
import { videos } from './xai-videos.ts'

/** Does not include reasoning in the completion tokens; errors can have status 200. Pictures and videos have an API of their own. */
export const xai: ProviderDefinition = {
  name: 'x-ai',
  issuer: 'xai',
  baseURL: 'https://api.x.ai/v1',
  endpoints: { chat: '.', own: '.' },
  auth: BEARER,
  environment: variablesOf['x-ai'],
  list: './models',
  models,
  drivers: { image: images, video: videoTasks(videos) },
  quirks: {
    chat: [
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
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
  },
  dialects: { chat: { usage: { reasoning: 'beside' } } },
  extensions: { chat: { allowedTools: false, history: 'reasoning_content', user: 'user' } },
}

export const createXai = factoryOf(xai)
