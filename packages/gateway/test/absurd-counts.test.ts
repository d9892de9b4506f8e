import { protocols } from '@dragoman/core/protocols'
import { usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { entryText } from '../src/metering/entry-text.ts'
import { billImageCount } from '@dragoman/core/media'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { KEY, setUp, SSE } from './set-up.ts'

const ASKS = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }] }
const choices = (rest: string): string => `"choices":[{"index":0,${rest},"finish_reason":"stop"}]`
const head = '"id":"c","object":"chat.completion","created":1,"model":"m"'

/** Answers with a prompt of this many tokens, and less than no output. */
const UPSTREAMS = {
  chat: {
    whole: (count: string) =>
      `{${head},${choices('"message":{"role":"assistant","content":"Hi"}')},"usage":{"prompt_tokens":${count},"completion_tokens":-1}}`,
    stream: (count: string) =>
      `data: {${head},${choices('"delta":{"role":"assistant","content":"Hi"}')}}\n\n` +
      `data: {${head},"choices":[],"usage":{"prompt_tokens":${count},"completion_tokens":-1}}\n\ndata: [DONE]\n\n`,
  },
  genai: {
    whole: (count: string) =>
      `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":${count},"candidatesTokenCount":-1}}`,
    stream: (count: string) => `data: ${UPSTREAMS.genai.whole(count)}\n\n`,
  },
}

describe('an answer with a count out of range', () => {
  const cases = (['chat', 'genai'] as const).flatMap((name) =>
    (['whole', 'stream'] as const).flatMap((form) =>
      ['1e308', '1e300', '1e999', '1000000001'].map((count) => [name, form, count] as const),
    ),
  )
  it.each(cases)('of %s, %s: %s tokens are recorded and logged as the nearest count', async (name, form, count) => {
    const facts = { prices: usd({ prompt: 3, completion: 15 }) }
    const { send, transport, ledger, log } = setUp({
      protocols,
      providers: [fakeProvider('acme', [name], [card('m', facts)])],
    })
    const body = JSON.stringify({ ...ASKS, ...(form === 'stream' ? { stream: true } : {}) })
    const reply = await send(body, '/api/v1/chat/completions', KEY)
    transport.last.head(200, form === 'stream' ? SSE : undefined)
    transport.last.chunk(UPSTREAMS[name][form](count))
    transport.last.end()
    expect(reply.status).toBe(200)
    // A billion tokens at three dollars a million.
    expect(ledger.records).toMatchObject([
      { outcome: 'complete', usage: { input: 1e9, output: 0, clamped: true }, cost: { total: 3000 * 1e9 } },
    ])
    // The cost of a stream is known after its headers.
    expect(reply.headers['x-dragoman-cost']).toBe(form === 'whole' ? '3000.000000000' : undefined)
    const [entry] = log.entries
    expect(entry === undefined ? '' : entryText(entry)).toContain('"clamped":true')
  })

  it('has the pixels of an image within bounds', () => {
    const asked = { model: 'm', prompt: '', settings: {}, delivery: {} }
    const size = `${'9'.repeat(400)}x1`
    expect(billImageCount({ images: 1, size }, asked)).toEqual({ images: 1, size, pixels: [1e9], clamped: true })
    expect(billImageCount({ images: 1, size: '1024x1024' }, asked)).toEqual({
      images: 1,
      size: '1024x1024',
      pixels: [1_048_576],
    })
  })
})
