import { createAnthropic } from '@dragoman/provider-anthropic'
import { createKling } from '@dragoman/provider-kling'
import { createOpenAI } from '@dragoman/provider-openai'
import { createCompatible } from '@dragoman/provider-openai-compatible'
import { createSim } from '@dragoman/provider-sim'
import { describe, expect, it } from 'vitest'
import { exampleModel } from './example-model.ts'

const PRICE = (value: number) =>
  ({
    prompt: [{ value, unit: 'perMTokens', currency: 'USD' }],
    completion: [{ value, unit: 'perMTokens', currency: 'USD' }],
  }) as const

describe('the model of an example call', () => {
  it('is of the first provider with conversations', () => {
    const [kling, anthropic, openai] = [
      createKling({ keys: 'access:secret' }),
      createAnthropic({ keys: 'k' }),
      createOpenAI({ keys: 'k' }),
    ]
    expect(exampleModel('chat', [kling, anthropic, openai])?.provider).toBe('anthropic')
    expect(exampleModel('chat', [kling, openai, anthropic])?.provider).toBe('openai')
    expect(exampleModel('chat', [kling])).toBeUndefined()
    expect(exampleModel('chat', [])).toBeUndefined()
  })

  it('has the protocol of the call if possible', () => {
    const sim = createSim()
    for (const protocol of ['chat', 'messages', 'genai', 'responses'])
      expect(exampleModel(protocol, [sim])).toEqual({ provider: 'sim', name: `${protocol}-1` })
    const only = createAnthropic({ keys: 'k' })
    expect(exampleModel('chat', [only])).toEqual(exampleModel('messages', [only]))
  })

  it('answers with text, is cheap, and is neither a pattern nor a model that will be switched off', () => {
    const house = createCompatible({
      name: 'house',
      baseURL: 'http://house.example/v1',
      models: [
        'any-*',
        { name: 'vectors', embedding: {}, prices: PRICE(0) },
        { name: 'painter', output: ['image'], prices: PRICE(0) },
        { name: 'leaving', retires: '2030-01-01', prices: PRICE(0) },
        'unpriced',
        { name: 'dear', prices: PRICE(9) },
        { name: 'cheap', prices: PRICE(1) },
      ],
    })
    expect(exampleModel('chat', [house])?.name).toBe('cheap')
    const unpriced = createCompatible({ name: 'lab', baseURL: 'http://lab.example/v1', models: ['one', 'two'] })
    expect(exampleModel('chat', [unpriced])?.name).toBe('one')
  })
})
