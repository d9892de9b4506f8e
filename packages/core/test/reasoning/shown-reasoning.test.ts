import { expect, it } from 'vitest'
import { chat, genai, messages, translate } from '../../src/index.ts'

const ASK = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

it('requests visible reasoning from genai for callers who see it by default', () => {
  const effort = translate(chat, genai, { ...ASK, reasoning_effort: 'high' }).body
  expect(effort).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH', includeThoughts: true } },
  })
  const budget = translate(messages, genai, {
    ...ASK,
    max_tokens: 9000,
    thinking: { type: 'enabled', budget_tokens: 2048 },
  }).body
  expect(budget).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } },
  })
})

it('does not request hidden reasoning', () => {
  const off = JSON.stringify(translate(chat, genai, { ...ASK, reasoning_effort: 'none' }).body)
  const hidden = { ...ASK, max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 2048, display: 'omitted' } }
  expect(off).not.toContain('includeThoughts')
  expect(translate(messages, genai, hidden).body).toMatchObject({
    generationConfig: { thinkingConfig: { includeThoughts: false } },
  })
  expect(JSON.stringify(translate(chat, genai, ASK).body)).not.toContain('thinkingConfig')
})
