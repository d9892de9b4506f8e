import { GoogleGenAI, MaskReferenceImage, MaskReferenceMode, RawReferenceImage } from '@google/genai'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateImage } from 'ai'
import OpenAI, { toFile } from 'openai'
import { pngOf } from '@dragoman/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KEY, MODELS, openGallery, type Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
beforeEach(() => {
  gallery.openai.play({ parts: [] })
  gallery.google.play({ parts: [] })
})
afterAll(() => gallery.close())

const openai = () => new OpenAI({ baseURL: `${gallery.url}/api/v1`, apiKey: KEY, maxRetries: 0 })
const genai = () =>
  new GoogleGenAI({
    apiKey: KEY,
    vertexai: true,
    httpOptions: { baseUrl: `${gallery.url}/api/vertex-ai`, apiVersion: 'v1' },
  })

/** Width and height of a real PNG. */
function sizeOf(base64 = ''): readonly number[] {
  const bytes = Buffer.from(base64, 'base64')
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = []
  for await (const event of stream) events.push(event)
  return events
}

const imageFile = (name: string) => toFile(Buffer.from(pngOf(name), 'base64'), `${name}.png`, { type: 'image/png' })
async function bytesOf(file: Blob | undefined): Promise<Buffer> {
  return file === undefined ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer())
}

const MODELS_OF_ALL = Object.entries(MODELS)

describe('openai images.generate', () => {
  it.each(MODELS_OF_ALL)(
    'gets images of every kind of model: %s [images.generations] [images.generations.json]',
    async (_kind, model) => {
      const { data = [], created } = await openai().images.generate({ model, prompt: 'a fox', n: 2 })
      expect(created).toBeGreaterThan(1_000_000)
      expect(data).toHaveLength(2)
      for (const { b64_json } of data) expect(sizeOf(b64_json)[0]).toBeGreaterThan(0)
      expect([...gallery.openai.refused, ...gallery.google.refused]).toEqual([])
    },
  )
  it('streams unfinished images and the finished one [images.generations.stream] [images.event.fields]', async () => {
    const stream = await openai().images.generate({
      model: MODELS.openai,
      prompt: 'a fox',
      size: '1536x1024',
      stream: true,
      partial_images: 2,
    })
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ])
    expect(events.flatMap((event) => ('partial_image_index' in event ? event.partial_image_index : []))).toEqual([0, 1])
    expect(events.at(-1)).toMatchObject({ size: '1536x1024', usage: { total_tokens: 1106 } })
    expect(sizeOf(events.at(-1)?.b64_json)).toEqual([24, 16])
  })
  it.each(MODELS_OF_ALL.filter(([kind]) => kind !== 'openai'))(
    'streams one finished image of a model that cannot stream: %s [images.emulated] [images.event.fields]',
    async (_kind, model) => {
      const stream = await openai().images.generate({ model, prompt: 'a fox', stream: true })
      const events = await collect(stream)
      expect(events).toMatchObject([
        { type: 'image_generation.completed', background: 'auto', output_format: 'png', quality: 'auto', size: 'auto' },
      ])
      expect(events[0]?.created_at).toBeGreaterThan(1_000_000)
      expect(events[0]).not.toHaveProperty('partial_image_index')
      expect(sizeOf(events[0]?.b64_json)[0]).toBeGreaterThan(0)
    },
  )
  it('sends what it can to each model [images.params]', async () => {
    await openai().images.generate({
      model: MODELS.openai,
      prompt: 'a fox',
      quality: 'high',
      background: 'transparent',
      output_format: 'png',
      moderation: 'low',
    })
    expect(gallery.openai.received[0]?.body).toEqual({
      model: 'gpt-image-2',
      prompt: 'a fox',
      quality: 'high',
      background: 'transparent',
      output_format: 'png',
      moderation: 'low',
    })
    const { response } = await openai()
      .images.generate({ model: MODELS.imagen, prompt: 'a fox', quality: 'high', background: 'transparent' })
      .withResponse()
    expect(response.headers.get('x-dragoman-losses')).toBe('2: dropped quality, dropped background')
  })
  it('gets the error of a blocked prompt', async () => {
    const ask = (model: string) => openai().images.generate({ model, prompt: 'a forbidden fox' })
    await expect(ask(MODELS.gemini)).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' })
    await expect(ask(MODELS.openai)).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' })
  })
  it('is billed by the image', async () => {
    const { response } = await openai().images.generate({ model: MODELS.imagen, prompt: 'a fox', n: 3 }).withResponse()
    expect(response.headers.get('x-dragoman-cost')).toBe('0.060000000')
    expect(gallery.ledger.records.at(-1)).toMatchObject({ operation: 'image', usage: { images: 3 } })
  })
})

