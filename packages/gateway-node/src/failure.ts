import type { Failure } from '@dragoman/core/provider'

const KIND_OF: { readonly [code: string]: Failure['kind'] } = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
}

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/

/** The failure for an error of undici or the socket. A call can be retried as long as no answer has begun. */
export function failureOf(error: Error, begun: boolean, sentMs = 0): Failure {
  const code = 'code' in error ? String(error.code) : ''
  const kind = KIND_OF[code] ?? (TLS_CODE.test(code) ? 'tls' : 'reset')
  return {
    kind,
    retryable: !begun,
    ...(kind === 'reset' && !begun && sentMs < SOON_MS && isReused(error) ? { stale: true } : {}),
    cause: error,
  }
}

/** A connection that was closed while it was idle fails within a round trip. After that, the upstream has received the call. */
const SOON_MS = 1000

/** Whether the connection had answered an earlier call. Upstreams close connections that were idle for long, at any moment. */
function isReused(error: Error): boolean {
  const socket = 'socket' in error ? error.socket : undefined
  return typeof socket === 'object' && socket !== null && 'bytesRead' in socket && Number(socket.bytesRead) > 0
}
