import type { IncomingMessage } from 'node:http'
import { defineProvider, videoTasks } from '@dragoman/core/provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILM, serveFilm, serveFilms, UPSTREAM_KEY } from './film-upstream.ts'
import { listen, type Listening } from './upstream.ts'

/** An API of tasks whose answers have no address of the file: it is at a path, for those who have the key. */
const driver = videoTasks({
  submit: ({ prompt = '' }) => ({ path: '/videos', body: { prompt } }),
  id: 'id',
  poll: (id, submitted) => `${submitted}/${id}`,
  state: 'status',
  states: { completed: 'done' },
  reason: [],
  results: { open: (id, submitted) => `${submitted}/${id}/content` },
})

describe('the file of a task that has no address', () => {
  const calls: string[] = []
  const keyOf = ({ headers }: IncomingMessage): unknown => headers['x-goog-api-key']
  let upstream: Listening
  let gateway: Awaited<ReturnType<typeof serveFilms>>
  let address = ''
  beforeAll(async () => {
    upstream = await listen((request, response) => {
      request.resume()
      calls.push(`${request.method} ${request.url} ${keyOf(request) === UPSTREAM_KEY ? 'with the key' : 'without'}`)
      if (request.url?.endsWith('/content') === true) return serveFilm(request, response)
      response.end(JSON.stringify({ id: 'v1', status: request.method === 'POST' ? 'queued' : 'completed' }))
    })
    const provider = defineProvider({
      name: 'google',
      models: [{ name: 'veo', input: ['text'], output: ['video'], video: {} }],
      endpoints: { own: `${upstream.url}/v1` },
      auth: { header: 'x-goog-api-key' },
      key: UPSTREAM_KEY,
      drivers: { video: driver },
    })
    gateway = await serveFilms([provider])
    const { body: operation } = await gateway.submit()
    const { body: state } = await gateway.poll(operation.name)
    address = state.response?.videos[0]?.gcsUri ?? ''
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await upstream[Symbol.asyncDispose]()
  })

  it('[video.state.done] is served by the gateway, which sends the key', async () => {
    expect(address.startsWith(`${gateway.url}/`)).toBe(true)
    const response = await fetch(address)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(FILM)
    expect(calls.slice(0, 3)).toEqual([
      'POST /v1/videos with the key',
      'GET /v1/videos/v1 with the key',
      'GET /v1/videos/v1/content with the key',
    ])
  })

  it('[video.state.done] is served in ranges, which the upstream cuts', async () => {
    const response = await fetch(address, { headers: { range: 'bytes=10-19' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 10-19/100000'])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(FILM.subarray(10, 20))
  })
})
