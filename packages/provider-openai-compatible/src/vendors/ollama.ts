import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core'
import { variablesOf } from '../environment.ts'

/** Models on one's own machine, without a key; with one, the cloud of the same name. Its tool choice is always its own. */
export const ollama: ProviderDefinition = {
  name: 'ollama',
  issuer: 'ollama',
  baseURL: 'http://localhost:11434/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: { ...BEARER, optional: true },
  environment: variablesOf.ollama,
  list: './models',
  models: [],
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: 'tools', when: { 'toolChoice.mode': 'none' }, because: 'calls tools whenever it has them' },
      { verb: 'drop', at: 'toolChoice', because: 'chooses tools itself' },
      { verb: 'drop', at: 'settings.logitBias', because: 'does not know it' },
    ],
  },
  extensions: { chat: { history: 'reasoning' } },
}

export const createOllama = factoryOf(ollama)
