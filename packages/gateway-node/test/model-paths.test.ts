import { describe, expect, it } from 'vitest'
import { SECRET, serve } from './endpoint.ts'
import { scriptedUpstream } from './upstream.ts'

const BASE = '/api/vertex-ai'
const ANSWER = { candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP', index: 0 }] }
const aliases = { fast: 'acme/org/m:1.5' }

describe('a model in a path', () => {
  const post = (url: string, path: string) =>
    fetch(`${url}${BASE}${path}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': SECRET, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }] }),
    })

  it.each([
    '/v1/publishers/acme/models/org/m:1.5:generateContent',
    '/v1/publishers/acme/models/org%2Fm%3A1.5:generateContent',
    '/v1/publishers/acme/models/org%2fm:1%2E5:generateContent/',
    '/v1beta/models/acme%2Forg%2Fm%3A1.5:generateContent',
    '/v1beta/models/org/m:1.5:generateContent',
    '/v1/publishers/google/models/org%2Fm:1.5:generateContent',
    '/v1/publishers/google/models/fast:generateContent',
    '/v1/models/fast:generateContent',
  ])('[base.model] [genai.paths] is found at %s', async (path) => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, ['genai'], { aliases })
    const reply = post(server.url, path)
    const { request, response } = await upstream.next()
    expect(request.url).toBe('/genai/models/m-1:generateContent')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWER))
    const answer = await reply
    expect(answer.headers.get('x-dragoman-model')).toBe('acme/org/m:1.5')
    expect(await answer.json()).toEqual(ANSWER)
  })

  it.each([
    [404, 'NOT_FOUND', '/v1/publishers/google/models/slow:generateContent'],
    [404, 'NOT_FOUND', '/v1/publishers/other/models/fast:generateContent'],
    [400, 'INVALID_ARGUMENT', '/v1/publishers/acme/models/%ff:generateContent'],
  ])('[base.unknown-model] is a native %i %s at %s', async (code, status, path) => {
    await using upstream = await scriptedUpstream()
    await using server = await serve(upstream, ['genai'], { aliases })
    const answer = await post(server.url, path)
    expect(answer.status).toBe(code)
    expect(await answer.json()).toMatchObject({ error: { code, status } })
    expect(upstream.count).toBe(0)
  })
})
