import { describe, expect, it } from 'vitest'
import { createLosses } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { image } from './image.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const DECODING = { issuer: 'google', operation: 'predict', path: { model: 'google/imagen-4.0-generate-001' } }
const ENCODING = { issuer: 'google', operation: 'predict', toward: 'upstream', id: () => 'id', now: 0 } as const

function decode(body: JsonObject) {
  return image.decode(image.check(body, { operation: 'predict' }), DECODING)
}

function roundTrip(body: JsonObject) {
  const losses = createLosses()
  const call = image.encode(decode(body), { ...ENCODING, losses })
  return { ...call, losses: losses.entries() }
}

/** What the official SDK's editImage sends, with everything that its types have. */
const EDIT = {
  instances: [
    {
      prompt: 'put a hat on it',
      referenceImages: [
        {
          referenceType: 'REFERENCE_TYPE_RAW',
          referenceId: 1,
          referenceImage: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
        },
        {
          referenceType: 'REFERENCE_TYPE_STYLE',
          referenceId: 3,
          referenceImage: { gcsUri: 'gs://bucket/style.png', mimeType: 'image/png' },
          styleImageConfig: { styleDescription: 'ink' },
        },
        {
          referenceType: 'REFERENCE_TYPE_MASK',
          referenceId: 2,
          referenceImage: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
          maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED', dilation: 0.03 },
        },
      ],
    },
  ],
  parameters: {
    sampleCount: 2,
    aspectRatio: '3:4',
    seed: 7,
    guidanceScale: 60.5,
    negativePrompt: 'rain',
    safetySetting: 'BLOCK_ONLY_HIGH',
    personGeneration: 'allow_adult',
    includeRaiReason: true,
    addWatermark: false,
    enhancePrompt: true,
    sampleImageSize: '2K',
    outputOptions: { mimeType: 'image/jpeg', compressionQuality: 80 },
    language: 'en',
    storageUri: 'gs://bucket/out',
    editMode: 'EDIT_MODE_INPAINT_INSERTION',
    editConfig: { baseSteps: 35 },
    includeSafetyAttributes: true,
  },
  labels: { team: 'art' },
}

describe('requests for pictures', () => {
  it('keep everything that the official SDK sends', () => {
    expect(roundTrip(EDIT)).toEqual({ operation: 'predict', body: EDIT, losses: [] })
  })

  it('have the prompt, the pictures and the mask in the IR', () => {
    const { references, mask, settings, prompt, model } = decode(EDIT)
    expect({ prompt, model }).toEqual({ prompt: 'put a hat on it', model: 'google/imagen-4.0-generate-001' })
    expect(references).toEqual([
      { source: { kind: 'base64', mime: 'image/png', data: PNG }, id: 1 },
      {
        source: { kind: 'file', issuer: 'google', id: 'gs://bucket/style.png', mime: 'image/png' },
        id: 3,
        role: 'style',
        extras: { genai: { styleImageConfig: { styleDescription: 'ink' } } },
      },
    ])
    expect(mask).toEqual({
      source: { kind: 'base64', mime: 'image/png', data: PNG },
      id: 2,
      extras: { genai: { maskImageConfig: { dilation: 0.03 } } },
    })
    expect(settings).toEqual({
      count: 2,
      aspectRatio: '3:4',
      seed: 7,
      guidance: 60.5,
      negativePrompt: 'rain',
      safety: 'BLOCK_ONLY_HIGH',
      people: 'allow_adult',
      explainBlocks: true,
      watermark: false,
      enhance: true,
      tier: '2K',
      format: 'image/jpeg',
      compression: 80,
    })
  })
})
