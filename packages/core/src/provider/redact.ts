import { DragomanError } from '../ir/error.ts'
import type { Fields } from './transport.ts'

/** Removes secrets from a text. */
export type Redact = (text: string) => string

/**
 * Shorter values are not treated as secrets: a key of a few characters hides nothing, and removing the `blue` of `x-team: blue` from
 * every text would make an upstream's errors unreadable.
 */
const SHORTEST_SECRET = 8

/** The secrets of a provider: its keys and the header values of its operator, which an upstream may repeat. */
export function secretsOf(keys: readonly string[], headers: Fields): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^(bearer|basic|token) +/i, '')])
  return [...keys, ...values].filter(({ length }) => length >= SHORTEST_SECRET)
}

/** Removes secrets from text of others. `form` matches secrets that are made for each call. */
export function createRedact(secrets: readonly string[], form?: RegExp): Redact {
  const longestFirst = [...new Set(secrets)].filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return (text) => {
    const formless = form === undefined ? text : text.replaceAll(form, '[secret]')
    return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), formless)
  }
}

/** The same error without secrets that an upstream may have put into its message. */
export function redactError(error: DragomanError, redact: Redact): DragomanError {
  const { kind, message, param, code, details, retryAfter, retry, cause } = error
  const cleaned = (value: string | readonly string[]) => (typeof value === 'string' ? redact(value) : value.map(redact))
  const clean = details && Object.entries(details).map(([key, value]) => [key, cleaned(value)] as const)
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
