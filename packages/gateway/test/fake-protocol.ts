import {
  DragomanError,
  type ErrorKind,
  type Json,
  type JsonObject,
  type Match,
  type Protocol,
  type Tap,
} from '@dragoman/core'
import type { Card } from '@dragoman/core/provider'

/** The smallest protocol with everything that the gateway needs. Streams are SSE and end with `data: end`. */
export function fakeProtocol(name: string, base: string): Protocol {
  return {
    name,
    issuer: name,
    http: {
      base,
      match: (method, path) => matchPath(method, path),
      admit(match, head) {
        const type = head.header('content-type')
        if (match.operation === 'generate' && type !== 'application/json') {
          throw new DragomanError('media-type', 'Send application/json.')
        }
      },
      forward: (head) => ({ 'x-forwarded-beta': head.header('x-beta') ?? 'none' }),
      target: (_operation, model, stream) => ({ path: `/gen/${model}`, headers: { 'x-stream': String(stream) } }),
    },
    request: {
      check(body) {
        if (!isObject(body)) throw new DragomanError('invalid-request', 'The body must be an object.')
        if (typeof body['model'] !== 'string') {
          throw new DragomanError('invalid-request', 'model: must be a string.', { param: 'model' })
        }
        return body
      },
      decode: (body) => ({ model: textOf(body['model']), messages: [], settings: {}, delivery: {} }),
      encode: (request) => ({ model: request.model }),
      names: () => ({ out: (tool) => tool, back: (tool) => tool, changed: [] }),
      showsReasoning: true,
      history: 'messages',
      refused: { old_field: 'use new_field' },
    },
    response: { decode: unused, encode: unused },
    stream: {
      decode: unused,
      encode: (write) => ({
        push(event) {
          if (event.type === 'error') write(`data: {"error":"${event.error.kind}"}\n\n`)
        },
        end() {},
      }),
      keepAlive: () => ': alive\n\n',
      contentType: (framing) => (framing === undefined ? 'text/event-stream' : 'application/json'),
    },
    error: {
      decode: (status, body) => new DragomanError(KIND_OF[status] ?? 'upstream', `${status} ${body}`),
      encode: (error, requestId) => ({
        status: STATUS_OF[error.kind] ?? 500,
        body: { [name]: { kind: error.kind, message: error.message, param: error.param ?? null, requestId } },
      }),
    },
    models: {
      list: (entries) => ({ list: entries.map(({ id }) => id) }),
      one: ({ id }) => ({ one: id }),
    },
    relay: {
      peek: (body) => ({ model: textOf(body['model']), stream: body['stream'] === true }),
      edits: (_body, model) => ({ model: JSON.stringify(model) }),
      choosers: ['model'],
      obstacle: (body) => (body['obstacle'] === true ? 'the body says so' : undefined),
      tap: ({ stream }) => fakeTap(stream),
    },
  }
}

export function card(name: string, more: Partial<Card> = {}): Card {
  return { name, input: ['text'], output: ['text'], ...more }
}

const STATUS_OF: Partial<Record<ErrorKind, number>> = {
  'invalid-request': 400,
  unsupported: 400,
  authentication: 401,
  permission: 403,
  'not-found': 404,
  method: 405,
  'request-timeout': 408,
  'too-large': 413,
  'media-type': 415,
  'rate-limit': 429,
  'headers-too-large': 431,
  overloaded: 503,
  upstream: 502,
  interrupted: 502,
  unavailable: 503,
  timeout: 504,
}

const KIND_OF: { readonly [status: number]: ErrorKind } = {
  400: 'invalid-request',
  401: 'authentication',
  429: 'rate-limit',
}

function matchPath(method: string, path: string): Match | 'method' | undefined {
  if (path === '/gen') return method === 'POST' ? { operation: 'generate' } : 'method'
  if (path === '/array') return method === 'POST' ? { operation: 'generate', framing: 'array' } : 'method'
  if (path === '/models') return method === 'GET' ? { operation: 'models' } : 'method'
  if (path.startsWith('/models/')) return { operation: 'model', model: path.slice(8) }
  return undefined
}

function fakeTap(stream: boolean): Tap {
  let text = ''
  return {
    push(chunk) {
      text += new TextDecoder().decode(chunk)
      return chunk
    },
    end: () => ({
      usage: { input: text.length },
      complete: stream ? text.includes('data: end\n\n') : text.startsWith('{'),
    }),
    failed: undefined,
    strips: false,
    lineEnd: '\n',
    get betweenFrames() {
      return text === '' || text.endsWith('\n\n')
    },
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function unused(): never {
  throw new Error('The relay way decodes nothing.')
}

export function parse(text: string): Json {
  return JSON.parse(text) as Json // a test that gets anything else fails on its expectation
}
