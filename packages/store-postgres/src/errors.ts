import { UnstorableError } from '@dragoman/accounts/store'

/** Classes of SQLSTATE: a value has the wrong form, violates a constraint, or exceeds a limit of the database. */
const UNSTORABLE = /^(22|23|54)[0-9A-Z]{3}$/

/**
 * An error of the database with a clear message and its code. Everything else is left out: errors of pg and of URLs can contain connection
 * strings and values.
 */
export function namedError(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? { code: error.code } : {}
  const message = `PostgreSQL: ${messageOf(error)}`
  const isUnstorable = UNSTORABLE.test(String(code.code))
  return Object.assign(isUnstorable ? new UnstorableError(message) : new Error(message), code)
}

/** Attempts to connect to several addresses fail together, without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : 'unknown error'
}

export function failNamed(error: unknown): never {
  throw namedError(error)
}
