import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineProvider, type Card, type Provider } from '@dragoman/core/provider'
import {
  createGateway,
  createMemoryKeys,
  createMemoryLedger,
  createMemoryLog,
  type GatewayOptions,
} from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '../src/index.ts'
import { listen, type Listening } from './upstream.ts'

export const UPSTREAM_KEY = 'sk-upstream-secret'
export const SEALING_KEY = 'a sealing key for tests, long enough'
/** The bytes of the file: each byte is its position. */
export const FILM = Uint8Array.from({ length: 100_000 }, (_, index) => index & 255)

/** A call that the upstream has received. */
export interface FilmCall {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly range: string | undefined
  readonly body: unknown
}

interface Answer {
  readonly status: number
  readonly body: object
}

export interface FilmUpstream extends Listening {
  readonly calls: FilmCall[]
  /** What the next polls answer beside the name; the last one again and again. */
  states: object[]
  /** How it answers a submission. */
  accept: (name: string) => Answer
  /** How it answers a poll: with this state, if nothing fails. */
  polled: (state: object) => Answer | Promise<Answer>
  /** How it serves files. */
  file: (request: IncomingMessage, response: ServerResponse) => void
}

/** An upstream with long-running operations, in the form of the Gemini API. */
export async function filmUpstream(): Promise<FilmUpstream> {
  const calls: FilmCall[] = []
  let count = 0
  const listening = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { method = '', url = '', headers } = request
      const key = headers['x-goog-api-key']
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      calls.push({ method, path: url, key: typeof key === 'string' ? key : undefined, range: headers.range, body })
      const answer = (status: number, answered: object): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
      if (url.endsWith(':predictLongRunning')) {
        const { status, body: accepted } = upstream.accept(`models/veo-1/operations/op${++count}`)
        return answer(status, accepted)
      }
      if (url.includes('/operations/')) {
        const state = upstream.states.length > 1 ? upstream.states.shift() : upstream.states[0]
        return void Promise.resolve(upstream.polled({ name: url.replace('/v1beta/', ''), ...state })).then(
          ({ status, body: polled }) => answer(status, polled),
        )
      }
      upstream.file(request, response)
    })
  })
  const upstream: FilmUpstream = {
    ...listening,
    calls,
    states: [{}],
    accept: (name) => ({ status: 200, body: { name } }),
    polled: (state) => ({ status: 200, body: state }),
    file: serveFilm,
  }
  return upstream
}

/** A server that knows ranges. */
export function serveFilm(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['x-goog-api-key'] !== UPSTREAM_KEY) return void response.writeHead(403).end('{"error":{}}')
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const headers = { 'content-type': 'video/mp4', etag: '"film"' }
  if (first === undefined) return void response.writeHead(200, { ...headers, 'content-length': FILM.length }).end(FILM)
  const [start, end] = [Number(first), last === '' ? FILM.length - 1 : Number(last)]
  if (start >= FILM.length) return void response.writeHead(416, { 'content-range': `bytes */${FILM.length}` }).end()
  const range = `bytes ${start}-${end}/${FILM.length}`
  response.writeHead(206, { ...headers, 'content-range': range, 'content-length': end - start + 1 })
  response.end(FILM.subarray(start, end + 1))
}

/** The state of an operation whose only file is at this path of the upstream. */
export function doneAt(url: string): object {
  return { done: true, response: { generateVideoResponse: { generatedSamples: [{ video: { uri: url } }] } } }
}

export function filmProvider(
  upstream: Listening,
  more: Partial<Card> = {},
  name = 'google',
  keys?: readonly string[],
): Provider {
  const card: Card = {
    name: 'veo',
    upstream: 'veo-1',
    input: ['text', 'image'],
    output: ['video'],
    video: {
      most: 4,
      ratios: ['16:9', '9:16'],
      resolutions: ['720p', '1080p'],
      seconds: [4, 6, 8],
      defaultSeconds: 8,
      audio: 'on',
      frames: ['first', 'last'],
      people: ['dont_allow', 'allow_adult'],
      fps: [24, 30],
      takes: ['negativePrompt', 'enhance', 'seed'],
    },
    prices: { audio_and_video: [{ value: 0.4, unit: 'perSecond', currency: 'USD' }] },
    ...more,
  }
  const definition = {
    name,
    models: [card],
    endpoints: { genai: `${upstream.url}/v1beta` },
    auth: { header: 'x-goog-api-key' },
    key: UPSTREAM_KEY,
  }
  return defineProvider(definition, keys === undefined ? {} : { keys })
}

/** A gateway on a real socket, with two keys. */
export async function serveFilms(providers: readonly Provider[], options: Partial<GatewayOptions> = {}) {
  const log = createMemoryLog()
  const ledger = createMemoryLedger()
  const transport = createUndiciTransport()
  const keys = createMemoryKeys([
    { id: 'alice', secret: 'sk-alice' },
    { id: 'bob', secret: 'sk-bob' },
  ])
  const gateway = createGateway({
    providers,
    keys,
    transport,
    log,
    ledger,
    sealingKeys: [SEALING_KEY],
    retries: 0,
    ...options,
  })
  const listening = await listen(createNodeHandler(gateway))
  const post = async (action: string, body: unknown, key = 'sk-alice', model = 'google/models/veo') => {
    const response = await fetch(`${listening.url}/api/vertex-ai/v1/publishers/${model}:${action}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Answered // what the gateway has answered
    return { status: response.status, headers: response.headers, body: answer }
  }
  return {
    url: listening.url,
    log,
    ledger,
    post,
    submit: (instance: object = { prompt: 'A cat.' }, parameters?: object, key?: string) =>
      post('predictLongRunning', { instances: [instance], ...(parameters === undefined ? {} : { parameters }) }, key),
    poll: (operationName: unknown, key?: string, model?: string) =>
      post('fetchPredictOperation', { operationName }, key, model),
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await transport.close()
    },
  }
}

interface Answered {
  readonly name: string
  readonly done?: boolean
  readonly response?: {
    readonly videos: readonly { readonly gcsUri: string; readonly mimeType: string }[]
    readonly raiMediaFilteredCount?: number
  }
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly status: string
    readonly details?: readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[]
  }
}
