import { DragomanError } from '../../ir/error.ts'
import type { Head, Http } from '../protocol.ts'

/** `anthropic-version` takes the dates that official SDKs send; `partner-version` only the first. */
const VERSIONS = ['2023-06-01', '2026-10-21']
/** Features that would run code at the upstream. */
const REFUSED_BETAS = new Set(['code-execution-2025-08-25'])

export const http: Http = {
  base: '/api/anthropic',
  match(method, path) {
    if (path === '/v1/messages') return method === 'POST' ? { operation: 'generate' } : 'method'
    if (path === '/v1/messages/count_tokens') return method === 'POST' ? { operation: 'count' } : 'method'
    if (path === '/v1/models') return method === 'GET' ? { operation: 'models' } : 'method'
    if (path.startsWith('/v1/models/') && path.length > 11) {
      return method === 'GET' ? { operation: 'model', model: path.slice(11) } : 'method'
    }
    return undefined
  },
  admit(match, head) {
    if (match.operation === 'models' || match.operation === 'model') return
    admitContentType(head)
    admitVersion(head)
    const refused = betas(head).find((beta) => REFUSED_BETAS.has(beta))
    if (refused !== undefined)
      throw new DragomanError('unsupported', `The beta "${refused}" is not supported here.`, {
        param: 'anthropic-beta',
      })
  },
  forward(head): { [name: string]: string } {
    const asked = betas(head)
    return asked.length === 0 ? {} : { 'anthropic-beta': asked.join(',') }
  },
  target(operation) {
    const path = operation === 'generate' ? '/v1/messages' : '/v1/messages/count_tokens'
    return { path, headers: { 'anthropic-version': '2023-06-01' } }
  },
}

function admitContentType(head: Head): void {
  const type = head.header('content-type')
  if (type === undefined || !/^application\/json\s*(;|$)/i.test(type)) {
    throw new DragomanError('media-type', 'The content-type header must be application/json.', {
      param: 'content-type',
    })
  }
}

function admitVersion(head: Head): void {
  const partner = head.header('partner-version')
  const native = head.header('anthropic-version')
  if (partner === undefined && native === undefined) {
    throw new DragomanError(
      'invalid-request',
      'A version header is required: anthropic-version (or partner-version) with 2023-06-01.',
      { param: 'anthropic-version' },
    )
  }
  if (partner !== undefined && partner !== VERSIONS[0]) {
    throw new DragomanError('invalid-request', `The partner-version header must be ${VERSIONS[0]}.`, {
      param: 'partner-version',
    })
  }
  if (native !== undefined && !VERSIONS.includes(native)) {
    throw new DragomanError('invalid-request', `The anthropic-version header must be ${VERSIONS.join(' or ')}.`, {
      param: 'anthropic-version',
    })
  }
}

/** Comma-separated or repeated, under both names. */
function betas(head: Head): string[] {
  const values = [head.header('partner-beta'), head.header('anthropic-beta')]
  return values
    .flatMap((value) => value?.split(',') ?? [])
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}
