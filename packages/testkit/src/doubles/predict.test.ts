import {
  ContentReferenceImage,
  ControlReferenceImage,
  ControlReferenceType,
  EditMode,
  GoogleGenAI,
  MaskReferenceImage,
  MaskReferenceMode,
  PersonGeneration,
  RawReferenceImage,
  SafetyFilterLevel,
  StyleReferenceImage,
  SubjectReferenceImage,
} from '@google/genai'
import { genai } from '@dragoman/core/protocols'
import { afterEach, describe, expect, it } from 'vitest'
import { createLosses, type JsonObject } from '@dragoman/core'
import { pngOf } from './png.ts'
import { createPredictDouble } from './predict.ts'
import type { Double } from './server.ts'

const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(): Promise<{ readonly double: Double; readonly client: GoogleGenAI }> {
  const double = await createPredictDouble()
  doubles.push(double)
  const httpOptions = { baseUrl: double.url, apiVersion: 'v1' }
  return { double, client: new GoogleGenAI({ apiKey: 'key', vertexai: true, httpOptions }) }
}

const model = 'imagen-double'
const imageBytes = pngOf('a cat')
const referenceImage = { imageBytes, mimeType: 'image/png' }

/** A reference of any kind: the SDK has no constructors with members. */
function reference<T extends object>(kind: T, members: Partial<T>): T {
  return Object.assign(kind, members)
}

describe('the predict double with its official client 2.32.0', () => {
  it('draws the asked-for images', async () => {
    const { client } = await start()
    const config = { numberOfImages: 3, aspectRatio: '16:9', enhancePrompt: true }
    const { generatedImages = [] } = await client.models.generateImages({ model, prompt: 'a fox', config })
    expect(generatedImages).toHaveLength(3)
    expect(generatedImages[0]).toMatchObject({
      image: { mimeType: 'image/png' },
      enhancedPrompt: 'a fox, in golden light',
    })
    const bytes = Buffer.from(generatedImages[0]?.image?.imageBytes ?? '', 'base64')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 36])
  })

  it('filters, with the reason if it is asked for', async () => {
    const { client } = await start()
    const ask = { model, prompt: 'a forbidden fox' }
    expect((await client.models.generateImages(ask)).generatedImages).toEqual([])
    const { generatedImages } = await client.models.generateImages({ ...ask, config: { includeRaiReason: true } })
    expect(generatedImages).toMatchObject([{ raiFilteredReason: expect.stringContaining('39322892') as string }])
  })

  it('refuses what Imagen refuses', async () => {
    const { client, double } = await start()
    const generate = (config: object) => client.models.generateImages({ model, prompt: 'a fox', config })
    await expect(generate({ numberOfImages: 5 })).rejects.toMatchObject({ status: 400 })
    await expect(generate({ aspectRatio: 'wide' })).rejects.toMatchObject({ status: 400 })
    await expect(client.models.generateImages({ model, prompt: '' })).rejects.toMatchObject({ status: 400 })
    expect(double.refused).toHaveLength(3)
  })

  it('draws in conversations', async () => {
    const { client } = await start()
    const answer = await client.models.generateContent({
      model: 'gemini-image-double',
      contents: 'a fox',
      config: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '4:5' } },
    })
    const parts = answer.candidates?.[0]?.content?.parts ?? []
    expect(parts.map(({ inlineData, thought }) => [inlineData?.mimeType, thought])).toEqual([
      ['image/png', true],
      [undefined, undefined],
      ['image/png', undefined],
    ])
  })
})

