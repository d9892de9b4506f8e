import {
  enableProviders,
  factoryOf,
  type Catalogues,
  type Environment,
  type Provider,
  type ProviderDefinition,
} from '@dragoman/core/provider'
import { variablesOf } from './environment.ts'
import { earlierModels } from './earlier-models.ts'
import { UNLISTED, withFamilies } from './families.ts'
import { models } from './models.ts'
import { newerModels } from './newer-models.ts'

/** Anthropic's messages API. The version header comes from the protocol. */
export const anthropic: ProviderDefinition = {
  name: 'anthropic',
  baseURL: 'https://api.anthropic.com',
  endpoints: { messages: '.' },
  counts: ['messages'],
  auth: { header: 'x-api-key' },
  environment: variablesOf.anthropic,
  headers: { 'anthropic-version': '2023-06-01' },
  list: './v1/models',
  models: [...withFamilies([...newerModels, ...models, ...earlierModels]), UNLISTED],
}

export const createAnthropic = factoryOf(anthropic)

/** Anthropic, if `ANTHROPIC_API_KEY` is set; separate several keys with commas. */
export function fromEnvironment(environment: Environment, catalogues?: Catalogues): readonly Provider[] {
  return enableProviders(environment, [anthropic], catalogues)
}
