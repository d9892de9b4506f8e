import { DragomanError } from '../../ir/error.ts'
import { admitJson, matchPath } from '../http.ts'
import type { Head, Http, RateLimit } from '../protocol.ts'

/** `anthropic-version` accepts the dates that official SDKs send; `partner-version` only the first. */
const VERSION = '2023-06-01'
const VERSIONS_OF = { 'partner-version': [VERSION], 'anthropic-version': [VERSION, '2026-10-21'] } as const
/** Betas that would run code at the upstream. */
const REFUSED_BETA = 'code-execution-2025-08-25'

/** Claude Code asks for `/api/hello` when it starts, to open a connection early. */
const HELLO = '/api/hello'
const PATHS = { '/v1/messages': 'generate', '/v1/messages/count_tokens': 'count', [HELLO]: 'base' }
/** The headers of its clients. */
const CLIENT = [...Object.keys(VERSIONS_OF), 'anthropic-beta', 'partner-beta']

export const http: Http = {
  base: '/api/anthropic',
  roots: { '/v1': '/v1', [HELLO]: HELLO },
  isClient: (head) => CLIENT.some((name) => head.header(name) !== undefined),
  match: (method, path) => matchPath(PATHS, '/v1/models', method, path),
  admit(match, head) {
    if (match.operation !== 'generate' && match.operation !== 'count') return
    admitJson(head, '')
    admitVersion(head)
    if (!betas(head).includes(REFUSED_BETA)) return
    const param = 'anthropic-beta'
    throw new DragomanError('unsupported', `The beta "${REFUSED_BETA}" is not supported here.`, { param })
  },
  forward(head): { [name: string]: string } {
    const asked = betas(head)
    return asked.length === 0 ? {} : { 'anthropic-beta': asked.join(',') }
  },
  target(operation) {
    const path = operation === 'generate' ? '/v1/messages' : '/v1/messages/count_tokens'
    return { path, headers: { 'anthropic-version': VERSION } }
  },
  rateLimits: ({ requests, tokens }, now) => ({
    ...limitHeaders('requests', requests, now),
    ...limitHeaders('tokens', tokens, now),
  }),
}

/** The reset is a time of RFC 3339, in whole seconds. */
function limitHeaders(what: string, rate: RateLimit | undefined, now: number): { [name: string]: string } {
  if (rate === undefined) return {}
  const reset = new Date(Math.ceil((now + rate.resetMs) / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  return {
    [`anthropic-ratelimit-${what}-limit`]: String(rate.limit),
    [`anthropic-ratelimit-${what}-remaining`]: String(rate.remaining),
    [`anthropic-ratelimit-${what}-reset`]: reset,
  }
}

function admitVersion(head: Head): void {
  let isGiven = false
  for (const [param, versions] of Object.entries(VERSIONS_OF)) {
    const version = head.header(param)
    isGiven ||= version !== undefined
    if (version === undefined || versions.some((each) => each === version)) continue
    throw new DragomanError('invalid-request', `The ${param} header must be ${versions.join(' or ')}.`, { param })
  }
  if (isGiven) return
  const text = `A version header is required: anthropic-version (or partner-version) with ${VERSION}.`
  throw new DragomanError('invalid-request', text, { param: 'anthropic-version' })
}

/** Comma-separated or repeated, under both names. */
function betas(head: Head): string[] {
  const values = [head.header('partner-beta'), head.header('anthropic-beta')]
  return values
    .flatMap((value) => value?.split(',') ?? [])
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}
