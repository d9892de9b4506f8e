import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMessagesDouble, type Double } from '@dragoman/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOpenAI } from '../clients/openai.ts'
import { startServer, type ServerProcess } from '../process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-responses-'))
const TEXT = 'A long story about lions.'
const BODY = { model: 'anthropic/claude-sonnet-4.5', input: 'Tell me a story.', store: false }
let server: ServerProcess
let double: Double
beforeAll(async () => {
  double = await createMessagesDouble([{ parts: [{ text: TEXT }] }])
  const file = join(folder, 'dragoman.config.json')
  writeFileSync(file, JSON.stringify({ defaults: { keepAlive: 0.01 } }))
  const upstream = { ANTHROPIC_BASE_URL: double.url, ANTHROPIC_API_KEY: 'sk-upstream-messages' }
  server = await startServer({ DRAGOMAN_CONFIG: file, DRAGOMAN_LOG: 'silent', ...upstream })
})
afterAll(async () => {
  await double.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function open(): Promise<Response> {
  return fetch(`${server.url}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...BODY, stream: true }),
  })
}

it('[resp.stream] [resp.keepalive] begins with response.created, whatever kept it alive before', async () => {
  double.play({ parts: [{ text: TEXT }], sending: { stall: 0 } })
  const reader = (await open()).body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ''
  expect(text).toMatch(/^: keepalive\n\n/)
  double.release()
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
  expect(text.replaceAll(': keepalive\n\n', '')).toMatch(/^event: response\.created\n/)
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
