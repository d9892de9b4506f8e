import {
  BEARER,
  defineProvider,
  effortQuirks,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'
import { modelsOf } from '../models.ts'

/** Open models on its own hardware; thoughts come back in `reasoning`. */
export const groq = {
  name: 'groq',
  issuer: 'groq',
  baseURL: 'https://api.groq.com/openai/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: { keys: 'GROQ_API_KEY', baseURL: 'GROQ_BASE_URL' },
  list: './models',
  models: modelsOf.groq,
  /** Which models a compound system asks. */
  choosers: { chat: ['compound_custom'] },
  quirks: {
    chat: [
      {
        verb: 'replace',
        at: 'reasoning.on',
        values: { false: 'low' },
        as: 'reasoning.effort',
        because: 'cannot stop thinking',
      },
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high', none: 'low' }),
      {
        verb: 'drop',
        at: ['settings.logprobs', 'settings.logitBias', 'messages.*.name'],
        because: 'refuses it',
      },
    ],
  },
  extensions: { chat: { allowedTools: false, history: 'reasoning' } },
} satisfies ProviderDefinition

export function createGroq(options: ProviderOptions = {}): Provider {
  return defineProvider(groq, options)
}
