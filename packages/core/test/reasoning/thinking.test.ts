import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type TranslateOptions } from '../../src/protocols/translate.ts'

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
    ['high', 2000, 1500],
    ['high', 10_240, 7680],
    ['medium', 1366, 1024],
    ['xhigh', 64_000, 20_480],
    ['max', 4096, 3072],
  ])(
    '%s below %i max tokens is %i and leaves a quarter for the answer, reported (trap 28, trap 57)',
    (effort, max_completion_tokens, budget) => {
      const { body, losses } = ask({ reasoning_effort: effort, max_completion_tokens })
      expect(body).toMatchObject({
        max_tokens: max_completion_tokens,
        thinking: { type: 'enabled', budget_tokens: budget },
      })
      expect(losses).toEqual(['changed reasoning'])
    },
  )

  it.each([1, 512, 1024, 1365])(
    'is off if %i max tokens are not enough, reported (trap 28)',
    (max_completion_tokens) => {
      const { body, losses } = ask({ reasoning_effort: 'low', max_completion_tokens })
      expect(body['thinking'] ?? { type: 'disabled' }).toEqual({ type: 'disabled' })
      expect(losses).toEqual(['changed reasoning'])
    },
  )

  it('stays within the range of the card (trap 28)', () => {
    const limits = { maxTokens: 64_000, reasoning: { min: 2000, max: 8000 } }
    expect(ask({ reasoning_effort: 'xhigh' }, { limits }).body['thinking']).toMatchObject({ budget_tokens: 8000 })
    expect(ask({ reasoning_effort: 'minimal' }, { limits }).body['thinking']).toMatchObject({ budget_tokens: 2000 })
  })

  it.each([
    [100, 1024],
    [3000.7, 3000],
    [4000, 3072],
    [1_000_000, 3072],
  ])('reads a budget of %d as %i (trap 28, trap 57)', (max_tokens, budget) => {
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

  it('is lowered below a clamped max_tokens (trap 28, trap 57)', () => {
    const body = {
      model: 'm',
      max_tokens: 129_024,
      thinking: { type: 'enabled', budget_tokens: 100_000 },
      messages: [{ role: 'user', content: 'hello' }],
    }
    const { body: sent } = translate(messages, messages, body, { limits: { maxTokens: 8192 } })
    expect(sent).toMatchObject({ max_tokens: 8192, thinking: { budget_tokens: 6144 } })
  })

  it('stays as the caller set it beside its own limit', () => {
    const body = {
      model: 'm',
      max_tokens: 32_000,
      thinking: { type: 'enabled', budget_tokens: 31_999 },
      messages: [{ role: 'user', content: 'hello' }],
    }
    expect(translate(messages, messages, body)).toMatchObject({ body: { thinking: body.thinking }, losses: [] })
  })
})

describe('without a limit of the caller', () => {
  it.each([
    [{ reasoning_effort: 'high' }, 8192 + 10_240, 10_240],
    [{ reasoning_effort: 'max' }, 8192 + 32_768, 32_768],
    [{ reasoning: { max_tokens: 6000 } }, 8192 + 6000, 6000],
  ])('%j is thought beside a whole answer (trap 57)', (members, max_tokens, budget_tokens) => {
    const { body, losses } = ask(members)
    expect(body).toMatchObject({ max_tokens, thinking: { budget_tokens } })
    expect(losses).toContain('added settings.maxTokens')
  })

  it('the limit of the card is used, and a quarter of it is for the answer (trap 57)', () => {
    const { body } = ask({ reasoning_effort: 'xhigh' }, { limits: { maxTokens: 8000 } })
    expect(body).toMatchObject({ max_tokens: 8000, thinking: { budget_tokens: 6000 } })
  })

  it.each([{}, { reasoning_effort: 'none' }])('%j adds room for an answer only', (members) => {
    expect(ask(members).body['max_tokens']).toBe(8192)
  })
})

describe('thinking for genai', () => {
  const budgets: TranslateOptions = {
    dialect: { thinking: 'budget' },
    limits: { reasoning: { min: 128, max: 24_576 } },
  }
  const sent = (caller: typeof chat, members: JsonObject) =>
    translate(caller, genai, { model: 'm', messages: [{ role: 'user', content: 'hello' }], ...members }, budgets).body[
      'generationConfig'
    ]

  it('leaves a quarter of a small limit for the answer (trap 57)', () => {
    const small = sent(chat, { reasoning_effort: 'high', max_completion_tokens: 2000 })
    expect(small).toMatchObject({ maxOutputTokens: 2000, thinkingConfig: { thinkingBudget: 1500 } })
    const large = sent(chat, { reasoning_effort: 'high', max_completion_tokens: 20_000 })
    expect(large).toMatchObject({ thinkingConfig: { thinkingBudget: 10_240 } })
  })

  it('stays as the caller set it beside its own limit', () => {
    const thinking = { type: 'enabled', budget_tokens: 1900 }
    expect(sent(messages, { max_tokens: 2000, thinking })).toMatchObject({ thinkingConfig: { thinkingBudget: 1900 } })
  })
})
