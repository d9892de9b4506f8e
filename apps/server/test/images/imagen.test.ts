import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  GoogleGenAI,
  ImagePromptLanguage,
  PersonGeneration,
  SafetyFilterLevel,
  type GenerateImagesConfig,
} from '@google/genai'
import type { ImageFacts } from '@dragoman/core/media'
import { defineProvider, type Card } from '@dragoman/core/provider'
import { createGateway, createMemoryKeys } from '@dragoman/gateway'
import { createNodeHandler, createUndiciTransport } from '@dragoman/gateway-node'
import { createPredictDouble, type Double } from '@dragoman/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const KEY = 'sk-imagen'

/** Imagen 4, which is retired: its wire is that of the specification. */
const IMAGEN: ImageFacts = {
  most: 4,
  references: 4,
  mask: true,
  ratios: ['1:1', '3:4', '4:3', '9:16', '16:9'],
  tiers: ['1K', '2K'],
  formats: ['image/png', 'image/jpeg'],
  takes: [
    ...(['negativePrompt', 'seed', 'enhance', 'watermark', 'guidance', 'people', 'safety', 'explainBlocks'] as const),
    'compression',
  ],
}

let double: Double
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  double = await createPredictDouble()
  const transport = createUndiciTransport()
  const card = (name: string, image: ImageFacts): Card => ({
    name,
    upstream: 'imagen-double',
    input: ['text', 'image'],
    output: ['image'],
    image,
  })
  const gateway = createGateway({
    providers: [
      defineProvider({
        name: 'google',
        models: [
          card('imagen', IMAGEN),
          card('plain', { most: 4 }),
          card('strict', { refuses: ['seed', 'negativePrompt', 'enhance', 'watermark', 'guidance'] }),
        ],
        endpoints: { genai: `${double.url}/v1beta` },
        auth: { header: 'x-goog-api-key' },
        key: 'sk-google',
      }),
    ],
    keys: createMemoryKeys([{ id: 'tester', secret: KEY }]),
    transport,
  })
  const server = createServer(createNodeHandler(gateway))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  url = `http://127.0.0.1:${port}`
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await Promise.all([double.close(), transport.close()])
  }
})
beforeEach(() => double.play({ parts: [] }))
afterAll(() => close())

function draw(model: string, config: GenerateImagesConfig) {
  const httpOptions = { baseUrl: `${url}/api/vertex-ai`, apiVersion: 'v1' }
  const client = new GoogleGenAI({ apiKey: KEY, vertexai: true, httpOptions })
  return client.models.generateImages({ model, prompt: 'a fox', config })
}

/** What the SDK's option becomes on the wire, and what it is in the IR. */
const OPTIONS: readonly (readonly [row: string, config: GenerateImagesConfig, member: string, value: unknown])[] = [
  ['[image.negativePrompt]', { negativePrompt: 'rain' }, 'negativePrompt', 'rain'],
  ['[image.seed]', { seed: 7, addWatermark: false }, 'seed', 7],
  ['[image.enhancePrompt]', { enhancePrompt: true }, 'enhancePrompt', true],
  ['[image.addWatermark]', { addWatermark: false }, 'addWatermark', false],
  ['[image.guidanceScale]', { guidanceScale: 4.5 }, 'guidanceScale', 4.5],
]

describe('an option of an image', () => {
  it.each(OPTIONS)('%s reaches a model that takes it', async (_row, config, member, value) => {
    const { sdkHttpResponse, generatedImages } = await draw('google/imagen', config)
    expect(double.received[0]?.body).toMatchObject({ parameters: { [member]: value } })
    expect(sdkHttpResponse?.headers?.['x-dragoman-losses']).toBeUndefined()
    expect(generatedImages).toHaveLength(1)
  })

  it.each(OPTIONS)('%s is left out and reported for another model', async (_row, config, member) => {
    const { sdkHttpResponse } = await draw('google/plain', config)
    expect(double.received[0]?.body).not.toHaveProperty(`parameters.${member}`)
    expect(sdkHttpResponse?.headers?.['x-dragoman-losses']).toContain(`dropped parameters.${member}`)
  })

  it.each(OPTIONS)('%s is refused with its name if the card says so', async (_row, config, member) => {
    await expect(draw('google/strict', config)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`parameters.${member}`) as string,
    })
    expect(double.received).toEqual([])
  })
})

