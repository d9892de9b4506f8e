import { BEARER, effortQuirks, factoryOf, MAX_TOKENS, type ProviderDefinition } from '@dragoman/core/provider'
import { variablesOf } from '../environment.ts'

/** Open models; refuses unknown message members. */
export const fireworks: ProviderDefinition = {
  name: 'fireworks',
  issuer: 'fireworks',
  baseURL: 'https://api.fireworks.ai/inference/v1',
  endpoints: { chat: '.', messages: '..' },
  auth: BEARER,
  environment: variablesOf.fireworks,
  list: './models',
  models: [],
  quirks: {
    chat: [
      MAX_TOKENS,
      ...effortQuirks({ minimal: 'low', xhigh: 'high', max: 'high' }),
      { verb: 'drop', at: 'toolChoice.names', because: 'cannot be forced to call one tool' },
      { verb: 'rename', at: 'tool_choice', values: { required: 'any' } },
      { verb: 'exclude', at: ['tools', 'output'], because: 'has no structured output beside tools' },
      {
        verb: 'drop',
        at: ['tools.*.strict', 'messages.*.name', 'messages.*.extras', 'messages.*.parts.*.extras'],
        because: 'refuses members that it does not know',
      },
    ],
  },
  extensions: { chat: { history: 'reasoning_content', serving: [], user: 'user' } },
}

export const createFireworks = factoryOf(fireworks)
