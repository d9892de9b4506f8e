import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys, createMemoryLog } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createKling } from '@dragoman/provider-kling'
import { createXai } from '@dragoman/provider-openai-compatible'
import { createScriptedUpstream, type ScriptedUpstream } from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// Upstreams repeat the key in their errors, as some do: "Incorrect API key provided: sk-…".
const KEY = 'sk-of-a-caller'
const SECRET = 'sk-secret-0123456789'
const log = createMemoryLog()
const transport = createUndiciTransport()
let upstream: ScriptedUpstream
let server: Server
let url = ''

const IMAGE = { most: 4, perCall: 1, sizes: ['auto'] }
const EMBEDDING = { dimensions: 4, perCall: 1, most: 4 }

beforeAll(async () => {
  upstream = await createScriptedUpstream()
  const auth = { header: 'authorization', prefix: 'Bearer ' }
  const models: Card[] = [
    { name: 'image', input: ['text'], output: ['image'], image: IMAGE },
    { name: 'vectors', input: ['text'], output: ['text'], embedding: EMBEDDING },
  ]
  const gateway = createGateway({
    providers: [
      defineProvider({ name: 'chat-double', models, endpoints: { chat: upstream.url }, auth, key: SECRET }),
      defineProvider({ name: 'genai-double', models, endpoints: { genai: upstream.url }, auth, key: SECRET }),
      createXai({ baseURL: upstream.url, keys: SECRET }),
      createKling({ baseURL: upstream.url, keys: SECRET }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    transport,
    log,
  })
  server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await transport.close()
  await upstream.close()
})

const CALLS: readonly (readonly [title: string, path: string, body: object])[] = [
  ...['chat-double/image', 'genai-double/image', 'x-ai/grok-imagine-image', 'kling/kling-v3'].flatMap((model) =>
    [{}, { n: 2 }, { stream: true }].map(
      (more) =>
        [
          `images of ${model}, ${JSON.stringify(more)}`,
          '/images/generations',
          { model, prompt: 'a fox', ...more },
        ] as const,
    ),
  ),
  ...['chat-double/vectors', 'genai-double/vectors'].flatMap((model) =>
    ['a', ['a', 'b']].map(
      (input) => [`vectors of ${model}, ${JSON.stringify(input)}`, '/embeddings', { model, input }] as const,
    ),
  ),
]

describe.each(CALLS)('[err.native] a key in an error, %s', (_title, path, body) => {
  it.each([400, 401, 429, 500, 200])('never reaches the caller or the log, status %i', async (status) => {
    upstream.answer(({ headers }) => {
      const message = `Incorrect API key provided: ${headers['authorization']}.`
      const error = { message, code: SECRET, type: 'invalid_request_error', param: SECRET, status: 'UNAUTHENTICATED' }
      return { status, body: JSON.stringify({ error, code: 1000, message }) }
    })
    const before = upstream.seen.length
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect(upstream.seen.length).toBeGreaterThan(before)
    expect(upstream.seen.at(-1)?.headers['authorization']).toContain(SECRET)
    expect(text).toContain('error')
    const seen = `${text} ${JSON.stringify([...response.headers])} ${JSON.stringify(log.entries)}`
    expect(seen).not.toContain(SECRET)
  })
})
