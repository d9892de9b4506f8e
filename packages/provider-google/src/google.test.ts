import { describeProvider } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createGoogle, fromEnvironment } from './index.ts'

/** The usage of the Gemini API after it has read a document. */
const READ_DOCUMENT = JSON.stringify({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'It is about light.' }] }, finishReason: 'STOP' }],
  usageMetadata: {
    promptTokenCount: 100,
    candidatesTokenCount: 4,
    totalTokenCount: 104,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 40 },
      { modality: 'DOCUMENT', tokenCount: 60 },
    ],
  },
  modelVersion: 'gemini',
  responseId: 'r1',
})

describeProvider('google', {
  create: createGoogle,
  auth: { header: 'x-goog-api-key' },
  basePath: '/v1beta',
  paths: { genai: '/v1beta/models/{model}:generateContent' },
  listPath: '/v1beta/models',
  environment: { key: 'GEMINI_API_KEY', baseURL: 'GEMINI_BASE_URL', enable: fromEnvironment },
  model: 'gemini-3.5-flash',
  answers: [
    {
      title: 'a document is counted as image tokens on the newest generation [cost.documents]',
      protocol: 'genai',
      answer: { body: READ_DOCUMENT },
      // 60, 40 and 4 tokens at 1.5 and 9 dollars per million.
      expects: { cost: { 'image-input': 90_000, prompt: 60_000, completion: 36_000 } },
    },
    {
      title: 'a document is counted as image tokens in streams, too [cost.documents]',
      protocol: 'genai',
      answer: { frames: [`data: ${READ_DOCUMENT}\r\n\r\n`] },
      expects: { cost: { 'image-input': 90_000, prompt: 60_000, completion: 36_000 } },
    },
    {
      title: 'a document is counted as text on the generation before [cost.documents]',
      protocol: 'genai',
      model: 'gemini-2.5-flash',
      answer: { body: READ_DOCUMENT },
      // 100 and 4 tokens at 0.3 and 2.5 dollars per million.
      expects: { cost: { prompt: 30_000, completion: 10_000 } },
    },
  ],
  requests: [
    {
      title: 'has thinking levels on the newest generation',
      protocol: 'genai',
      from: 'messages',
      asks: { max_tokens: 20_000, thinking: { type: 'enabled', budget_tokens: 9000 } },
      sees: { generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } } },
      lacks: ['generationConfig.thinkingConfig.thinkingBudget'],
      losses: ['added reasoning.effort', 'dropped reasoning.budget', 'dropped reasoning.on'],
    },
    {
      title: 'cannot turn thinking off on the newest generation',
      protocol: 'genai',
      from: 'chat',
      asks: { reasoning_effort: 'none' },
      sees: { generationConfig: { thinkingConfig: { thinkingLevel: 'MINIMAL' } } },
      losses: ['added reasoning.effort', 'dropped reasoning.on'],
    },
    {
      title: 'thinks to a budget on the generation before',
      protocol: 'genai',
      from: 'chat',
      model: 'gemini-2.5-flash',
      asks: { reasoning_effort: 'low' },
      sees: { generationConfig: { thinkingConfig: { thinkingBudget: 2048 } } },
      losses: ['changed reasoning'],
    },
    {
      title: 'clamps a budget to the range of its tier',
      protocol: 'genai',
      model: 'gemini-2.5-flash-lite',
      asks: { generationConfig: { thinkingConfig: { thinkingBudget: 100 } } },
      sees: { generationConfig: { thinkingConfig: { thinkingBudget: 512 } } },
      losses: ['changed reasoning.budget'],
    },
    {
      title: 'leaves out what only the cloud platform takes',
      protocol: 'genai',
      asks: {
        labels: { team: 'a' },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE', method: 'SEVERITY' }],
        generationConfig: { audioTimestamp: true, temperature: 0.5 },
      },
      sees: { generationConfig: { temperature: 0.5 } },
      lacks: ['labels', 'safetySettings.0.method', 'generationConfig.audioTimestamp'],
      losses: [
        'dropped extras.genai.labels',
        'dropped extras.genai.generationConfig.audioTimestamp',
        'dropped safety.0.method',
      ],
    },
  ],
})

describe('the cards of Google', () => {
  it('list what generates content and videos, and no retired image model', () => {
    const names = createGoogle({ keys: 'k' }).models.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['gemini-2.5-pro', 'gemini-3-pro-image', 'veo-3.1-generate-001']))
    expect(names.filter((name) => name.includes('imagen'))).toEqual([])
  })

  it('keep prices that model lists have no word for', () => {
    const card = createGoogle({ keys: 'k' }).models.find(({ name }) => name === 'gemini-2.5-flash')
    expect(card?.otherPrices).toMatchObject({ audio_input: [{ value: 1, unit: 'perMTokens' }] })
    expect(card?.prices).not.toHaveProperty('audio_input')
  })
})
