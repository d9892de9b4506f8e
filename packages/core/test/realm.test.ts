import { createContext, runInContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'

// The globals of every runtime with web standards, and nothing else: no process, no Buffer, no require.
const WEB = { TextEncoder, TextDecoder, TransformStream, URL, crypto, atob, btoa, structuredClone }

// Objects of one realm are not plain objects of the other, so input and output are text.
const ENTRY = `
import { describeLoss, transformStream, translate } from '@dragoman/core'
import { chat, genai, messages } from '@dragoman/core/protocols'
const OF = { chat, messages, genai }
const options = { id: () => 'new', now: 1_700_000_000 }
const translated = (from, to, body) => translate(OF[from], OF[to], OF[from].request.check(JSON.parse(body)), options)
export const globals = () => ['process', 'Buffer', 'require', 'global', 'setTimeout'].filter((name) => name in globalThis)
export const request = (from, to, body) => {
  const { body: wire, losses } = translated(from, to, body)
  return JSON.stringify({ body: wire, losses: losses.map(describeLoss) })
}
export const stream = (from, to, body, text) => {
  let written = ''
  const answer = translated(from, to, body).answerStream((piece) => { written += piece })
  for (const byte of new TextEncoder().encode(text)) answer.push(Uint8Array.of(byte))
  answer.end()
  return written
}
export const webStream = async (from, to, body, text) => {
  const machine = transformStream((write) => translated(from, to, body).answerStream(write))
  const writer = machine.writable.getWriter()
  const sent = writer.write(new TextEncoder().encode(text)).then(() => writer.close())
  const decoder = new TextDecoder()
  let written = ''
  for (const reader = machine.readable.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    written += decoder.decode(value, { stream: true })
  }
  await sent
  return written
}
`

interface Bundled {
  globals(): readonly string[]
  request(from: string, to: string, body: string): string
  stream(from: string, to: string, body: string, text: string): string
  webStream(from: string, to: string, body: string, text: string): Promise<string>
}

const ASKED = JSON.stringify({
  model: 'claude-sonnet-4-6',
  stream: true,
  seed: 7,
  messages: [{ role: 'user', content: 'Why is the sky blue? ☀️' }],
})
const STREAM = [
  { type: 'message_start', message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It scatters ☀️' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')

describe('the bundle in a realm with only web standards', () => {
  let bundled: Bundled
  beforeAll(async () => {
    const { code } = await bundle(ENTRY, 'iife')
    bundled = runInContext(`${code};bundled`, createContext({ ...WEB })) as Bundled // the exports of ENTRY
  })

  it('has no Node globals', () => {
    expect([...bundled.globals()]).toEqual([])
  })

  it('translates a request to every protocol', () => {
    const result = JSON.parse(bundled.request('chat', 'messages', ASKED))
    expect(result.body.messages).toEqual([{ role: 'user', content: 'Why is the sky blue? ☀️' }])
    expect(result.losses).toContain('dropped seed: messages has no seed')
    const genai = JSON.parse(bundled.request('chat', 'genai', ASKED))
    expect(genai.body.contents).toEqual([{ role: 'user', parts: [{ text: 'Why is the sky blue? ☀️' }] }])
    expect(genai.body.generationConfig.seed).toBe(7)
  })

  it('translates a stream, pushed byte by byte and as a web stream', async () => {
    const written = bundled.stream('chat', 'messages', ASKED, STREAM)
    expect(written).toContain('"delta":{"content":"It scatters ☀️"}')
    expect(written.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(await bundled.webStream('chat', 'messages', ASKED, STREAM)).toBe(written)
  })
})