describe('images of Imagen', () => {
  it('are drawn with all options at once, and nothing is lost [image.safetySetting] [image.personGeneration] [image.includeRaiReason] [image.output.mimeType] [image.output.quality] [image.sampleImageSize] [image.response]', async () => {
    const { generatedImages = [], sdkHttpResponse } = await draw('google/imagen', {
      numberOfImages: 4,
      aspectRatio: '16:9',
      imageSize: '2K',
      enhancePrompt: true,
      safetyFilterLevel: SafetyFilterLevel.BLOCK_ONLY_HIGH,
      personGeneration: PersonGeneration.ALLOW_ADULT,
      includeRaiReason: true,
      outputMimeType: 'image/jpeg',
      outputCompressionQuality: 70,
      language: ImagePromptLanguage.en,
    })
    expect(double.received[0]?.body).toEqual({
      instances: [{ prompt: 'a fox' }],
      parameters: {
        sampleCount: 4,
        aspectRatio: '16:9',
        sampleImageSize: '2K',
        enhancePrompt: true,
        safetySetting: 'BLOCK_ONLY_HIGH',
        personGeneration: expect.stringMatching(/^allow_adult$/i) as string,
        includeRaiReason: true,
        outputOptions: { mimeType: 'image/jpeg', compressionQuality: 70 },
        language: 'en',
      },
    })
    expect(generatedImages.map(({ enhancedPrompt }) => enhancedPrompt)).toEqual(Array(4).fill('a fox, in golden light'))
    expect(sdkHttpResponse?.headers?.['x-dragoman-losses']).toBeUndefined()
  })

  it('are blocked with the reason of the upstream [image.includeRaiReason]', async () => {
    const httpOptions = { baseUrl: `${url}/api/vertex-ai`, apiVersion: 'v1' }
    const client = new GoogleGenAI({ apiKey: KEY, vertexai: true, httpOptions })
    const { generatedImages } = await client.models.generateImages({
      model: 'google/imagen',
      prompt: 'a forbidden fox',
      config: { includeRaiReason: true },
    })
    expect(generatedImages).toMatchObject([{ raiFilteredReason: expect.stringContaining('39322892') as string }])
  })

  it.each<[string, GenerateImagesConfig, string]>([
    ['[image.sampleCount]', { numberOfImages: 5 }, 'parameters.sampleCount'],
    ['[image.aspectRatio]', { aspectRatio: '21:9' }, 'parameters.aspectRatio'],
    ['[image.sampleImageSize]', { imageSize: '4K' }, 'parameters.sampleImageSize'],
    ['[image.output.mimeType]', { outputMimeType: 'image/webp' }, 'parameters.outputOptions.mimeType'],
    ['[image.output.quality]', { outputCompressionQuality: 101 }, 'parameters.outputOptions.compressionQuality'],
  ])('are refused with the name of the field, before any call %s', async (_row, config, field) => {
    await expect(draw('google/imagen', config)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(field) as string,
    })
    expect(double.received).toEqual([])
  })

  it('take passthrough parameters beside the others [image.sampleImageSize]', async () => {
    const response = await fetch(`${url}/api/vertex-ai/v1/publishers/google/models/imagen:predict`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ instances: [{ prompt: 'a fox' }], sampleImageSize: '2K' }),
    })
    expect(response.status).toBe(200)
    expect(double.received[0]?.body).toMatchObject({ parameters: { sampleImageSize: '2K' } })
    expect(double.refused).toEqual([])
  })

  it('are not drawn if an image to edit cannot reach the model', async () => {
    const response = await fetch(`${url}/api/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'google/imagen', prompt: 'a hat', images: [{ file_id: 'file-1' }] }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: expect.stringMatching(/^images/) as string } })
    expect(double.received).toEqual([])
  })
})
