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
      routes: [
        {
          provider: 'openai',
          model: MODEL,
          protocol: 'chat',
          mode: protocol === 'chat' ? 'relay' : 'translate',
          request: {
            method: 'POST',
            url: `${upstream.url}/chat/completions`,
            headers: { authorization: '[masked]' },
            body: expect.stringContaining('"gpt-5.4"'),
          },
          price: { dollars: expect.stringMatching(/^0\.\d+$/) },
        },
      ],
      skipped: [],
    })
    expect(JSON.stringify(answers)).not.toContain(CANARY)
    expect(upstream.requests).toHaveLength(0)
    const line = await server.logged(({ path, status }) => String(path).startsWith('/explain') && status === 200)
    expect(line).toMatchObject({ caller: 'local' })
  })

  it('get their own errors', async () => {
    const { chat } = createOpenAI({ url: `${server.url}/explain`, key: server.key })
    const asking = chat.completions.create({ model: 'none', messages: [{ role: 'user', content: 'Hi' }] })
    await expect(asking).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })
})
