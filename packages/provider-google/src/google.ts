import {
  enableProviders,
  factoryOf,
  videoTasks,
  type Catalogues,
  type Environment,
  type Provider,
  type ProviderDefinition,
} from '@dragoman/core/provider'
import { embeddings } from './embeddings.ts'
import { variablesOf } from './environment.ts'
import { withFamilies } from './families.ts'
import { models } from './models.ts'
import { newerModels } from './newer-models.ts'
import { videos } from './videos.ts'

/** The Gemini API. Its videos are long-running operations. */
export const google: ProviderDefinition = {
  name: 'google',
  baseURL: 'https://generativelanguage.googleapis.com/v1beta',
  endpoints: { genai: '.', own: '.' },
  counts: ['genai'],
  auth: { header: 'x-goog-api-key' },
  environment: variablesOf.google,
  list: './models',
  models: [...withFamilies([...newerModels, ...models]), ...embeddings],
  // Veo takes the bytes of frames only.
  urls: { own: false },
  drivers: { video: videoTasks(videos) },
  quirks: {
    genai: [
      {
        verb: 'drop',
        at: [
          'extras.genai.labels',
          'extras.genai.modelSelectionConfig',
          'extras.genai.generationConfig.routingConfig',
          'extras.genai.generationConfig.audioTimestamp',
          'safety.*.method',
          'output.image.personGeneration',
          'output.image.prominentPeople',
          'output.image.outputMimeType',
          'output.image.outputCompressionQuality',
          'output.image.imageOutputOptions',
        ],
        because: 'has it on its cloud platform alone',
      },
    ],
  },
}

export const createGoogle = factoryOf(google)

/** The Gemini API, if `GEMINI_API_KEY` or `GOOGLE_API_KEY` is set; separate several keys with commas. */
export function fromEnvironment(environment: Environment, catalogues?: Catalogues): readonly Provider[] {
  return enableProviders(environment, [google], catalogues)
}
