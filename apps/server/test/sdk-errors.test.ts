import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import Anthropic0 from 'anthropic-sdk-0'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAnthropic, createAnthropic0 } from './anthropic-client.ts'
import type { Address } from './client.ts'
import { createGenAI } from './genai-client.ts'
import { createOpenAI } from './openai-client.ts'
import { startServer, type ServerProcess } from './process.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

const MODELS = ['sim/chat-1', 'sim/messages-1', 'sim/genai-1']

/** What these tests need of an SDK: a whole answer, and a stream through its helper. */
interface Subject {
  readonly name: string
  readonly classes: Record<
    'AuthenticationError' | 'NotFoundError' | 'BadRequestError' | 'RateLimitError' | 'APIError',
    unknown
  >
  readonly ask: (address: Address, model: string, text: string) => Promise<string>
  readonly stream: (address: Address, model: string, text: string, onText?: (text: string) => void) => Abortable
}

interface Abortable {
  readonly done: Promise<unknown>
  readonly abort: () => void
}

const SUBJECTS: Subject[] = [
  {
    name: 'openai',
    classes: OpenAI,
    async ask(address, model, content) {
      const answer = await createOpenAI(address).chat.completions.create({
        model,
        messages: [{ role: 'user', content }],
      })
      return answer.choices[0]?.message.content ?? ''
    },
    stream(address, model, content, onText = () => {}) {
      const stream = createOpenAI(address).chat.completions.stream({ model, messages: [{ role: 'user', content }] })
      stream.on('content', onText)
      return { done: stream.finalChatCompletion(), abort: () => stream.abort() }
    },
  },
  {
    name: '@anthropic-ai/sdk 1',
    classes: Anthropic,
    async ask(address, model, content) {
      const answer = await createAnthropic(address).messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content }],
      })
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    stream(address, model, content, onText = () => {}) {
      const stream = createAnthropic(address).messages.stream({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content }],
      })
      stream.on('text', onText)
      return { done: stream.finalMessage(), abort: () => stream.abort() }
    },
  },
  {
    name: '@anthropic-ai/sdk 0',
    classes: Anthropic0,
    async ask(address, model, content) {
      const answer = await createAnthropic0(address).messages.create({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content }],
      })
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    stream(address, model, content, onText = () => {}) {
      const stream = createAnthropic0(address).messages.stream({
        model,
        max_tokens: 100,
        messages: [{ role: 'user', content }],
      })
      stream.on('text', onText)
      return { done: stream.finalMessage(), abort: () => stream.abort() }
    },
  },
  {
    name: '@google/genai',
    // It has one class for all of them; the status tells them apart.
    classes: {
      AuthenticationError: ApiError,
      NotFoundError: ApiError,
      BadRequestError: ApiError,
      RateLimitError: ApiError,
      APIError: ApiError,
    },
    async ask(address, model, contents) {
      const answer = await createGenAI(address).models.generateContent({ model, contents })
      return answer.text ?? ''
    },
    stream(address, model, contents, onText = () => {}) {
      const controller = new AbortController()
      const run = async (): Promise<void> => {
        const config = { abortSignal: controller.signal }
        const chunks = await createGenAI(address).models.generateContentStream({ model, contents, config })
        for await (const chunk of chunks) onText(chunk.text ?? '')
      }
      return { done: run(), abort: () => controller.abort() }
    },
  },
]

describe.each(SUBJECTS)('$name', ({ classes, ask, stream }) => {
  it.each(MODELS)(
    '[auth.chat.bearer] [auth.messages.key] [auth.genai.goog] is let in with its key, to %s',
    async (model) => {
      expect(await ask(server, model, 'Hello there')).toContain('You asked: "Hello there"')
    },
  )

  it('[auth.missing] raises AuthenticationError for a wrong key and echoes nothing of it', async () => {
    const failure = ask({ url: server.url, key: 'sk-wrong-canary' }, 'sim/chat-1', 'hi')
    await expect(failure).rejects.toBeInstanceOf(classes.AuthenticationError)
    await expect(failure).rejects.toMatchObject({ status: 401 })
    await expect(failure).rejects.not.toThrow(/canary/)
  })

  it('[base.unknown-model] raises NotFoundError that names the model', async () => {
    const failure = ask(server, 'sim/nobody', 'hi')
    await expect(failure).rejects.toBeInstanceOf(classes.NotFoundError)
    await expect(failure).rejects.toMatchObject({ status: 404 })
    await expect(failure).rejects.toThrow(/sim\/nobody/)
  })

  it.each(MODELS)('[err.native] raises the class of the error that %s gives', async (model) => {
    const limited = [() => ask(server, model, '[[error 429]]'), () => stream(server, model, '[[error 429]]').done]
    for (const start of limited) {
      const failure = start()
      await expect(failure).rejects.toBeInstanceOf(classes.RateLimitError)
      await expect(failure).rejects.toMatchObject({ status: 429 })
    }
    const refused = ask(server, model, '[[error 400]]')
    await expect(refused).rejects.toBeInstanceOf(classes.BadRequestError)
    await expect(refused).rejects.toMatchObject({ status: 400 })
    await expect(ask(server, model, '[[error 401]]')).rejects.toMatchObject({ status: 502 })
  })

  it.each(MODELS)('[err.midstream] raises when the stream of %s is cut', async (model) => {
    let text = ''
    const { done } = stream(server, model, '[[cut]] Tell me a long story please', (piece) => (text += piece))
    await expect(done).rejects.toBeInstanceOf(classes.APIError)
    expect(text).toContain('Hello from')
    await expect(ask(server, model, '[[cut]]')).rejects.toMatchObject({ status: 502 })
  })

  it.each(MODELS)('can stop a stream of %s', async (model) => {
    const before = server.lines.length
    const started = Promise.withResolvers<void>()
    const { done, abort } = stream(server, model, '[[slow]] Hello', () => started.resolve())
    const failure = done.catch(String)
    await started.promise
    abort()
    expect(await failure).toMatch(/abort/i)
    const isNew = (id: unknown): boolean => server.lines.slice(before).some((line) => line.includes(String(id)))
    await server.logged(({ outcome, requestId }) => outcome === 'aborted' && isNew(requestId))
  })
})
