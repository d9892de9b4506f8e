import { describe, expect, it } from 'vitest'
import { createLosses } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { locateIn } from '../locate.ts'
import { fitImage } from '../../ir/fit-image.ts'
import type { ImageAnswer } from '../../ir/image.ts'
import { genai } from './index.ts'
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

describe('requests for images', () => {
  it('keep everything that the official SDK sends', () => {
    expect(roundTrip(EDIT)).toEqual({ operation: 'predict', body: EDIT, losses: [] })
  })

  it('have the prompt, the images and the mask in the IR', () => {
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

describe('spellings of a request', () => {
  const instances = [{ prompt: 'a fox' }]

  it('passthrough parameters are read beside and among the parameters [image.imageSize] [image.quality] [image.sampleImageSize]', () => {
    const given = { imageSize: '1536x1024', quality: 'high', sampleImageSize: '2K' }
    const settings = { size: '1536x1024', quality: 'high', tier: '2K' }
    expect(decode({ instances, parameters: given }).settings).toEqual(settings)
    expect(decode({ instances, ...given }).settings).toEqual(settings)
    expect(roundTrip({ instances, ...given }).body).toEqual({ instances, parameters: given })
  })

  it('passthrough parameters beside the others are moved among them in a relay', () => {
    const body = { instances, image_size: 'auto', quality: 'low', parameters: { seed: 1 } }
    const { parameters, ...removed } = image.edits?.(body, 'm') ?? {}
    expect(removed).toEqual({ image_size: null, quality: null })
    expect(JSON.parse(parameters ?? '')).toEqual({ seed: 1, imageSize: 'auto', quality: 'low' })
    expect(image.edits?.({ instances, parameters: { quality: 'low' } }, 'm')).toEqual({})
  })

  it('words are compared without case [image.personGeneration] [image.safetySetting]', () => {
    const parameters = { personGeneration: 'ALLOW_ADULT', safetySetting: 'block_only_high', sampleImageSize: '2k' }
    expect(decode({ instances, parameters }).settings).toEqual({
      people: 'allow_adult',
      safety: 'BLOCK_ONLY_HIGH',
      tier: '2K',
    })
  })

  it('members may be in snake_case, and null is a member that was not given', () => {
    const body = {
      instances: [{ prompt: 'a fox', image: { bytes_base64_encoded: PNG, mime_type: 'image/png' } }],
      parameters: { sample_count: 2, output_options: { mime_type: 'image/jpeg' }, seed: null },
    }
    expect(decode(body)).toMatchObject({
      references: [{ source: { kind: 'base64', data: PNG } }],
      settings: { count: 2, format: 'image/jpeg' },
    })
  })

  it('base64 may be in the other alphabet and without padding, and a media type may be missing [image.image]', () => {
    const bytesBase64Encoded = '_9j_4AAQ'
    const [reference] = decode({ instances: [{ prompt: 'a fox', image: { bytesBase64Encoded } }] }).references ?? []
    expect(reference).toEqual({ source: { kind: 'base64', mime: 'image/jpeg', data: '/9j/4AAQ' } })
  })
})

describe('a request for images is refused', () => {
  const inline = { bytesBase64Encoded: PNG, mimeType: 'image/png' }
  const withInstance = (more: JsonObject) => ({ instances: [{ prompt: 'a fox', ...more }] })
  const withParameters = (parameters: JsonObject) => ({ instances: [{ prompt: 'a fox' }], parameters })
  const raw = { referenceType: 'REFERENCE_TYPE_RAW', referenceId: 1, referenceImage: inline }
  const mask = { referenceType: 'REFERENCE_TYPE_MASK', referenceId: 2, referenceImage: inline }
  const references = (...referenceImages: readonly JsonObject[]) => withInstance({ referenceImages })

  it.each<[string, JsonObject, string]>([
    ['without instances', {}, 'instances'],
    ['with no instance', { instances: [] }, 'instances'],
    ['with two instances', { instances: [{ prompt: 'a' }, { prompt: 'b' }] }, 'instances'],
    ['without a prompt [image.prompt]', { instances: [{}] }, 'instances.0.prompt'],
    ['with an empty prompt [image.prompt]', { instances: [{ prompt: '' }] }, 'instances.0.prompt'],
    ['with a prompt of another type', { instances: [{ prompt: 5 }] }, 'instances.0.prompt'],
    ['with an image that is empty', withInstance({ image: {} }), 'instances.0.image.bytesBase64Encoded'],
    [
      'with an image that is not base64',
      withInstance({ image: { ...inline, bytesBase64Encoded: 'no base64!' } }),
      'instances.0.image.bytesBase64Encoded',
    ],
    [
      'with a data URL for base64',
      withInstance({ image: { ...inline, bytesBase64Encoded: `data:image/png;base64,${PNG}` } }),
      'instances.0.image.bytesBase64Encoded',
    ],
    [
      'with an image that is text',
      withInstance({ image: { ...inline, mimeType: 'text/plain' } }),
      'instances.0.image.mimeType',
    ],
    [
      'with an image in two forms',
      withInstance({ image: { ...inline, gcsUri: 'gs://a' } }),
      'instances.0.image.gcsUri',
    ],
    [
      'with a reference of no type',
      references({ ...raw, referenceType: '' }),
      'instances.0.referenceImages.0.referenceType',
    ],
    [
      'with a reference without id',
      references({ referenceType: 'REFERENCE_TYPE_RAW', referenceImage: inline }),
      'instances.0.referenceImages.0.referenceId',
    ],
    [
      'with a reference without image',
      references({ referenceType: 'REFERENCE_TYPE_RAW', referenceId: 1 }),
      'instances.0.referenceImages.0.referenceImage',
    ],
    [
      'with a reference that is not base64',
      references(raw, { ...mask, referenceImage: { ...inline, bytesBase64Encoded: 'AAA=A' } }),
      'instances.0.referenceImages.1.referenceImage.bytesBase64Encoded',
    ],
    ['with two references of one id', references(raw, raw), 'instances.0.referenceImages.1.referenceId'],
    ['with two masks', references(raw, mask, { ...mask, referenceId: 3 }), 'instances.0.referenceImages.2'],
    ['with a mask alone', references(mask), 'instances.0.referenceImages.0'],
    ['with no images to draw [image.sampleCount]', withParameters({ sampleCount: 0 }), 'parameters.sampleCount'],
    ['with half an image to draw', withParameters({ sampleCount: 1.5 }), 'parameters.sampleCount'],
    ['with an invalid shape [image.aspectRatio]', withParameters({ aspectRatio: 'wide' }), 'parameters.aspectRatio'],
    ['with an invalid size [image.imageSize]', withParameters({ imageSize: '2K' }), 'parameters.imageSize'],
    ['with an invalid size, beside', { ...withParameters({}), imageSize: 'big' }, 'imageSize'],
    ['with two sizes', { ...withParameters({ imageSize: 'auto' }), imageSize: '1024x1024' }, 'imageSize'],
    [
      'with another type of output [image.output.mimeType]',
      withParameters({ outputOptions: { mimeType: 'png' } }),
      'parameters.outputOptions.mimeType',
    ],
    [
      'with a compression above 100 [image.output.quality]',
      withParameters({ outputOptions: { compressionQuality: 101 } }),
      'parameters.outputOptions.compressionQuality',
    ],
    [
      'with an unknown word for people [image.personGeneration]',
      withParameters({ personGeneration: 'everyone' }),
      'parameters.personGeneration',
    ],
    ['with a text for a seed', withParameters({ seed: '7' }), 'parameters.seed'],
  ])('%s', (_what, body, param) => {
    expect(() => image.check(body, { operation: 'predict' })).toThrow(
      expect.objectContaining({
        kind: 'invalid-request',
        param,
        message: expect.stringContaining(`${param}: `) as string,
      }),
    )
  })

  it('by its card, with the name of the member in its body', () => {
    const at = (body: JsonObject) => {
      const checked = image.check(body, { operation: 'predict' })
      const locate = locateIn(image.sites ?? new Map(), checked)
      const facts = { most: 4, references: 1, mask: true, ratios: ['1:1'], tiers: ['1K'], words: { quality: ['low'] } }
      try {
        fitImage(image.decode(checked, DECODING), facts, createLosses(), (path) => locate(path, 'changed'))
      } catch (error) {
        return (error as { param?: string }).param // a DragomanError
      }
      return undefined
    }
    expect(at(withParameters({ sampleCount: 5 }))).toBe('parameters.sampleCount')
    expect(at(withParameters({ aspectRatio: '16:9' }))).toBe('parameters.aspectRatio')
    expect(at({ ...withParameters({}), sampleImageSize: '4K' })).toBe('sampleImageSize')
    expect(at({ ...withParameters({}), quality: 'high' })).toBe('quality')
    expect(at(references(raw, { ...raw, referenceId: 2 }))).toBe('instances.0.referenceImages')
    expect(at(references(raw, mask))).toBeUndefined()
  })
})

describe('answers with images', () => {
  const decodeAnswer = (body: JsonObject) => image.answer.decode(body, DECODING)
  const encodeAnswer = (answer: ImageAnswer) => {
    const losses = createLosses()
    const body = image.answer.encode(answer, { ...ENCODING, toward: 'client', losses })
    return { body, losses: losses.entries().map(({ path }) => path.join('.')) }
  }
  const ANSWER = {
    predictions: [
      { bytesBase64Encoded: PNG, mimeType: 'image/png', prompt: 'a red fox at dawn' },
      {
        gcsUri: 'gs://bucket/out/0.png',
        mimeType: 'image/png',
        safetyAttributes: { categories: ['a'], scores: [0.1] },
      },
      { raiFilteredReason: 'Your current safety filter threshold filtered out 1 image.' },
      { contentType: 'Positive Prompt', safetyAttributes: { categories: ['b'], scores: [0.2] } },
    ],
    deployedModelId: '42',
  }

  it('keep everything [image.response] [image.includeRaiReason]', () => {
    const answer = decodeAnswer(ANSWER)
    expect(answer.images).toEqual([
      { source: { kind: 'base64', mime: 'image/png', data: PNG }, prompt: 'a red fox at dawn' },
      {
        source: { kind: 'file', issuer: 'google', id: 'gs://bucket/out/0.png', mime: 'image/png' },
        extras: { genai: { safetyAttributes: { categories: ['a'], scores: [0.1] } } },
      },
      { blocked: 'Your current safety filter threshold filtered out 1 image.' },
    ])
    expect(encodeAnswer(answer)).toEqual({ body: ANSWER, losses: [] })
  })

  it('of another protocol lose what genai has no member for', () => {
    const answer: ImageAnswer = {
      images: [{ source: { kind: 'url', url: 'https://cdn.example/1.png' } }],
      created: 1,
      size: '1024x1024',
      usage: { input: 3, output: 4 },
    }
    expect(encodeAnswer(answer)).toEqual({
      body: { predictions: [{ gcsUri: 'https://cdn.example/1.png' }] },
      losses: ['created', 'size', 'usage'],
    })
  })

  it.each([[{}], [{ predictions: 'none' }], [{ candidates: [] }]])('are no answers: %j', (body) => {
    expect(() => decodeAnswer(body)).toThrow(expect.objectContaining({ kind: 'upstream' }))
  })

  it('are read leniently', () => {
    const body = {
      predictions: [null, 5, { bytesBase64Encoded: 7 }, { bytesBase64Encoded: PNG, mimeType: 7, prompt: 7 }],
    }
    expect(decodeAnswer(body).images).toMatchObject([{}, { source: { mime: 'image/png', data: PNG } }])
  })
})

describe('a relayed answer', () => {
  const relayed = (body: JsonObject, size: number) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    const tap = image.tap({ stream: false })
    let length = 0
    for (let start = 0; start < bytes.length; start += size)
      length += tap.push(bytes.subarray(start, start + size))?.length ?? 0
    expect(length).toBe(bytes.length)
    return tap.end()
  }

  it.each([1, 7, 1000, 1_000_000])('is counted in pieces of %i bytes, however large its images are', (size) => {
    const bytesBase64Encoded = 'A'.repeat(20_000)
    const predictions = [
      { bytesBase64Encoded },
      { gcsUri: 'gs://a' },
      { raiFilteredReason: 'no' },
      { prompt: '\\"', bytesBase64Encoded },
    ]
    expect(relayed({ predictions }, size)).toEqual({ images: 3, complete: true, isError: false })
  })

  it('is an error if it says so, and incomplete if it is no JSON', () => {
    expect(relayed({ error: { code: 400, message: 'no' } }, 9)).toEqual({ complete: true, isError: true })
    const tap = image.tap({ stream: false })
    tap.push(new TextEncoder().encode('{"predictions": [{"bytesBase64Encoded": "AAA'))
    expect(tap.end()).toEqual({ complete: false })
  })
})

describe('the path of :predict', () => {
  it('is an operation of its own, with the model in it', () => {
    const query = new URLSearchParams()
    const path = '/v1/publishers/google/models/imagen-4.0-generate-001:predict'
    expect(genai.http.match('POST', path, query)).toEqual({
      operation: 'predict',
      model: 'google/imagen-4.0-generate-001',
      withoutPublisher: 'imagen-4.0-generate-001',
    })
    expect(genai.http.match('GET', path, query)).toBe('method')
    expect(genai.http.target('predict', 'imagen-4.0', false).path).toBe('/models/imagen-4.0:predict')
  })
})
