import {
  BEARER,
  defineProvider,
  effortQuirks,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'
import { modelsOf } from '../models.ts'

/** Open models on its own hardware; thoughts are `reasoning` both ways. */
export const cerebras = {
  name: 'cerebras',
  issuer: 'cerebras',
  baseURL: 'https://api.cerebras.ai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: { keys: 'CEREBRAS_API_KEY', baseURL: 'CEREBRAS_BASE_URL' },
  list: './models',
  models: modelsOf.cerebras,
  quirks: {
    chat: [
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      {
        verb: 'drop',
        at: ['settings.presencePenalty', 'settings.frequencyPenalty', 'settings.logitBias'],
        because: 'does not know it',
      },
    ],
  },
  extensions: { chat: { allowedTools: false, history: 'reasoning' } },
} satisfies ProviderDefinition

export function createCerebras(options: ProviderOptions = {}): Provider {
  return defineProvider(cerebras, options)
}