describe('what the official client sends', () => {
  const received = async (send: (client: GoogleGenAI) => Promise<unknown>) => {
    const { client, double } = await start()
    await send(client)
    return double.received[0]?.body as JsonObject // one call, parsed JSON
  }
  const through = (body: JsonObject) => {
    const context = { issuer: 'google', operation: 'predict' }
    const request = genai.image?.decode(genai.image.check(body, context), context)
    if (request === undefined) throw new Error('genai has no images')
    const losses = createLosses()
    const call = genai.image?.encode(request, { ...context, toward: 'upstream', id: () => 'id', now: 0, losses })
    return { request, body: call?.body, losses: losses.entries() }
  }

  it('to generate images is read and written again', async () => {
    const body = await received((client) =>
      client.models.generateImages({
        model,
        prompt: 'a fox',
        config: {
          numberOfImages: 2,
          negativePrompt: 'rain',
          aspectRatio: '3:4',
          guidanceScale: 4.5,
          seed: 5,
          safetyFilterLevel: SafetyFilterLevel.BLOCK_ONLY_HIGH,
          personGeneration: PersonGeneration.ALLOW_ADULT,
          includeSafetyAttributes: true,
          includeRaiReason: true,
          outputMimeType: 'image/jpeg',
          outputCompressionQuality: 75,
          addWatermark: false,
          labels: { team: 'art' },
          imageSize: '2K',
          enhancePrompt: true,
          outputGcsUri: 'gs://bucket/out',
        },
      }),
    )
    const { request, body: again, losses } = through(body)
    expect(request.settings).toEqual({
      count: 2,
      negativePrompt: 'rain',
      aspectRatio: '3:4',
      guidance: 4.5,
      seed: 5,
      safety: 'BLOCK_ONLY_HIGH',
      people: 'allow_adult',
      explainBlocks: true,
      format: 'image/jpeg',
      compression: 75,
      watermark: false,
      tier: '2K',
      enhance: true,
    })
    expect(losses).toEqual([])
    expect(again).toEqual({
      ...body,
      parameters: { ...(body['parameters'] as object), personGeneration: 'allow_adult' },
    })
  })

  it('to edit images is read and written again, with references of all kinds [image.references]', async () => {
    const body = await received((client) =>
      client.models.editImage({
        model,
        prompt: 'give it a hat',
        referenceImages: [
          reference(new RawReferenceImage(), { referenceId: 1, referenceImage }),
          reference(new StyleReferenceImage(), { referenceId: 3, referenceImage, config: { styleDescription: 'ink' } }),
          reference(new SubjectReferenceImage(), {
            referenceId: 4,
            referenceImage,
            config: { subjectDescription: 'a cat' },
          }),
          reference(new ControlReferenceImage(), {
            referenceId: 5,
            referenceImage,
            config: { controlType: ControlReferenceType.CONTROL_TYPE_CANNY, enableControlImageComputation: true },
          }),
          reference(new ContentReferenceImage(), { referenceId: 6, referenceImage: { gcsUri: 'gs://bucket/dog.png' } }),
          reference(new MaskReferenceImage(), {
            referenceId: 2,
            referenceImage,
            config: { maskMode: MaskReferenceMode.MASK_MODE_USER_PROVIDED, maskDilation: 0.06 },
          }),
        ],
        config: { editMode: EditMode.EDIT_MODE_INPAINT_INSERTION, baseSteps: 12, numberOfImages: 1 },
      }),
    )
    const { request, body: again, losses } = through(body)
    expect(request.references?.map(({ id, role }) => [id, role])).toEqual([
      [1, undefined],
      [3, 'style'],
      [4, 'subject'],
      [5, 'control'],
      [6, 'content'],
    ])
    expect(request.mask).toMatchObject({ id: 2, source: { kind: 'base64', mime: 'image/png', data: imageBytes } })
    expect(losses).toEqual([])
    expect(again).toEqual(body)
  })

  it('with a mask that the model finds itself has no image of it [image.references]', async () => {
    const body = await received((client) =>
      client.models.editImage({
        model,
        prompt: 'a beach',
        referenceImages: [
          reference(new RawReferenceImage(), { referenceId: 1, referenceImage }),
          reference(new MaskReferenceImage(), {
            referenceId: 2,
            config: { maskMode: MaskReferenceMode.MASK_MODE_SEMANTIC, segmentationClasses: [7, 8] },
          }),
        ],
      }),
    )
    const { request, body: again } = through(body)
    expect(request.mask).toMatchObject({ id: 2, mode: 'MASK_MODE_SEMANTIC' })
    expect(again).toEqual(body)
  })
})
