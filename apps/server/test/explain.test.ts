import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Explanation } from '@dragoman/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChatUpstream, type ChatUpstream } from './chat-upstream.ts'
import { createAnthropic } from './clients/anthropic.ts'
import { createGenAI } from './clients/genai.ts'
import { createOpenAI } from './clients/openai.ts'
import { startServer, type ServerProcess } from './process.ts'

const CANARY = 'sk-canary-upstream'
const MODEL = 'openai/gpt-5.4'

let upstream: ChatUpstream
let server: ServerProcess
beforeAll(async () => {
  upstream = await startChatUpstream()
  server = await startServer({ OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: CANARY })
})
afterAll(async () => {
  await server.stop()
  upstream.close()
})

/** Keeps the answers, because the SDKs expect others. */
function recorder(): { readonly answers: unknown[]; readonly send: typeof fetch } {
  const answers: unknown[] = []
  return {
    answers,
    async send(...given) {
      const answer = await fetch(...given)
      answers.push(await answer.clone().json())
      return answer
    },
  }
}

const CHAT_FIRST = [
  ['chat', '/chat/completions'],
  ['responses', '/responses'],
] as const

type Send = ReturnType<typeof recorder>['send']

describe('the SDKs with /explain in their base URL', () => {
  it.each<[string, (url: string, send: Send) => Promise<unknown>]>([
    [
      'chat',
      (url, send) =>
        createOpenAI({ url, key: server.key }, send).chat.completions.create({
          model: MODEL,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
    ],
    [
      'messages',
      (url, send) =>
        createAnthropic({ url, key: server.key }, send).messages.create({
          model: MODEL,
          max_tokens: 20,
          messages: [{ role: 'user', content: 'Hi' }],
        }),
    ],
    [
      'genai',
      (url, send) =>
        createGenAI({ url, key: server.key }, send).models.generateContent({ model: MODEL, contents: 'Hi' }),
    ],
  ])('explain what the call would do: %s', async (protocol, call) => {
    const { answers, send } = recorder()
    // What an SDK makes of the explanation does not matter.
    await call(`${server.url}/explain`, send).catch(() => undefined)
    const [explanation] = answers as Explanation[] // of the endpoint
    expect(explanation).toMatchObject({
      protocol,
      // Its own protocol first, otherwise the better one of the model.
      routes: (protocol === 'chat' ? CHAT_FIRST : CHAT_FIRST.toReversed()).map(([spoken, path]) => ({
        provider: 'openai',
        model: MODEL,
        protocol: spoken,
        mode: protocol === spoken ? 'relay' : 'translate',
        request: {
          method: 'POST',
          url: `${upstream.url}${path}`,
          headers: { authorization: '[masked]' },
          body: expect.stringContaining('"gpt-5.4"') as string,
        },
        price: { dollars: expect.stringMatching(/^0\.\d+$/) as string },
      })),
      skipped: [],
    })
    expect(JSON.stringify(answers)).not.toContain(CANARY)
    expect(upstream.requests).toHaveLength(0)
    const line = await server.logged(({ path, status }) => String(path).startsWith('/explain') && status === 200)
    expect(line).toMatchObject({ caller: 'local' })
  })

  it('get their own errors', async () => {
    const { chat } = createOpenAI({ url: `${server.url}/explain`, key: server.key })
    const created = chat.completions.create({ model: 'none', messages: [{ role: 'user', content: 'Hi' }] })
    await expect(created).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })
})

describe('configured keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-explain-'))
  let configured: ServerProcess
  beforeAll(async () => {
    const file = join(folder, 'dragoman.config.json')
    const config = {
      keys: [
        { name: 'few', secret: '${FEW}', models: ['house/*'] },
        { name: 'boss', secret: '${BOSS}', models: ['house/*'], explainAll: true },
      ],
      providers: {
        large: { baseURL: 'http://127.0.0.1:9/v1', key: '${UPSTREAM}', models: ['m'] },
        house: {
          baseURL: 'http://127.0.0.1:9/v1',
          key: '${UPSTREAM}',
          models: ['m'],
          headers: { 'x-gate': '${UPSTREAM}' },
        },
      },
      aliases: { pool: { routes: ['large/m', 'house/m'] } },
    }
    writeFileSync(file, JSON.stringify(config))
    configured = await startServer({
      DRAGOMAN_CONFIG: file,
      UPSTREAM: CANARY,
      FEW: 'sk-few-models-0123456789',
      BOSS: 'sk-all-models-0123456789',
    })
  })
  afterAll(async () => {
    await configured.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it.each([
    ['sk-few-models-0123456789', ['house/m'], /large/],
    ['sk-all-models-0123456789', ['large/m', 'house/m'], /nothing of the kind/],
  ])('see their models, and one that may explain all sees all: %s', async (key, models, unnamed) => {
    const answer = await fetch(`${configured.url}/explain/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pool', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    const text = await answer.text()
    expect((JSON.parse(text) as Explanation).routes.map(({ model }) => model)).toEqual(models)
    const admin = await fetch(`${configured.url}/admin/v1/keys`, { headers: { authorization: `Bearer ${key}` } })
    expect(admin.status).toBe(403)
    expect(text).not.toMatch(unnamed)
    expect(text + configured.lines.join()).not.toContain(CANARY)
  })
})
