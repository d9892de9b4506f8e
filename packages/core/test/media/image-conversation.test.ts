import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { genai } from '../../src/protocols/genai/codec.ts'
import { drawnImages, imageConversation } from '../../src/ir/image-conversation.ts'
import type { ImageRequest, ImageSettings } from '../../src/ir/image.ts'
import { createLosses } from '../../src/ir/loss.ts'
import type { Part } from '../../src/ir/part.ts'
import type { ModelResponse } from '../../src/ir/response.ts'

const IMAGE = { kind: 'base64', mime: 'image/png', data: 'iVBORw0KGgo=' } as const
const ENCODING = { issuer: 'google', toward: 'upstream', id: () => 'id', now: 0 } as const
const REQUEST: ImageRequest = {
  model: 'google/gemini-3-pro-image',
  prompt: 'a fox',
  references: [{ source: IMAGE }],
  settings: { aspectRatio: '16:9', tier: '2K', seed: 3, safety: 'BLOCK_ONLY_HIGH', count: 1 },
  delivery: {},
  user: 'u',
}

/** A distinct value for every setting: a new setting does not compile without one. */
const SETTINGS: Required<ImageSettings> = {
  count: 1,
  size: '1031x1033',
  tier: '2K',
  aspectRatio: '21:9',
  quality: 'quality-word',
  background: 'background-word',
  format: 'image/webp',
  compression: 73,
  negativePrompt: 'no rain at all',
  seed: 987_654,
  enhance: true,
  watermark: true,
  guidance: 7.125,
  people: 'allow_adult',
  safety: 'BLOCK_ONLY_HIGH',
  explainBlocks: true,
  fidelity: 'fidelity-word',
  style: 'style-word',
}
const settings = fc.record(
  Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [name, fc.constant(value)])),
  { requiredKeys: [] },
) as fc.Arbitrary<ImageSettings>

/** How a conversation writes the settings that it can express. */
const WRITTEN: { readonly [setting: string]: string } = {
  tier: '"imageSize":"2K"',
  aspectRatio: '"aspectRatio":"21:9"',
  format: '"outputMimeType":"image/webp"',
  compression: '"outputCompressionQuality":73',
  negativePrompt: 'no rain at all',
  seed: '"seed":987654',
  people: '"personGeneration":"ALLOW_ADULT"',
  safety: '"threshold":"BLOCK_ONLY_HIGH"',
}

describe('imageConversation', () => {
  it('expresses every setting, or reports it', () => {
    fc.assert(
      fc.property(settings, (given) => {
        const losses = createLosses()
        const wire = JSON.stringify(
          genai.request.encode(imageConversation({ ...REQUEST, settings: given }, losses), {
            ...ENCODING,
            losses: createLosses(),
          }),
        )
        const lost = losses.entries().map(({ path }) => path.join('.'))
        for (const name of Object.keys(given)) {
          if (name === 'count' || name === 'explainBlocks') continue // one image, and reasons always
          const text = WRITTEN[name]
          expect({
            name,
            written: text !== undefined && wire.includes(text),
            lost: lost.includes(`settings.${name}`),
          }).toEqual({
            name,
            written: text !== undefined,
            lost: text === undefined,
          })
        }
      }),
    )
  })

  it('has the given images before the prompt, and asks for an image in its shape and resolution', () => {
    const losses = createLosses()
    const body = genai.request.encode(imageConversation(REQUEST, losses), {
      ...ENCODING,
      losses,
    })
    expect(body).toMatchObject({
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: IMAGE.data } }, { text: 'a fox' }] },
      ],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
        seed: 3,
      },
      safetySettings: [
        { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_ONLY_HIGH' },
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' },
        { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_ONLY_HIGH' },
        { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_ONLY_HIGH' },
      ],
    })
    expect(genai.request.check(body)).toBeDefined()
    expect(losses.entries()).toEqual([{ kind: 'dropped', path: ['user'], reason: 'genai has no user' }])
  })

  it('reports masks, roles, numbers and unknown members', () => {
    const losses = createLosses()
    imageConversation(
      {
        ...REQUEST,
        references: [{ source: IMAGE, id: 4, role: 'style', extras: { genai: { styleImageConfig: { a: 1 } } } }],
        mask: { source: IMAGE },
        delivery: { form: 'url' },
        extras: { genai: { labels: { team: 'art' } } },
      },
      losses,
    )
    expect(losses.entries().map(({ path }) => path.join('.'))).toEqual([
      'mask',
      'extras.genai.labels.team',
      'delivery.form',
      'references.0.role',
      'references.0.id',
      'references.0.extras.genai.styleImageConfig.a',
    ])
  })
})

const response = (parts: readonly Part[], finish: ModelResponse['candidates'][number]['finish']): ModelResponse => ({
  candidates: [{ parts, finish }],
  usage: { input: 5, output: 1290 },
  created: 17,
})
const media = { type: 'media', kind: 'image', source: IMAGE } as const
const text = (words: string) => ({ type: 'text', text: words }) as const

describe('drawnImages', () => {
  it('are all images but the drafts of thoughts, with the usage; text beside them is reported', () => {
    const losses = createLosses()
    const draft = { ...media, extras: { genai: { thought: true } } }
    const answer = drawnImages(response([draft, text('Here:'), media, media], { reason: 'stop' }), losses)
    expect(answer).toEqual({
      images: [{ source: IMAGE }, { source: IMAGE }],
      usage: { input: 5, output: 1290 },
      created: 17,
    })
    expect(losses.entries()).toMatchObject([{ kind: 'dropped', path: ['candidates', 0, 'parts', 1] }])
  })

  it.each<[string, ModelResponse, string]>([
    [
      'a filter',
      response([], { reason: 'content-filter', raw: { protocol: 'genai', value: 'IMAGE_SAFETY' } }),
      'IMAGE_SAFETY',
    ],
    [
      'a filter that gives a reason',
      response([], {
        reason: 'content-filter',
        raw: { protocol: 'genai', value: 'IMAGE_SAFETY' },
        message: 'A real person.',
      }),
      'A real person.',
    ],
    ['the model itself', response([text('I cannot draw that.')], { reason: 'stop' }), 'I cannot draw that.'],
    ['a blocked prompt', { candidates: [], blocked: { reason: 'PROHIBITED_CONTENT' } }, 'PROHIBITED_CONTENT'],
    ['a blocked prompt with a message', { candidates: [], blocked: { reason: 'SAFETY', message: 'No.' } }, 'No.'],
  ])('of an answer that %s has left without one have the reason', (_who, given, blocked) => {
    expect(drawnImages(given).images).toEqual([{ blocked }])
  })

  it.each([
    ['nothing', response([], { reason: 'stop' })],
    ['text that ended early', response([text('First I')], { reason: 'length' })],
    ['no candidates', { candidates: [] }],
  ])('of an answer with %s are an error of the upstream', (_what, given) => {
    expect(() => drawnImages(given)).toThrow(expect.objectContaining({ kind: 'upstream' }))
  })
})
