import { DragomanError } from '../ir/error.ts'

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/** Takes secrets out of text that came from elsewhere. */
export function createRedact(secrets: readonly string[]): Redact {
  const longestFirst = [...new Set(secrets)].filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text)
}

/** The same error without the secrets that an upstream may have put into its words. */
export function redactError(error: DragomanError, redact: Redact): DragomanError {
  const { kind, message, param, code, details, retryAfter, retry, cause } = error
  const clean = details && Object.entries(details).map(([key, value]) => [key, redact(value)] as const)
  return new DragomanError(kind, redact(message), {
    param: param && redact(param),
    code: code && redact(code),
    details: clean && Object.fromEntries(clean),
    retryAfter,
    retry,
    cause: cleanCause(cause, redact),
  })
}

function cleanCause(cause: unknown, redact: Redact): unknown {
  if (cause instanceof DragomanError) return redactError(cause, redact)
  if (!(cause instanceof Error)) return undefined
  return redact(cause.message) === cause.message ? cause : new Error(redact(cause.message))
}
