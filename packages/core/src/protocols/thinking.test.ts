import { describe, expect, it } from 'vitest'
import { chat, messages } from '../../test/untyped.ts'
import type { JsonObject } from '../lib/json.ts'
import { translate, type TranslateOptions } from './translate.ts'

const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]

function ask(members: JsonObject, options: TranslateOptions = {}): { body: JsonObject; losses: string[] } {
  const translation = translate(
    chat,
    messages,
    { model: 'm', messages: [{ role: 'user', content: 'hello' }], ...members },
    options,
  )
  return {
    body: translation.body,
    losses: translation.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`),
  }
}

describe('effort as a budget for messages', () => {
  it.each([
    ['high', 2000, 1999],
    ['high', 10_240, 10_239],
    ['medium', 1025, 1024],
    ['xhigh', 64_000, 20_480],
    ['max', 4096, 4095],
  ])('%s below %i max tokens is %i, reported (trap 28)', (effort, max_completion_tokens, budget) => {
    const { body, losses } = ask({ reasoning_effort: effort, max_completion_tokens })
    expect(body).toMatchObject({
      max_tokens: max_completion_tokens,
      thinking: { type: 'enabled', budget_tokens: budget },
    })
    expect(losses).toEqual(['changed reasoning'])
  })

  it.each([1, 512, 1024])('is off if %i max tokens are not enough, reported (trap 28)', (max_completion_tokens) => {
    const { body, losses } = ask({ reasoning_effort: 'low', max_completion_tokens })
    expect(body['thinking'] ?? { type: 'disabled' }).toEqual({ type: 'disabled' })
    expect(losses).toEqual(['changed reasoning'])
  })

  it('stays within the range of the card (trap 28)', () => {
    const limits = { maxTokens: 64_000, reasoning: { min: 2000, max: 8000 } }
    expect(ask({ reasoning_effort: 'xhigh' }, { limits }).body['thinking']).toMatchObject({ budget_tokens: 8000 })
    expect(ask({ reasoning_effort: 'minimal' }, { limits }).body['thinking']).toMatchObject({ budget_tokens: 2000 })
  })

  it.each([
    [100, 1024],
    [3000.7, 3000],
    [1_000_000, 4095],
  ])('reads a budget of %d as %i (trap 28)', (max_tokens, budget) => {
    const { body } = ask({ reasoning: { max_tokens }, max_completion_tokens: 4096 })
    expect(body['thinking']).toEqual({ type: 'enabled', budget_tokens: budget })
  })
})

describe('thinking for messages', () => {
  it.each(['required', { type: 'function', function: { name: 'look' } }])(
    'is never combined with the forced tool choice %j, and the change is reported (trap 28)',
    (tool_choice) => {
      const { body, losses } = ask({ reasoning_effort: 'high', max_completion_tokens: 20_000, tools, tool_choice })
      const choice = body['tool_choice'] as { type: string } | undefined
      const thinking = body['thinking'] as { type: string } | undefined
      const forced = choice?.type === 'any' || choice?.type === 'tool'
      const thinks = thinking !== undefined && thinking.type !== 'disabled'
      expect(forced && thinks).toBe(false)
      expect(losses.some((loss) => /^(changed|dropped) (reasoning|toolChoice)/.test(loss))).toBe(true)
    },
  )

  it('is combined with a tool choice of auto and none (trap 28)', () => {
    for (const tool_choice of ['auto', 'none']) {
      const { body } = ask({ reasoning_effort: 'high', max_completion_tokens: 20_000, tools, tool_choice })
      expect(body).toMatchObject({ thinking: { type: 'enabled' }, tool_choice: { type: tool_choice } })
    }
  })

  it('allows only temperature 1 and no top_k, reported (trap 28)', () => {
    const cold = ask({ reasoning_effort: 'low', max_completion_tokens: 9000, temperature: 0.2 })
    expect(cold.body).not.toHaveProperty('temperature')
    expect(cold.losses).toContain('dropped settings.temperature')
    const one = ask({ reasoning_effort: 'low', max_completion_tokens: 9000, temperature: 1 })
    expect(one.body['temperature']).toBe(1)
    const same = translate(messages, messages, {
      model: 'm',
      max_tokens: 9000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      top_k: 5,
      messages: [{ role: 'user', content: 'hello' }],
    })
    expect(same.body).not.toHaveProperty('top_k')
    expect(same.losses.map(({ path }) => path.join('.'))).toEqual(['settings.topK'])
  })

  it('is lowered below a clamped max_tokens (trap 28)', () => {
    const body = {
      model: 'm',
      max_tokens: 129_024,
      thinking: { type: 'enabled', budget_tokens: 100_000 },
      messages: [{ role: 'user', content: 'hello' }],
    }
    const { body: sent } = translate(messages, messages, body, { limits: { maxTokens: 8192 } })
    expect(sent).toMatchObject({ max_tokens: 8192, thinking: { budget_tokens: 8191 } })
  })
})
