import type { JsonObject } from '@dragoman/core'
import { BEARER } from '@dragoman/core/provider'
import { describeParameters, type ParameterRow } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { createOpenAI } from './index.ts'

// What becomes of every parameter of a genai client, by the reference of OpenAI's images API.
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = { bytesBase64Encoded: DATA, mimeType: 'image/png' }
const FILE = `data:image/png;base64,${DATA}`
const GENERATIONS = '/v1/images/generations'
const EDITS = '/v1/images/edits'

const dropped = (title: string, parameters: JsonObject, setting: string): ParameterRow => ({
  title,
  parameters,
  losses: [`dropped settings.${setting}`],
})

const ROWS: readonly ParameterRow[] = [
  { title: '[image.prompt] prompt', sees: {} },
  { title: '[image.sampleCount] sampleCount is n', parameters: { sampleCount: 10 }, sees: { n: 10 } },
  {
    title: '[image.sampleCount] sampleCount is at most 10',
    parameters: { sampleCount: 11 },
    refused: 'parameters.sampleCount',
  },
  dropped('[image.negativePrompt] negativePrompt', { negativePrompt: 'rain' }, 'negativePrompt'),
  dropped('[image.seed] seed', { seed: 7 }, 'seed'),
  dropped('[image.enhancePrompt] enhancePrompt', { enhancePrompt: true }, 'enhance'),
  dropped('[image.guidanceScale] guidanceScale', { guidanceScale: 5 }, 'guidance'),
  dropped('[image.addWatermark] addWatermark', { addWatermark: true }, 'watermark'),
  dropped('[image.personGeneration] personGeneration', { personGeneration: 'allow_adult' }, 'people'),
  ...['1024x1024', '1536x1024', '1024x1536', 'auto'].map((size) => ({
    title: `[image.imageSize] imageSize ${size} is forwarded unchanged`,
    parameters: { imageSize: size },
    sees: { size },
  })),
  { title: '[image.imageSize] other words are refused', parameters: { imageSize: 'large' }, refused: 'imageSize' },
  ...['low', 'medium', 'high', 'auto'].map((quality) => ({
    title: `[image.quality] quality ${quality} is forwarded unchanged`,
    parameters: { quality },
    sees: { quality },
  })),
  { title: '[image.quality] other qualities are refused', parameters: { quality: 'best' }, refused: 'quality' },
  ...(['BLOCK_NONE', 'BLOCK_ONLY_HIGH'] as const).map((safetySetting) => ({
    title: `[image.safetySetting] ${safetySetting} is low moderation`,
    parameters: { safetySetting },
    sees: { moderation: 'low' },
    losses: ['changed settings.safety'],
  })),
  {
    title: '[image.output.mimeType] outputOptions.mimeType is output_format',
    parameters: { outputOptions: { mimeType: 'image/jpeg' } },
    sees: { output_format: 'jpeg' },
  },
  {
    title: '[image.output.quality] outputOptions.compressionQuality is output_compression',
    parameters: { outputOptions: { mimeType: 'image/jpeg', compressionQuality: 40 } },
    sees: { output_format: 'jpeg', output_compression: 40 },
  },
  // A blocked request is an error, which always has the reason.
  dropped('[image.includeRaiReason] includeRaiReason', { includeRaiReason: true }, 'explainBlocks'),
  {
    title: '[image.image] image is an edit, as a form',
    instance: { image: IMAGE },
    sees: { image: FILE },
    path: EDITS,
  },
]

const COMMON = {
  create: createOpenAI,
  auth: BEARER,
  basePath: '/v1',
  action: 'predict',
  path: GENERATIONS,
  answer: () => ({ body: JSON.stringify({ data: [{ b64_json: DATA }] }) }),
} as const

describeParameters('gpt-image-2', {
  ...COMMON,
  model: 'gpt-image-2',
  base: { model: 'gpt-image-2', prompt: 'a red kite' },
  rows: [
    ...ROWS,
    {
      title: '[image.imageSize] a custom size',
      parameters: { imageSize: '2560x1440' },
      sees: { size: '2560x1440' },
    },
    ...['1000x1000', '4096x2048', '3840x1024', '512x512'].map((imageSize) => ({
      title: `[image.imageSize] ${imageSize} is not a custom size`,
      parameters: { imageSize },
      refused: 'imageSize',
    })),
    {
      title: '[image.aspectRatio] aspectRatio is a computed size',
      parameters: { aspectRatio: '16:9' },
      sees: { size: '1536x864' },
    },
    {
      title: '[image.sampleImageSize] sampleImageSize with aspectRatio is a computed size',
      parameters: { aspectRatio: '1:1', sampleImageSize: '2K' },
      sees: { size: '2048x2048' },
    },
  ],
})

describeParameters('gpt-image-1.5', {
  ...COMMON,
  model: 'gpt-image-1.5',
  base: { model: 'gpt-image-1.5', prompt: 'a red kite' },
  rows: [
    ...ROWS,
    { title: '[image.imageSize] no custom sizes', parameters: { imageSize: '1536x864' }, refused: 'imageSize' },
    {
      title: '[image.aspectRatio] aspectRatio is the nearest preset',
      parameters: { aspectRatio: '16:9' },
      sees: { size: '1536x1024' },
      losses: ['changed settings.aspectRatio'],
    },
    { title: '[image.aspectRatio] a preset', parameters: { aspectRatio: '2:3' }, sees: { size: '1024x1536' } },
  ],
})

describe('the image cards of OpenAI', () => {
  const cards = createOpenAI({ keys: 'k' }).models.filter(({ image }) => image !== undefined)

  it('have sixteen images to edit, masks, three partial images and ten images', () => {
    expect(cards.map(({ name }) => name)).toEqual([
      'gpt-image-2.6-sunburst',
      'gpt-image-2.6-flare',
      'gpt-image-2.5-sunburst',
      'gpt-image-2.5-flare',
      'chatgpt-image-latest',
      'gpt-image-2',
      'gpt-image-1.5',
      'gpt-image-1-mini',
    ])
    for (const { image } of cards) expect(image).toMatchObject({ most: 10, references: 16, mask: true, partials: 3 })
  })

  it('have prices of image tokens', () => {
    const [newest] = cards
    expect(newest?.prices).toMatchObject({ image: [{ value: 30, unit: 'perMTokens' }], prompt: [{ value: 5 }] })
    expect(newest?.otherPrices).toMatchObject({ image_input: [{ value: 8, unit: 'perMTokens' }] })
  })
})
