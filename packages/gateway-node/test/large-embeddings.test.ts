import { defineProvider } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { expect, it } from 'vitest'
import { createNodeHandler, createThreadOffload, createUndiciTransport } from '../src/index.ts'
import { listen } from './upstream.ts'

const INPUTS = 256
const VALUES = Array.from({ length: 1024 }, (_, index) => index / 1024)
const ANSWER = JSON.stringify({ embeddings: Array.from({ length: INPUTS }, () => ({ values: VALUES })) })

it('a large answer with embeddings is translated by another thread', async () => {
  const threads = createThreadOffload({ from: 1024 * 1024, threads: 1 })
  const tasks: string[] = []
  const transport = createUndiciTransport()
  await using upstream = await listen((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json').end(ANSWER)
  })
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'acme',
        models: [{ name: 'v', input: ['text'], output: [], embedding: { dimensions: VALUES.length } }],
        endpoints: { genai: `${upstream.url}/v1beta` },
      }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: 'secret' }]),
    transport,
    offload: {
      ...threads,
      answer(task, ...answers) {
        tasks.push(`${task.mode} ${task.operation}`)
        return threads.answer(task, ...answers)
      },
    },
  })
  await using listening = await listen(createNodeHandler(gateway))
  const response = await fetch(`${listening.url}/api/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'acme/v',
      input: Array.from({ length: INPUTS }, () => 'a'),
      encoding_format: 'base64',
    }),
  })
  const { data } = (await response.json()) as { readonly data: readonly { readonly embedding: string }[] } // as OpenAI documents it
  expect(tasks).toEqual(['translate embedding'])
  expect(data).toHaveLength(INPUTS)
  const bytes = Buffer.from(data.at(-1)?.embedding ?? '', 'base64')
  expect(Array.from(VALUES, (_, index) => bytes.readFloatLE(index * 4))).toEqual(VALUES)
  await transport.close()
  await threads.close()
})
