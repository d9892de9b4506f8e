import { describe, expect, it } from 'vitest'
import { chat, messages, translate } from '../../index.ts'

const ASK = { model: 'm', max_tokens: 40_000, messages: [{ role: 'user', content: 'hi' }] }

describe('a chat upstream that supports only efforts', () => {
  it.each([
    [1024, 'minimal'],
    [2048, 'low'],
    [5120, 'medium'],
    [10_240, 'high'],
    [20_480, 'xhigh'],
  ])('gets the effort nearest to a budget of %i', (budget_tokens, effort) => {
    const asked = { ...ASK, thinking: { type: 'enabled', budget_tokens } }
    const { body, losses } = translate(messages, chat, asked, { dialect: { reasoning: 'effort' } })
    expect(body).toMatchObject({ reasoning_effort: effort })
    expect(body).not.toHaveProperty('reasoning')
    expect(losses).toContainEqual(expect.objectContaining({ kind: 'changed', path: ['reasoning'], to: { effort } }))
  })

  it('gets an effort for disabled reasoning', () => {
    const asked = { ...ASK, thinking: { type: 'disabled' } }
    const { body, losses } = translate(messages, chat, asked, { dialect: { reasoning: 'effort' } })
    expect(body).toMatchObject({ reasoning_effort: 'none' })
    expect(losses.filter((loss) => loss.path[0] === 'reasoning')).toEqual([])
  })
})
