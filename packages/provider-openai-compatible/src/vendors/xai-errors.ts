import { DragomanError, type JsonObject } from '@dragoman/core'

/** xAI says that something was blocked, and not why. */
export const BLOCKED = 'The moderation of the upstream has blocked it.'

/** Errors can come with status 200: `{code, error}`. */
export function readError({ code, error }: JsonObject): DragomanError | undefined {
  if (typeof error !== 'string' || typeof code !== 'string') return undefined
  return new DragomanError('upstream-error', error, { code })
}
