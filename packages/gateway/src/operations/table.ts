import { mediaOperations } from './media-operations.ts'
import { base } from './base.ts'
import { count } from './count.ts'
import { explain } from './explain.ts'
import { generate } from './generate.ts'
import { model } from './model.ts'
import { models } from './models.ts'
import type { Operation } from '../pipeline/operation.ts'
import { poll } from '../video/poll.ts'
import { result } from '../video/result.ts'

/** All operations of the gateway, one line each. */
export const operations: readonly Operation[] = [
  generate,
  ...mediaOperations,
  poll,
  result,
  count,
  explain,
  models,
  model,
  base,
]
