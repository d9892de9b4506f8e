import { describe, expect, it } from 'vitest'
import { NotFoundError } from 'openai'
import { CLIENTS } from '../clients/all.ts'
import { createAnthropic } from '../clients/anthropic.ts'
import { createGenAI } from '../clients/genai.ts'
import { createOpenAI } from '../clients/openai.ts'
import { vercelChat, vercelMessages } from '../clients/vercel.ts'
import { chat, genai, messages } from '../endpoints.ts'
import { PAIRS, UPSTREAMS, useStage, type Upstream } from './stage.ts'

const { server, double, lastRequest } = useStage()
const [CHAT, MESSAGES] = UPSTREAMS as readonly [Upstream, Upstream, Upstream]
/** More than the gateway accepts. */
const LARGE = 'a'.repeat(33 * 1024 * 1024)

describe.each(CLIENTS.filter(({ name }) => !name.startsWith('@ai-sdk/')))('$name', (client) => {
  it('[err.native] raises its own class for a body that is too large, and no upstream is called', async () => {
    const conversation = client.converse(server(), { model: CHAT.model, delivery: 'whole' })
    const thrown = await conversation.send(LARGE).catch((error: unknown) => error)
    expect(client.raised(thrown)).toMatchObject({ isNative: true, status: 413 })
    for (const upstream of UPSTREAMS) expect(double(upstream).received).toEqual([])
  })
})

describe.each(CLIENTS)('$name', (client) => {
  it('[base.unknown-model] raises its own class for an unknown model', async () => {
    const conversation = client.converse(server(), { model: 'openai/nobody', delivery: 'streamed' })
    const thrown = await conversation.send('Hello').catch((error: unknown) => error)
    const raised = client.raised(thrown)
    expect(raised).toMatchObject({ isNative: true, status: 404 })
    expect(raised.message).toContain('openai/nobody')
  })
})

describe.each(PAIRS)('$title', ({ client, upstream }) => {
  it('forwards a long text unchanged', async () => {
    const text = 'Löwe '.repeat(200_000)
    double(upstream).play({ parts: [{ text }] })
    const turn = await client.converse(server(), { model: upstream.model, delivery: 'whole' }).send(text)
    expect(turn.text === text).toBe(true)
    expect(lastRequest(upstream).turns[0]?.text === text).toBe(true)
  })
})

/** Bodies that no SDK sends. */
const MALFORMED: readonly (readonly [title: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['nothing', ''],
  ['half a JSON text', '{"model": "openai/gpt-5.4", "messages": ['],
  ['a list', '[]'],
  ['a word', 'null'],
  ['bytes that are not text', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['nesting without end', '['.repeat(200_000)],
  ['an empty object', '{}'],
]

describe.each([chat, messages, genai])('$protocol', (endpoint) => {
  it.each(MALFORMED)(
    '[err.native] refuses %s with a native error, before any upstream is called',
    async (_title, body) => {
      const answer = await fetch(server().url + endpoint.path(CHAT.model, false), {
        method: 'POST',
        headers: endpoint.headers(server().key),
        body,
      })
      expect(answer.status).toBe(400)
      endpoint.complaint((await answer.json()) as Record<string, unknown>)
      for (const upstream of UPSTREAMS) expect(double(upstream).received).toEqual([])
    },
  )
})

describe('an unknown path', () => {
  it('[err.route] raises the class of openai', async () => {
    const client = createOpenAI(server())
    const calls = [
      () => client.moderations.create({ input: 'Hello' }),
      () => client.batches.list(),
      () => client.completions.create({ model: CHAT.model, prompt: 'Hello' }),
    ]
    for (const call of calls) await expect(call()).rejects.toBeInstanceOf(NotFoundError)
  })

  it('[err.route] raises the class of @anthropic-ai/sdk', async () => {
    const batch = createAnthropic(server()).messages.batches.list()
    await expect(batch).rejects.toMatchObject({ status: 404, type: 'not_found_error' })
  })

  it('[err.route] raises the class of @google/genai', async () => {
    const { models, caches } = createGenAI(server())
    await expect(models.computeTokens({ model: CHAT.model, contents: 'Hello' })).rejects.toMatchObject({ status: 404 })
    await expect(caches.list()).rejects.toMatchObject({ status: 404 })
  })
})

describe('requests of clients that do not know the model', () => {
  it('[msg.max_tokens:in] a limit above that of the model is lowered to it', async () => {
    double(MESSAGES).play({ parts: [{ text: 'Yes.' }] })
    const options = { model: MESSAGES.model, delivery: 'whole', maxTokens: 128_000 } as const
    const turn = await vercelMessages.converse(server(), options).send('Hello')
    expect(lastRequest(MESSAGES).maxTokens).toBe(64_000)
    expect(turn.headers.get('x-dragoman-losses')).toMatch(/changed max_tokens/)
  })

  it('[chat.unsupported] the old name of a limit reaches the upstream under its new one', async () => {
    double(CHAT).play({ parts: [{ text: 'Yes.' }] })
    const turn = await vercelChat
      .converse(server(), { model: CHAT.model, delivery: 'whole', maxTokens: 100 })
      .send('Hello')
    expect(lastRequest(CHAT).maxTokens).toBe(100)
    expect(turn.headers.get('x-dragoman-losses')).toBeNull()
  })
})
