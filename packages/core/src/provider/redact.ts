import { DragomanError } from '../ir/error.ts'
import type { Fields } from './transport.ts'

/** Takes secrets out of a text. */
export type Redact = (text: string) => string

/**
 * What is shorter is not treated as a secret: a key of a few characters hides nothing, and taking the `blue` of `x-team: blue` out
 * of every text would spoil the words and the JSON of an upstream's errors.
 */
const SHORTEST_SECRET = 8

/** What must not be shown of a provider's keys and of the headers that its operator has set: an upstream may repeat them. */
export function secretsOf(keys: readonly string[], headers: Fields): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^(bearer|basic|token) +/i, '')])
  return [...keys, ...values].filter(({ length }) => length >= SHORTEST_SECRET)
}

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
  if (DragomanError.isInstance(cause)) return redactError(cause, redact)
  if (!(cause instanceof Error)) return undefined
  return redact(cause.message) === cause.message ? cause : new Error(redact(cause.message))
}
