import { UnstorableError } from '@dragoman/accounts/store'

/** Classes of SQLSTATE: a value has the wrong form, violates a constraint, or exceeds a limit of the database. */
const UNSTORABLE = /^(22|23|54)[0-9A-Z]{3}$/

/** Codes of Node for a certificate whose authority is unknown. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * An error of the database with a clear message and its code. Everything else is left out: errors of pg and of URLs can contain connection
 * strings and values.
 */
export function namedError(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? { code: error.code } : {}
  const message = `PostgreSQL: ${adviceOf(String(code.code)) ?? messageOf(error)}`
  const isUnstorable = UNSTORABLE.test(String(code.code))
  return Object.assign(isUnstorable ? new UnstorableError(message) : new Error(message), code)
}

/** SQLSTATE of a server that is starting, stopping, full, or accepts no connections for now, and of a broken connection. */
const AWAY_STATE = /^(57P0[1-5]|53300|55000|08[0-9A-Z]{3})$/
/** Codes of Node. */
const AWAY_CODE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // The socket of a server on this machine.
  'ENOENT',
])
/** The package pg has no codes for these. */
const AWAY_MESSAGE = /connection terminated|timeout exceeded when trying to connect|query read timeout/i

/** Whether a store could not be opened because its database cannot be reached: it may be opened later, as it is. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return AWAY_STATE.test(code) || AWAY_CODE.has(code) || (code === '' && AWAY_MESSAGE.test(error.message))
}

function adviceOf(code: string): string | undefined {
  if (UNTRUSTED.has(code)) {
    return `the certificate of the server is not trusted (${code}). Add the file of its authority to the URL: sslmode=verify-full&sslrootcert=/path/to/ca.crt`
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'the certificate of the server is for another host. Use a name in the URL that the certificate has'
  }
  return undefined
}

/** Attempts to connect to several addresses fail together, without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : 'unknown error'
}

export function failNamed(error: unknown): never {
  throw namedError(error)
}
