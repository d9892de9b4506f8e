import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createAnthropic } from '../clients/anthropic.ts'
import { recordHeaders } from '../clients/client.ts'
import { createOpenAI } from '../clients/openai.ts'
import { CHAT_ONLY, UPSTREAMS, useOwnStage, type Upstream } from './stage.ts'

/** The configuration of this file has no other providers. */
const KNOWN = UPSTREAMS.filter(({ model }) => !model.startsWith('house/'))

const folder = mkdtempSync(join(tmpdir(), 'dragoman-names-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const aliases = Object.fromEntries(KNOWN.map(({ protocol, model }) => [`my-${protocol}`, model]))
const config = join(folder, 'dragoman.config.json')
writeFileSync(config, `${JSON.stringify({ providers: { openai: CHAT_ONLY }, aliases })}\n`)

const { server, double } = useOwnStage({ DRAGOMAN_CONFIG: config })

/** The same words as the name of a model in the text of an answer. */
const TEXT = '"model":"gpt-5.4" and {"model":"claude-sonnet-4-5"}'
/** Large enough for another thread. */
const LONG = TEXT.repeat(8000)

const CASES = KNOWN.flatMap((upstream) =>
  [upstream.model, `my-${upstream.protocol}`].map((asked) => ({ asked, upstream })),
)

function play(upstream: Upstream, text: string): void {
  double(upstream).play({ parts: [{ text }], sending: { pieces: 7, pings: true } })
}

describe.each(CASES)('$asked, which $upstream.protocol answers', ({ asked, upstream }) => {
  it.each([TEXT, LONG])('is the model of a chat answer, and the routed id is in a header (trap 46)', async (text) => {
    const recorder = recordHeaders()
    const client = createOpenAI(server(), recorder.fetch)
    play(upstream, text)
    const answer = await client.chat.completions.create({ model: asked, messages: [{ role: 'user', content: 'Hi' }] })
    expect([answer.model, answer.choices[0]?.message.content]).toEqual([asked, text])
    expect(recorder.headers().get('x-dragoman-model')).toBe(upstream.model)
  })

  it('is the model of every chunk of a chat stream (trap 46)', async () => {
    play(upstream, TEXT)
    const stream = await createOpenAI(server()).chat.completions.create({
      model: asked,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const models = new Set<string>()
    let text = ''
    for await (const { model, choices } of stream) {
      models.add(model)
      text += choices[0]?.delta.content ?? ''
    }
    expect([[...models], text]).toEqual([[asked], TEXT])
  })

  it.each([TEXT, LONG])('is the model of a messages answer (trap 46)', async (text) => {
    play(upstream, text)
    const { model, content } = await createAnthropic(server()).messages.create(bodyOf(asked))
    expect([model, content]).toMatchObject([asked, [{ type: 'text', text }]])
  })

  it('is the model of a messages stream (trap 46)', async () => {
    play(upstream, TEXT)
    const { model, content } = await createAnthropic(server()).messages.stream(bodyOf(asked)).finalMessage()
    expect([model, content]).toMatchObject([asked, [{ type: 'text', text: TEXT }]])
  })
})

function bodyOf(model: string) {
  return { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] }
}
