import { count } from './count.ts'
import { generate } from './generate.ts'
import { model } from './model.ts'
import { models } from './models.ts'
import type { Operation } from './operation.ts'

/** Every operation that the gateway has: one line each. */
export const operations: readonly Operation[] = [generate, count, models, model]
