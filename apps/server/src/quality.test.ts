import { isPattern, type Card } from '@dragoman/core/provider'
import { createSim } from '@dragoman/provider-sim'
import { expect, it } from 'vitest'
import { knownProviders, loadDefinition } from './known-providers.ts'

const definitions = await Promise.all(knownProviders.map(loadDefinition))
const cards = new Map<string, Card>(
  [...definitions, { name: 'sim', models: createSim().models }].flatMap((provider) =>
    (provider?.models ?? []).map((card) => [`${provider?.name}/${card.name}`, card] as const),
  ),
)

it('every model that answers in text has a rank', () => {
  const listed = [...cards].filter(([, { name, output }]) => !isPattern(name) && output.includes('text'))
  expect(listed.length).toBeGreaterThan(40)
  expect(listed.filter(([, { quality }]) => quality === undefined).map(([id]) => id)).toEqual([])
})

/** The best first. */
const LINES = [
  'anthropic/claude-fable-5.2 anthropic/claude-fable-5.1 anthropic/claude-fable-5',
  'anthropic/claude-opus-5.5 anthropic/claude-opus-5',
  'anthropic/claude-opus-4.7 anthropic/claude-opus-4.6 anthropic/claude-opus-4.5',
  'anthropic/claude-opus-5.5 anthropic/claude-sonnet-5.5 anthropic/claude-haiku-5.5',
  'anthropic/claude-sonnet-5.5 anthropic/claude-sonnet-5',
  'anthropic/claude-haiku-5.5 anthropic/claude-haiku-4.5',
  'openai/gpt-6-astra openai/gpt-6.1-sol openai/gpt-6-sol openai/gpt-5.6-sol',
  'openai/gpt-6.1-terra openai/gpt-5.6-terra',
  'openai/gpt-6-luna openai/gpt-5.6-luna',
  'openai/gpt-5.2 openai/gpt-5.1 openai/gpt-5',
  'google/gemini-4-argon google/gemini-3.8-flash google/gemini-3.7-flash google/gemini-3.6-flash',
  'anthropic/claude-opus-5 anthropic/claude-opus-4.8 anthropic/claude-opus-4.7',
  'anthropic/claude-opus-5 anthropic/claude-sonnet-5 anthropic/claude-haiku-4.5',
  'anthropic/claude-sonnet-5 anthropic/claude-sonnet-4.6 anthropic/claude-sonnet-4.5 anthropic/claude-haiku-4.5',
  'openai/gpt-5.6-sol openai/gpt-5.6-terra openai/gpt-5.6-luna',
  'openai/gpt-5.6-sol openai/gpt-5.5 openai/gpt-5.4 openai/gpt-5.2 openai/gpt-5 openai/gpt-4.1',
  'openai/gpt-5.4 openai/gpt-5.4-mini openai/gpt-5.4-nano',
  'openai/gpt-5 openai/gpt-5-mini openai/gpt-5-nano',
  'openai/gpt-5.4-mini openai/gpt-5-mini',
  'openai/gpt-5.4-nano openai/gpt-5-nano',
  'google/gemini-3.1-pro-preview google/gemini-2.5-pro google/gemini-2.5-flash google/gemini-2.5-flash-lite',
  'google/gemini-3.1-pro-preview google/gemini-3.6-flash google/gemini-3.5-flash google/gemini-3-flash-preview google/gemini-2.5-flash',
  'google/gemini-3.5-flash google/gemini-3.5-flash-lite google/gemini-2.5-flash-lite',
  'google/gemini-3-pro-image google/gemini-3.1-flash-image google/gemini-2.5-flash-image',
  'x-ai/grok-4.5 x-ai/grok-4.3 x-ai/grok-code-fast-1',
  'deepseek/deepseek-v4-pro deepseek/deepseek-v4-flash',
  'mistralai/mistral-large-2512 mistralai/mistral-medium-3.5 mistralai/devstral-2512',
  'moonshotai/kimi-k2.6 moonshotai/kimi-k2.5',
  'z-ai/glm-5.1 z-ai/glm-5 z-ai/glm-4.7 z-ai/glm-4.7-flash',
].map((line) => line.split(' '))

it.each(LINES)('%s is above the others of its line', (...line) => {
  const ranks = line.map((id) => cards.get(id)?.quality ?? 0)
  expect(ranks.every((rank, index) => index === 0 || rank < (ranks[index - 1] ?? 0))).toBe(true)
})

it('one model has one rank at every provider', () => {
  expect(cards.get('cerebras/zai-glm-4.7')?.quality).toBe(cards.get('z-ai/glm-4.7')?.quality)
})
