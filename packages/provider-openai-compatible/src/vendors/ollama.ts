import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Local models without a key; with a key, the cloud of the same name. It always chooses tools itself. */
export const ollama: ProviderDefinition = {
  name: 'ollama',
  issuer: 'ollama',
  baseURL: 'http://localhost:11434/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: { ...BEARER, optional: true },
  environment: variablesOf.ollama,
  list: './models',
  models: [],
  urls: { chat: false, messages: false },
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: 'tools', when: { 'toolChoice.mode': 'none' }, because: 'calls tools whenever it has them' },
      { verb: 'drop', at: 'toolChoice', because: 'chooses tools itself' },
      { verb: 'drop', at: 'settings.logitBias', because: 'does not know it' },
    ],
  },
  extensions: { chat: { candidates: false, history: 'reasoning', serving: [], user: 'user' } },
}

export const createOllama = factoryOf(ollama)
