import { DragomanError, type ErrorFacts } from '@dragoman/core'

/** A DragomanError as plain data: `postMessage` would forget what makes it one. */
export interface PlainError extends Omit<ErrorFacts, 'cause'> {
  readonly kind: DragomanError['kind']
  readonly message: string
  /** The words of the cause, for the log. */
  readonly why?: string | undefined
}

export function plainError({
  kind,
  message,
  param,
  code,
  details,
  retryAfter,
  retry,
  cause,
}: DragomanError): PlainError {
  const why = cause instanceof Error ? cause.message : undefined
  return { kind, message, param, code, details, retryAfter, retry, why }
}

export function errorOf({ kind, message, why, ...facts }: PlainError): DragomanError {
  return new DragomanError(kind, message, why === undefined ? facts : { ...facts, cause: new Error(why) })
}
