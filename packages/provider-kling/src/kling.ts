import {
  BEARER,
  enableProviders,
  factoryOf,
  imageTasks,
  videoTasks,
  type Catalogues,
  type Environment,
  type Provider,
  type ProviderDefinition,
} from '@dragoman/core/provider'
import { earlierModels } from './earlier-models.ts'
import { variablesOf } from './environment.ts'
import { withFacts } from './facts.ts'
import { images } from './images.ts'
import { models } from './models.ts'
import { videos } from './videos.ts'

/** The Kling API. A key `<access key>:<secret key>` signs tokens; an API key is sent as it is. */
export const kling: ProviderDefinition = {
  name: 'kling',
  baseURL: 'https://api-singapore.klingai.com/v1',
  endpoints: { own: '.' },
  auth: { ...BEARER, sign: 'jwt' },
  environment: variablesOf.kling,
  models: withFacts([...models, ...earlierModels]),
  drivers: { image: imageTasks(images), video: videoTasks(videos) },
}

export const createKling = factoryOf(kling)

/** Kling, if `KLING_API_KEY` is set; separate several keys with commas. */
export function fromEnvironment(environment: Environment, catalogues?: Catalogues): readonly Provider[] {
  return enableProviders(environment, [kling], catalogues)
}
