import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAI as createVercel } from '@ai-sdk/openai'
import { createMessagesDouble, createResponsesDouble, type Double } from '@dragoman/testkit'
import { Agent, OpenAIProvider, Runner } from '@openai/agents'
import { streamText } from 'ai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenAI } from '../clients/openai.ts'
import { startServer, type ServerProcess } from '../process.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
const folder = mkdtempSync(join(tmpdir(), 'dragoman-responses-'))
const TEXT = 'A long story about lions.'
const PROMPT = 'Tell me a story.'
const BODY = { model: 'anthropic/claude-sonnet-4.5', input: PROMPT, store: false }
let server: ServerProcess
let double: Double
let relayed: Double
beforeAll(async () => {
  double = await createMessagesDouble([{ parts: [{ text: TEXT }] }])
  relayed = await createResponsesDouble([{ parts: [{ text: TEXT }] }])
  const file = join(folder, 'dragoman.config.json')
  writeFileSync(file, JSON.stringify({ defaults: { keepAlive: 0.01 } }))
  server = await startServer({
    DRAGOMAN_CONFIG: file,
    DRAGOMAN_LOG: 'silent',
    ANTHROPIC_BASE_URL: double.url,
    ANTHROPIC_API_KEY: 'sk-upstream-messages',
    OPENAI_BASE_URL: relayed.url,
    OPENAI_API_KEY: 'sk-upstream-responses',
  })
})
afterAll(async () => {
  for (const one of [double, relayed]) await one.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function open(model = BODY.model, send = fetch): Promise<Response> {
  return send(`${server.url}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BODY, model, stream: true }),
  })
}

/** A fetch that releases an upstream after these words of an answer. */
function releasing(upstream: Double, words: string): typeof fetch {
  return async (input, init) => {
    const { body, status, headers } = await fetch(input, init)
    const decoder = new TextDecoder()
    let text = ''
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        text += decoder.decode(chunk, { stream: true })
        if (text.includes(words)) upstream.release()
        controller.enqueue(chunk)
      },
    })
    return new Response(body?.pipeThrough(watch), { status, headers })
  }
}

const RELAYED = 'openai/gpt-5.4'
const COMMENT = ': keepalive\n\n'
const KEEP_ALIVE = 'event: keepalive\ndata: {"type":"keepalive"}\n\n'

it('[resp.stream] [resp.keepalive] begins before a silent upstream, and is kept alive by events', async () => {
  double.play({ parts: [{ text: TEXT }], sending: { stall: 0 } })
  const text = await (await open(BODY.model, releasing(double, KEEP_ALIVE + KEEP_ALIVE))).text()
  const types = [...text.replaceAll(KEEP_ALIVE, '').matchAll(/^event: (.+)$/gm)].map(([, type]) => type)
  expect(types.slice(0, 3)).toEqual(['response.created', 'response.in_progress', 'response.output_item.added'])
  expect(new Set(text.match(/"id":"resp_[^"]+"/g)).size).toBe(1)
})

it('[resp.stream] [resp.keepalive] is kept alive by comments before a relayed stream begins', async () => {
  relayed.play({ parts: [{ text: TEXT }], sending: { stall: 0 } })
  const text = await (await open(RELAYED, releasing(relayed, COMMENT))).text()
  expect(text.replaceAll(COMMENT, '')).toMatch(/^event: response\.created\n/)
})

/** Clients, and the text that they read. */
const READERS: { readonly [name: string]: (model: string, send: typeof fetch) => Promise<unknown> } = {
  async openai(model, send) {
    const stream = createOpenAI(server, send).responses.stream({ ...BODY, model })
    return (await stream.finalResponse()).output_text
  },
  async '@ai-sdk/openai'(model, send) {
    const { url, key: apiKey } = server
    const vercel = createVercel({ baseURL: `${url}/api/v1`, apiKey, fetch: send })
    return streamText({ model: vercel(model), prompt: PROMPT, maxRetries: 0 }).text
  },
  async '@openai/agents'(model, send) {
    const modelProvider = new OpenAIProvider({ openAIClient: createOpenAI(server, send), useResponses: true })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const result = await runner.run(new Agent({ name: 'Writer', model }), PROMPT, { stream: true })
    await result.completed
    return result.finalOutput
  },
}

it.each(Object.keys(READERS))('[resp.keepalive] before the first event of an upstream is read by %s', async (name) => {
  const silent = { parts: [{ text: TEXT }], sending: { stall: 0 } }
  double.play(silent)
  expect(await READERS[name]?.(BODY.model, releasing(double, KEEP_ALIVE + KEEP_ALIVE))).toBe(TEXT)
  relayed.play(silent)
  expect(await READERS[name]?.(RELAYED, releasing(relayed, COMMENT + COMMENT))).toBe(TEXT)
})

it('[resp.keepalive] is kept alive by an event that codex and the official SDK know', async () => {
  double.play({ parts: [{ text: TEXT }], sending: { stall: 4 } })
  const stream = createOpenAI(server).responses.stream(BODY)
  const types: string[] = []
  for await (const { type } of stream) {
    types.push(type)
    if (types.filter((each) => each === 'keepalive').length === 2) double.release()
  }
  expect((await stream.finalResponse()).output_text).toBe(TEXT)
})

it('[resp.error_events] ends as usual after error and response.failed, because codex reads to the end', async () => {
  const error = { type: 'overloaded_error', message: 'Overloaded.' }
  double.play({ parts: [{ text: TEXT }], sending: { cut: { after: 5, how: { status: 529, error } } } })
  const text = await (await open()).text()
  const [, failed = ''] = /event: error\ndata: [^\n]+\n\nevent: response\.failed\ndata: ([^\n]+)\n\n$/.exec(text) ?? []
  expect(JSON.parse(failed)).toMatchObject({
    response: { status: 'failed', error: { code: 'server_is_overloaded', message: 'Overloaded.' } },
  })
})

it('[resp.headers] takes the headers of codex, and sends none of them on', async () => {
  const codex = {
    originator: 'codex_exec',
    'session-id': 'session-1',
    'thread-id': 'thread-1',
    'x-client-request-id': 'thread-1',
    'x-codex-window-id': 'thread-1:0',
    'x-codex-turn-metadata': '{"turn":"1"}',
    'x-codex-beta-features': 'remote_compaction_v2',
    'x-openai-internal-codex-responses-lite': 'true',
    version: '0.166.0',
  }
  double.play({ parts: [{ text: TEXT }] })
  const answer = await open(BODY.model, (input, init) => {
    const headers = { ...(init?.headers as object), accept: 'text/event-stream', ...codex } // a plain object, above
    return fetch(input, { ...init, headers })
  })
  await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  const received = Object.keys(double.received.at(-1)?.headers ?? {})
  expect(received.filter((name) => Object.hasOwn(codex, name))).toEqual([])
})
