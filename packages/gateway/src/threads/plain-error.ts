import { DragomanError, type ErrorFacts } from '@dragoman/core'

/** A DragomanError as plain data, because `postMessage` does not keep its class. */
export interface PlainError extends Omit<ErrorFacts, 'cause'> {
  readonly kind: DragomanError['kind']
  readonly message: string
  /** Other errors can be sent between threads, with their stack. */
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
