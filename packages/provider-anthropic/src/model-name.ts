import type { earlierModels } from './earlier-models.ts'
import type { models } from './models.ts'
import type { newerModels } from './newer-models.ts'

/** The names of all cards, so that the tables beside them are complete. */
export type ModelName = (typeof earlierModels | typeof models | typeof newerModels)[number]['name']
