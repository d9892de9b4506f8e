import { describe, expect, it } from 'vitest'
import { NotFoundError } from '@anthropic-ai/sdk'
import { createAnthropic } from '../clients/anthropic.ts'
import { recordHeaders } from '../clients/client.ts'
import { createOpenAI } from '../clients/openai.ts'
import { UPSTREAMS, useOwnStage } from './stage.ts'

const { server, double } = useOwnStage({ DRAGOMAN_OPENAI_MODELS: 'o9-*' })
const [chat, messages] = UPSTREAMS as [(typeof UPSTREAMS)[0], (typeof UPSTREAMS)[0]] // the first two

/** Asks for a model with a chat client; gives the name in the answer, the routed id, and the name that the upstream got. */
async function ask(model: string, upstream = chat) {
  const recorder = recordHeaders()
  const client = createOpenAI(server(), recorder.fetch)
  const answer = await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'Hi' }] })
  return [answer.model, recorder.headers().get('x-dragoman-model'), double(upstream).received.at(-1)?.body['model']]
}

describe('a model', () => {
  it.each([
    ['claude-sonnet-4-6', 'anthropic/claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['anthropic/claude-sonnet-4-6', 'anthropic/claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['claude-sonnet-4.6', 'anthropic/claude-sonnet-4.6', 'claude-sonnet-4-6'],
    ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-5-5', 'anthropic/claude-sonnet-5.5', 'claude-sonnet-5-5'],
  ])('[base.model] of Anthropic is found as %s', async (asked, id, sent) => {
    expect(await ask(asked, messages)).toEqual([asked, id, sent])
    const { model } = await createAnthropic(server()).messages.create({
      model: asked,
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect([model, double(messages).received.at(-1)?.body['model']]).toEqual([asked, sent])
  })

  it.each([
    ['gpt-5', 'openai/gpt-5', 'gpt-5'],
    ['openai/gpt-5', 'openai/gpt-5', 'gpt-5'],
    ['gpt-5-2025-08-07', 'openai/gpt-5', 'gpt-5-2025-08-07'],
    ['openai/gpt-5.4-2026-03-05', 'openai/gpt-5.4', 'gpt-5.4-2026-03-05'],
    ['openai/o9-mini', 'openai/o9-mini', 'o9-mini'],
    ['o9-mini', 'openai/o9-mini', 'o9-mini'],
  ])('[base.model] of OpenAI is found as %s, or passed on if the configuration says so', async (asked, id, sent) => {
    expect(await ask(asked)).toEqual([asked, id, sent])
  })

  it('[base.model] of Anthropic that is newer than this gateway is passed on, with instructions in the middle', async () => {
    const recorder = recordHeaders()
    const turns = [
      { role: 'user' as const, content: 'Hi' },
      { role: 'system' as const, content: 'Be brief.' },
    ]
    const body = { model: 'claude-sonnet-5-9', max_tokens: 10, messages: turns }
    const answer = await createAnthropic(server(), recorder.fetch).messages.create(body)
    expect([answer.model, recorder.headers().get('x-dragoman-path')]).toEqual(['claude-sonnet-5-9', 'relay'])
    expect(double(messages).received.at(-1)?.body).toEqual(body)
  })

  it('[base.unknown-model] that does not exist is a native 404 that suggests similar ones', async () => {
    const wrong = createAnthropic(server()).messages.create({
      model: 'gemini-3.5-flsh',
      max_tokens: 1,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    await expect(wrong).rejects.toThrow(NotFoundError)
    await expect(wrong).rejects.toThrow('did you mean google/gemini-3.5-flash')
  })
})
