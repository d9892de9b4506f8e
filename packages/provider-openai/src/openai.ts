import {
  BEARER,
  enableProviders,
  factoryOf,
  type Catalogues,
  type Environment,
  type Provider,
  type ProviderDefinition,
} from '@dragoman/core/provider'
import { variablesOf } from './environment.ts'
import { earlierModels } from './earlier-models.ts'
import { embeddings } from './embeddings.ts'
import { withFamilies } from './families.ts'
import { models } from './models.ts'
import { newerModels } from './newer-models.ts'

/** OpenAI's chat completions and Responses APIs. Its cards say which of both a model has, and which is better for it. */
export const openai: ProviderDefinition = {
  name: 'openai',
  baseURL: 'https://api.openai.com/v1',
  endpoints: { chat: '.', responses: '.' },
  counts: ['responses'],
  auth: BEARER,
  environment: variablesOf.openai,
  list: './models',
  models: [...withFamilies([...newerModels, ...models, ...earlierModels]), ...embeddings],
  // Its reasoning models refuse the old name, and all of its models accept the new one.
  quirks: { chat: [{ verb: 'rename', at: 'max_tokens', to: 'max_completion_tokens' }] },
}

export const createOpenAI = factoryOf(openai)

/** OpenAI, if `OPENAI_API_KEY` is set; separate several keys with commas. */
export function fromEnvironment(environment: Environment, catalogues?: Catalogues): readonly Provider[] {
  return enableProviders(environment, [openai], catalogues)
}