describe('openai images.edit', () => {
  it('passes files on as they came, with a mask [images.edits]', async () => {
    const image = [await imageFile('one'), await imageFile('two')]
    const { data = [] } = await openai().images.edit({
      model: MODELS.openai,
      prompt: 'add a hat',
      image,
      mask: await imageFile('mask'),
      n: 2,
    })
    expect(data).toHaveLength(2)
    const [received] = gallery.openai.received
    expect(received?.files?.map(({ name, file }) => [name, file.name, file.type])).toEqual([
      ['mask', 'mask.png', 'image/png'],
      ['image[]', 'one.png', 'image/png'],
      ['image[]', 'two.png', 'image/png'],
    ])
    expect((await bytesOf(received?.files?.[2]?.file)).toString('base64')).toBe(pngOf('two'))
    expect(gallery.log.entries.at(-1)).toMatchObject({ mode: 'relay' })
  })
  it('streams [images.edits.stream]', async () => {
    const stream = await openai().images.edit({
      model: MODELS.openai,
      prompt: 'add a hat',
      image: await imageFile('one'),
      stream: true,
      partial_images: 1,
    })
    const events = await collect(stream)
    expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed'])
  })
  it('reaches a model with :predict, and one that draws in conversations [images.edits] [image.references]', async () => {
    const image = await imageFile('one')
    await openai().images.edit({ model: MODELS.imagen, prompt: 'add a hat', image, mask: await imageFile('mask') })
    expect(gallery.google.received[0]?.body).toMatchObject({
      instances: [
        {
          referenceImages: [
            { referenceType: 'REFERENCE_TYPE_RAW', referenceImage: { bytesBase64Encoded: pngOf('one') } },
            { referenceType: 'REFERENCE_TYPE_MASK', referenceImage: { bytesBase64Encoded: pngOf('mask') } },
          ],
        },
      ],
    })
    await openai().images.edit({ model: MODELS.gemini, prompt: 'add a hat', image: await imageFile('one') })
    expect(JSON.stringify(gallery.google.received[1]?.body)).toContain(pngOf('one'))
    expect(gallery.google.refused).toEqual([])
  })
  it('emulates a stream of an edit [images.emulated] [images.edits.stream]', async () => {
    const image = await imageFile('one')
    const stream = await openai().images.edit({ model: MODELS.gemini, prompt: 'add a hat', image, stream: true })
    expect((await collect(stream)).map(({ type }) => type)).toEqual(['image_edit.completed'])
  })
  it('passes large files through another thread, to a form and to JSON', async () => {
    const large = Buffer.concat([Buffer.from(pngOf('large'), 'base64'), Buffer.alloc(1_000_001, 'noise')])
    const image = () => toFile(large, 'large.png', { type: 'image/png' })
    await openai().images.edit({ model: MODELS.openai, prompt: 'add a hat', image: await image() })
    const [file] = gallery.openai.received[0]?.files ?? []
    expect((await bytesOf(file?.file)).equals(large)).toBe(true)
    await openai().images.edit({ model: MODELS.imagen, prompt: 'add a hat', image: await image() })
    expect(JSON.stringify(gallery.google.received[0]?.body)).toContain(`"${large.toString('base64')}"`)
  })
})

describe('@google/genai', () => {
  it.each(MODELS_OF_ALL)(
    'generateImages gets images of every kind of model: %s [image.predict] [image.sdk]',
    async (_kind, model) => {
      const { generatedImages = [] } = await genai().models.generateImages({
        model,
        prompt: 'a fox',
        config: { numberOfImages: 2 },
      })
      expect(generatedImages).toHaveLength(2)
      for (const { image } of generatedImages) {
        expect(image?.mimeType).toBe('image/png')
        expect(sizeOf(image?.imageBytes)[0]).toBeGreaterThan(0)
      }
      expect([...gallery.openai.refused, ...gallery.google.refused]).toEqual([])
    },
  )
  it.each([MODELS.openai, MODELS.imagen])(
    'editImage sends an image and a mask to %s [image.references] [image.sdk]',
    async (model) => {
      const raw = Object.assign(new RawReferenceImage(), {
        referenceId: 1,
        referenceImage: { imageBytes: pngOf('one'), mimeType: 'image/png' },
      })
      const mask = Object.assign(new MaskReferenceImage(), {
        referenceId: 2,
        referenceImage: { imageBytes: pngOf('mask'), mimeType: 'image/png' },
        config: { maskMode: MaskReferenceMode.MASK_MODE_USER_PROVIDED },
      })
      const { generatedImages } = await genai().models.editImage({
        model,
        prompt: 'add a hat',
        referenceImages: [raw, mask],
        config: { numberOfImages: 1 },
      })
      expect(sizeOf(generatedImages?.[0]?.image?.imageBytes)[0]).toBeGreaterThan(0)
      expect([...gallery.openai.refused, ...gallery.google.refused]).toEqual([])
    },
  )
  it('gets a reason in the place of a blocked image [image.response] [err.moderation]', async () => {
    const { generatedImages } = await genai().models.generateImages({ model: MODELS.gemini, prompt: 'a forbidden fox' })
    expect(generatedImages).toMatchObject([{ raiFilteredReason: 'Unable to show the generated image.' }])
  })
  it('asks an OpenAI model for pixels of an aspect ratio [image.aspectRatio]', async () => {
    const config = { numberOfImages: 1, aspectRatio: '3:2' }
    await genai().models.generateImages({ model: MODELS.openai, prompt: 'a fox', config })
    expect(gallery.openai.received[0]?.body).toMatchObject({ size: '1536x1024' })
  })
})

describe('the AI SDK', () => {
  it.each(MODELS_OF_ALL)('generateImage gets an image through the chat protocol: %s', async (_kind, model) => {
    const provider = createOpenAICompatible({ name: 'dragoman', baseURL: `${gallery.url}/api/v1`, apiKey: KEY })
    const { images } = await generateImage({ model: provider.imageModel(model), prompt: 'a fox', n: 1 })
    expect(sizeOf(images[0]?.base64)[0]).toBeGreaterThan(0)
  })

  it('generateImage gets an image in a conversation with a Gemini model', async () => {
    const provider = createGoogleGenerativeAI({ baseURL: `${gallery.url}/api/vertex-ai/v1beta`, apiKey: KEY })
    const { images } = await generateImage({
      model: provider.image('gemini-image'),
      prompt: 'a fox',
      aspectRatio: '16:9',
    })
    expect(sizeOf(images[0]?.base64)[0]).toBeGreaterThan(0)
    expect(gallery.google.refused).toEqual([])
  })
})
