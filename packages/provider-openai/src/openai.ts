import {
  BEARER,
  defineProvider,
  enableProviders,
  type Environment,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'
import { withFamilies } from './families.ts'
import { models } from './models.ts'

/** OpenAI's chat completions. Models that only its responses endpoint has are not listed: no protocol here speaks it. */
export const openai = {
  name: 'openai',
  baseURL: 'https://api.openai.com/v1',
  endpoints: { chat: '.' },
  auth: BEARER,
  environment: { keys: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL' },
  list: './models',
  models: withFamilies(models),
  // Its reasoning models refuse the old name, and all of its models take the new one.
  quirks: { chat: [{ verb: 'rename', at: 'max_tokens', to: 'max_completion_tokens' }] },
  extensions: { chat: { candidates: true } },
} satisfies ProviderDefinition

export function createOpenAI(options: ProviderOptions = {}): Provider {
  return defineProvider(openai, options)
}

/** OpenAI, if the environment holds `OPENAI_API_KEY`; several keys have commas between. */
export function fromEnvironment(environment: Environment): readonly Provider[] {
  return enableProviders(environment, [openai])
}
