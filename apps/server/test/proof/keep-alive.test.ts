import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { protocols } from '@dragoman/core/protocols'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGenAI, gather } from '../clients/genai.ts'
import { startServer, type ServerProcess } from '../process.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-keep-alive-'))
let server: ServerProcess
beforeAll(async () => {
  const file = join(folder, 'dragoman.config.json')
  // Much shorter than the tenth of a second between two tokens of a slow response.
  writeFileSync(file, JSON.stringify({ defaults: { keepAlive: 0.01 } }))
  server = await startServer({ DRAGOMAN_CONFIG: file })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const MODELS = protocols.map(({ name }) => `sim/${name}-1`)
const CONTENTS = '[[slow]] Hi'

describe('a genai stream that waits for its upstream', { concurrent: true }, () => {
  it.each(MODELS)('[genai.stream] has empty frames between those of %s, and nothing else (trap 66)', async (model) => {
    const answer = await fetch(`${server.url}/api/vertex-ai/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
      method: 'POST',
      headers: { 'x-goog-api-key': server.key, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: CONTENTS }] }] }),
    })
    const frames = (await answer.text()).split('\n\n')
    expect(frames.filter((frame) => frame === '').length).toBeGreaterThan(2)
    for (const frame of frames) expect(frame).toMatch(/^$|^data: \{.*\}$/)
  })

  it.each(MODELS)('[genai.stream] is read completely by the official SDK, from %s', async (model) => {
    const chunks = await gather(await createGenAI(server).models.generateContentStream({ model, contents: CONTENTS }))
    const text = chunks.map((chunk) => chunk.text ?? '').join('')
    expect(text).toContain('You asked: "')
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  })
})
