import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createUndiciTransport } from '@dragoman/gateway-node'
import { createOllama } from '@dragoman/provider-openai-compatible'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../test/process.ts'
import { findOllama, ollamaBase } from './ollama.ts'

const transport = createUndiciTransport()
afterAll(() => transport.close())

/** The answers of `/api/show` for each model. Old versions do not list capabilities. */
const MODELS: { readonly [name: string]: object } = {
  'llama3.2:latest': { capabilities: ['completion', 'tools'] },
  'qwen3-vl:8b': { capabilities: ['completion', 'vision', 'tools', 'thinking'] },
  'nomic-embed-text:latest': { capabilities: ['embedding'] },
  'old:7b': { details: { family: 'llama' } },
}

interface Ollama extends AsyncDisposable {
  readonly url: string
  readonly seen: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
}

async function startOllama(models = MODELS): Promise<Ollama> {
  const seen: Ollama['seen'] = []
  const answerOf = (path: string, body: string): object | undefined => {
    const asked = body === '' ? {} : (JSON.parse(body) as { model?: string })
    if (path === '/api/tags') return { models: Object.keys(models).map((name) => ({ name, model: name, size: 1 })) }
    if (path === '/api/show') return models[asked.model ?? '']
    if (path !== '/v1/chat/completions') return undefined
    const message = { role: 'assistant', content: `I am ${asked.model}` }
    return {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: asked.model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { url: path = '', headers } = request
      seen.push({ path, headers, body })
      const answer = answerOf(path, body)
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? { error: 'not found' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('the address of Ollama', () => {
  it.each([
    [{}, 'http://127.0.0.1:11434/v1'],
    [{ OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434/v1'],
    [{ OLLAMA_HOST: '0.0.0.0:9000' }, 'http://127.0.0.1:9000/v1'],
    [{ OLLAMA_HOST: ':9000' }, 'http://127.0.0.1:9000/v1'],
    [{ OLLAMA_HOST: 'box.example' }, 'http://box.example:11434/v1'],
    [{ OLLAMA_HOST: 'http://box.example:9000/' }, 'http://box.example:9000/v1'],
    [{ OLLAMA_HOST: 'https://box.example' }, 'https://box.example/v1'],
    [{ OLLAMA_HOST: 'http://[' }, 'http://127.0.0.1:11434/v1'],
    [{ OLLAMA_HOST: 'box.example', OLLAMA_BASE_URL: 'http://base.example/v1' }, 'http://base.example/v1'],
    [{ DRAGOMAN_OLLAMA: 'off', OLLAMA_HOST: 'box.example' }, undefined],
  ])('with %j is %s', (environment, base) => {
    expect(ollamaBase(environment, undefined)).toBe(base)
  })

  it('is taken from the file, unless Ollama is disabled', () => {
    const base = 'http://file.example/v1'
    expect(ollamaBase({ OLLAMA_BASE_URL: 'http://base.example/v1' }, base)).toBe(base)
    expect(ollamaBase({ DRAGOMAN_OLLAMA: 'off' }, base)).toBeUndefined()
  })
})

describe('the models of Ollama', () => {
  it('are cards with capabilities; embedding models are left out', async () => {
    await using ollama = await startOllama()
    expect(await findOllama(transport, `${ollama.url}/v1`, undefined)).toEqual([
      { name: 'llama3.2:latest', owner: 'ollama', input: ['text'] },
      { name: 'qwen3-vl:8b', owner: 'ollama', input: ['text', 'image'], reasoning: {} },
      { name: 'old:7b', owner: 'ollama', input: ['text'] },
    ])
  })

  it('are requested with its key', async () => {
    await using ollama = await startOllama({ 'm:1': {} })
    const provider = createOllama({ keys: 'sk-ollama', baseURL: `${ollama.url}/v1` })
    await findOllama(transport, `${ollama.url}/v1`, provider)
    expect(ollama.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/api/tags', 'Bearer sk-ollama'],
      ['/api/show', 'Bearer sk-ollama'],
    ])
  })

  it('are undefined if another server listens there, or none', async () => {
    const gone = await startOllama()
    await gone[Symbol.asyncDispose]()
    expect(await findOllama(transport, `${gone.url}/v1`, undefined)).toBeUndefined()
    await using other = await startOllama()
    expect(await findOllama(transport, `${other.url}/elsewhere`, undefined)).toBeUndefined()
  })
})

describe('a server with a local Ollama', () => {
  let ollama: Ollama
  beforeEach(async () => {
    ollama = await startOllama()
  })
  afterEach(() => ollama[Symbol.asyncDispose]())

  it('finds it and serves its models', async () => {
    const server = await startServer({ DRAGOMAN_OLLAMA: '', OLLAMA_HOST: ollama.url })
    await server.logged((entry) => entry['msg'] === `found 3 models of Ollama at ${ollama.url}`)
    const answer = await fetch(`${server.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'ollama/old:7b', messages: [{ role: 'user', content: 'Who are you?' }] }),
    })
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'I am old:7b' } }] })
    await server.stop()
  })

  it('does not search for it if disabled', async () => {
    const server = await startServer({ DRAGOMAN_OLLAMA: 'off', OLLAMA_HOST: ollama.url })
    const models = (await (await fetch(`${server.url}/api/v1/models`)).json()) as { data: { id: string }[] }
    expect(models.data.map(({ id }) => id).filter((id) => id.startsWith('ollama/'))).toEqual([])
    await server.stop()
    expect(ollama.seen).toEqual([])
  })
})
