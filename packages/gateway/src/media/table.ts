import type { JsonOperation } from '../operations/operation.ts'

/** The operations of media that have a JSON body, one line each. */
export const mediaOperations: readonly JsonOperation[] = []
