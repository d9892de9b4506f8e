import type { JsonObject } from '@dragoman/core'
import { chat, genai } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import type { Offload } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { nearOffload } from './near-offload.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp } from './set-up.ts'

const LARGE = 1000
const EMBEDDING = Array.from({ length: 200 }, (_, index) => index / 8)
const LIST = {
  object: 'list',
  data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: EMBEDDING })),
  model: 'v-1',
  usage: { prompt_tokens: 10, total_tokens: 10 },
}
const BATCH = { embeddings: [{ values: EMBEDDING }, { values: EMBEDDING }], usageMetadata: { promptTokenCount: 7 } }
const REQUESTS = { requests: ['a', 'b'].map((text) => ({ content: { parts: [{ text }] } })) }
const PATH = '/api/vertex-ai/v1beta/models/acme/v:batchEmbedContents'

/** The reply to a request, if its upstream calls are answered so, and the tasks that another thread got. */
async function run(
  from: number,
  upstream: 'chat' | 'genai',
  path: string,
  body: JsonObject,
  answers: readonly unknown[],
) {
  const tasks: string[] = []
  const near = nearOffload(from)
  const offload: Offload = {
    ...near,
    answer(task, ...bytes) {
      tasks.push(`${task.mode} ${task.operation}`)
      return near.answer(task, ...bytes)
    },
  }
  const facts = { dimensions: 200, perCall: 2 }
  const providers = [fakeProvider('acme', [upstream], [card('v', { upstream: 'v-1', embedding: facts })])]
  const { send, transport, ledger } = setUp({ providers, protocols: [chat, genai], offload })
  const reply = await send(JSON.stringify(body), path, KEY)
  await expect.poll(() => transport.calls).toHaveLength(answers.length)
  for (const [index, answer] of answers.entries()) {
    const call = transport.calls[index]!
    call.head(200)
    call.chunk(JSON.stringify(answer))
    call.end()
  }
  await expect.poll(() => reply.state).not.toBe('open')
  return { tasks, reply: [reply.status, JSON.parse(reply.text) as JsonObject, ledger.records[0]?.usage] }
}

describe('a large answer with embeddings', () => {
  it.each([
    ['relayed', 'relay embedding', 'chat', '/api/v1/embeddings', { model: 'acme/v', input: ['a', 'b'] }, [LIST]],
    ['relayed within genai', 'relay embedding', 'genai', PATH, REQUESTS, [BATCH]],
    [
      'translated, with base64',
      'translate embedding',
      'genai',
      '/api/v1/embeddings',
      { model: 'acme/v', input: ['a', 'b'], encoding_format: 'base64' },
      [BATCH],
    ],
    ['translated to genai', 'translate embedding', 'chat', PATH, REQUESTS, [LIST]],
    [
      'joined from several calls',
      'translate embedding',
      'genai',
      '/api/v1/embeddings',
      { model: 'acme/v', input: ['a', 'b', 'c', 'd'] },
      [BATCH, BATCH],
    ],
    ['that cannot be read', 'translate embedding', 'chat', PATH, REQUESTS, [{ data: LIST.data.slice(1) }]],
    [
      'that is an error',
      'translate embedding',
      'genai',
      '/api/v1/embeddings',
      { model: 'acme/v', input: ['a', 'b'] },
      [{ error: { code: 400, message: 'x'.repeat(LARGE), status: 'INVALID_ARGUMENT' } }],
    ],
  ] as const)(
    'is %s by another thread, as it would be by this one',
    async (_how, task, upstream, path, body, answers) => {
      const there = await run(LARGE, upstream, path, body, answers)
      const here = await run(Number.POSITIVE_INFINITY, upstream, path, body, answers)
      expect(there.tasks).toEqual([task])
      expect(here.tasks).toEqual([])
      expect(there.reply).toEqual(here.reply)
    },
  )

  it('stays in this thread if it is small', async () => {
    const small = { embeddings: [{ values: [1] }, { values: [2] }] }
    const { tasks } = await run(LARGE, 'genai', '/api/v1/embeddings', { model: 'acme/v', input: ['a', 'b'] }, [small])
    expect(tasks).toEqual([])
  })
})
