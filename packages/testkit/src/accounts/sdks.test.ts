import Anthropic, { RateLimitError as AnthropicRateLimit } from '@anthropic-ai/sdk'
import OpenAI, { RateLimitError as OpenAIRateLimit } from 'openai'
import { describe, expect, it } from 'vitest'
import { CHAT, createWorld, type Instance } from './world.ts'

/** The errors of the SDKs for a refusal, without their own retries. */
async function refusals({ fetch: send }: Instance, apiKey: string) {
  const through = (input: unknown, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input))
    return send(url.pathname + url.search, init ?? {})
  }
  const options = { apiKey, fetch: through, maxRetries: 0 }
  const openai = new OpenAI({ ...options, baseURL: 'http://gateway.test/api/v1' })
  const anthropic = new Anthropic({ ...options, baseURL: 'http://gateway.test/api/anthropic' })
  const messages = [{ role: 'user' as const, content: 'Hello.' }]
  const chat: unknown = await openai.chat.completions.create(CHAT as never).catch((thrown: unknown) => thrown)
  const turn: unknown = await anthropic.messages
    .create({ model: 'acme/m', max_tokens: 100, messages })
    .catch((thrown: unknown) => thrown)
  return { chat, turn }
}

describe('a refusal', () => {
  it('of a limit is the error that the SDKs have for it', async () => {
    const world = createWorld()
    const { secret } = await world.create({ limits: { requests: 1 } })
    const instance = world.instance()
    await instance.chat(secret)
    const { chat, turn } = await refusals(instance, secret)
    expect(chat).toBeInstanceOf(OpenAIRateLimit)
    expect((chat as OpenAIRateLimit).headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(turn).toBeInstanceOf(AnthropicRateLimit)
    expect(turn).toMatchObject({ error: { error: { type: 'rate_limit_error' } } })
  })

  it('of a budget is an error that they do not retry', async () => {
    const world = createWorld()
    const { secret } = await world.create({ budgets: { day: 1 } })
    const { chat, turn } = await refusals(world.instance(), secret)
    expect(chat).toMatchObject({ status: 402, code: 'budget_exceeded' })
    expect(turn).toMatchObject({ status: 402, error: { error: { type: 'billing_error' } } })
  })
})
