import {
  defineProvider,
  enableProviders,
  type Environment,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core'
import { withFamilies } from './families.ts'
import { models } from './models.ts'

/** Anthropic's messages. The version header comes from the protocol. */
export const anthropic = {
  name: 'anthropic',
  baseURL: 'https://api.anthropic.com',
  endpoints: { messages: '.' },
  counts: ['messages'],
  auth: { header: 'x-api-key' },
  environment: { keys: 'ANTHROPIC_API_KEY', baseURL: 'ANTHROPIC_BASE_URL' },
  headers: { 'anthropic-version': '2023-06-01' },
  list: './v1/models',
  models: withFamilies(models),
} satisfies ProviderDefinition

export function createAnthropic(options: ProviderOptions = {}): Provider {
  return defineProvider(anthropic, options)
}

/** Anthropic, if the environment holds `ANTHROPIC_API_KEY`; several keys have commas between. */
export function fromEnvironment(environment: Environment): readonly Provider[] {
  return enableProviders(environment, [anthropic])
}
