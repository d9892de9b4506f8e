import { fileURLToPath } from 'node:url'
import { codeBlocks, writeBlock } from '@dragoman/testkit'
import { expect, it } from 'vitest'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

it('[models.chat] the example of the README lists the models', async () => {
  const [example] = codeBlocks(at('../README.md'))
  const own = { name: '@dragoman/provider-openai-compatible', source: at('../src/index.ts') }
  const file = writeBlock(at('../.vitest/readme/example.ts'), example?.code ?? '', own)
  const { handler } = (await import(/* @vite-ignore */ file)) as { handler: (request: Request) => Promise<Response> }
  const answer = await handler(new Request('http://gateway/api/v1/models'))
  const body = await answer.text()
  expect(body).toContain('"id":"deepseek/deepseek-v4-pro"')
  expect(body).toContain('"id":"ollama/llama3.3"')
  expect(example?.code.trim().split('\n').length).toBe(5)
})
