import { fileURLToPath } from 'node:url'
import { codeBlocks, writeBlock } from '@dragoman/testkit'
import { expect, it } from 'vitest'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

it('[models.chat] the example of the README lists the models', async () => {
  const [example] = codeBlocks(at('../README.md'))
  const own = { name: '@dragoman/provider-openai', source: at('../src/index.ts') }
  const file = writeBlock(at('../.vitest/readme/example.ts'), example?.code ?? '', own)
  const { handler } = (await import(/* @vite-ignore */ file)) as { handler: (request: Request) => Promise<Response> }
  const answer = await handler(new Request('http://gateway/api/v1/models'))
  expect(await answer.text()).toContain('"id":"openai/gpt-5.5"')
  expect(example?.code.trim().split('\n').length).toBe(5)
})
