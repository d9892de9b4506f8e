import { DragomanError, type ErrorFacts } from '@dragoman/core'

/** A DragomanError as plain data: `postMessage` would forget what makes it one. */
export interface PlainError extends Omit<ErrorFacts, 'cause'> {
  readonly kind: DragomanError['kind']
  readonly message: string
  /** Other errors cross threads, with their stack. */
  readonly cause?: Error | undefined
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
  return { kind, message, param, code, details, retryAfter, retry, cause: cause instanceof Error ? cause : undefined }
}

export function errorOf({ kind, message, ...facts }: PlainError): DragomanError {
  return new DragomanError(kind, message, facts)
}
