import { describe, expect, it } from 'vitest'
import { translate } from '../../index.ts'
import { chat, genai, messages } from '../../protocols.ts'

const ASK = { model: 'm', max_tokens: 40_000, messages: [{ role: 'user', content: 'hi' }] }

describe('a plain chat upstream', () => {
  it.each([
    [1024, 'minimal'],
    [2048, 'low'],
    [5120, 'medium'],
    [10_240, 'high'],
    [20_480, 'xhigh'],
  ])('gets the effort nearest to a budget of %i', (budget_tokens, effort) => {
    const asked = { ...ASK, thinking: { type: 'enabled', budget_tokens } }
    const { body, losses } = translate(messages, chat, asked)
    expect(body).toMatchObject({ reasoning_effort: effort })
    expect(body).not.toHaveProperty('reasoning')
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'changed', path: ['reasoning'], to: { effort } }))
  })

  it('gets an effort for disabled reasoning', () => {
    const asked = { ...ASK, thinking: { type: 'disabled' } }
    const { body, losses } = translate(messages, chat, asked)
    expect(body).toMatchObject({ reasoning_effort: 'none' })
    expect(losses.filter((loss) => loss.path[0] === 'reasoning')).toEqual([])
  })

  it.each([
    [{ enabled: true }, 'medium'],
    [{ max_tokens: 9000 }, 'high'],
    [{ effort: 'low', max_tokens: 9000 }, 'low'],
  ])('gets no reasoning object: %j is the effort %s', (reasoning, effort) => {
    const { body } = translate(chat, chat, { model: 'm', messages: ASK.messages, reasoning })
    expect(body).toMatchObject({ reasoning_effort: effort })
    expect(body).not.toHaveProperty('reasoning')
  })

  it('gets no effort if thoughts are to be shown and nobody asked for any', () => {
    const asked = {
      contents: [{ parts: [{ text: 'hi' }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    }
    expect(translate(genai, chat, asked).body).not.toHaveProperty('reasoning_effort')
  })

  it('gets no body with a reasoning object relayed', () => {
    const body = { model: 'm', messages: ASK.messages, reasoning: { effort: 'low' } }
    expect(chat.relay.obstacle(body, {})).toBe('this upstream has efforts alone')
    expect(chat.relay.obstacle(body, {}, { reasoning: 'object' })).toBeUndefined()
  })
})

describe('a chat upstream with the reasoning object', () => {
  it('gets a budget as a budget', () => {
    const asked = { ...ASK, thinking: { type: 'enabled', budget_tokens: 2000 } }
    const { body } = translate(messages, chat, asked, { dialect: { reasoning: 'object' } })
    expect(body).toMatchObject({ reasoning: { enabled: true, max_tokens: 2000 } })
    expect(body).not.toHaveProperty('reasoning_effort')
  })
})
