import OpenAI, { APIError, AuthenticationError, BadRequestError, toFile } from 'openai'
import { chat } from '@dragoman/core/protocols'
import { afterEach, describe, expect, it } from 'vitest'
import { createImagesDouble } from './images.ts'
import { acceptImageAnswer, acceptImageStream } from './images-answer.ts'
import { pngOf } from './png.ts'
import type { Script } from './script.ts'
import type { Double } from './server.ts'

const doubles: Double[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function start(script?: Script): Promise<{ readonly double: Double; readonly client: OpenAI }> {
  const double = await createImagesDouble({}, script)
  doubles.push(double)
  return { double, client: new OpenAI({ apiKey: 'key', baseURL: `${double.url}/v1`, maxRetries: 0 }) }
}

type Event = OpenAI.ImageGenStreamEvent | OpenAI.ImageEditStreamEvent

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const events: T[] = []
  for await (const event of stream) events.push(event)
  return events
}

const model = 'gpt-image-2'
const imageFile = (name = 'a.png', type = 'image/png') => toFile(Buffer.from(pngOf(name), 'base64'), name, { type })

function sizeOf(base64: string | undefined): readonly number[] {
  const bytes = Buffer.from(base64 ?? '', 'base64')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

describe('the images double with its official client', () => {
  it('draws', async () => {
    const { client } = await start()
    const answer = await client.images.generate({ model, prompt: 'a fox', n: 2, size: '1536x1024', quality: 'high' })
    expect(answer).toMatchObject({ size: '1536x1024', quality: 'high', output_format: 'png' })
    expect(answer.usage?.total_tokens).toBe(1106)
    expect(answer.data?.map(({ b64_json }) => sizeOf(b64_json))).toEqual([
      [24, 16],
      [24, 16],
    ])
  })

  it('draws in a stream, with unfinished images', async () => {
    const { client } = await start()
    const stream = await client.images.generate({ model, prompt: 'a fox', stream: true, partial_images: 2 })
    const events = await collect<Event>(stream)
    expect(events.map(({ type }) => type)).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ])
    expect(events.flatMap((event) => ('partial_image_index' in event ? event.partial_image_index : []))).toEqual([0, 1])
  })

  it('edits one image, several, and with a mask', async () => {
    const { client, double } = await start()
    await client.images.edit({ model, prompt: 'a hat', image: await imageFile() })
    await client.images.edit({
      model,
      prompt: 'a hat',
      image: [await imageFile(), await imageFile('b.webp', 'image/webp')],
      mask: await imageFile('mask.png'),
      n: 2,
      input_fidelity: 'high',
    })
    const names = double.received.map(({ files = [] }) => files.map(({ name }) => name).sort())
    expect(names).toEqual([['image'], ['image[]', 'image[]', 'mask']])
  })

  it('edits in a stream', async () => {
    const { client } = await start()
    const stream = await client.images.edit({
      model,
      prompt: 'a hat',
      image: await imageFile(),
      stream: true,
      partial_images: 1,
    })
    const events = await collect<Event>(stream)
    expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed'])
  })

  it('fails with its typed errors, also inside a stream', async () => {
    const { client } = await start()
    const blocked = client.images.generate({ model, prompt: 'a forbidden fox' })
    await expect(blocked).rejects.toThrow(BadRequestError)
    await expect(blocked).rejects.toMatchObject({ code: 'moderation_blocked' })
    const error = { type: 'server_error', message: 'no' }
    const { client: broken } = await start([{ parts: [], sending: { cut: { after: 1, how: { status: 500, error } } } }])
    const stream = await broken.images.generate({ model, prompt: 'a fox', stream: true, partial_images: 2 })
    await expect(collect<Event>(stream)).rejects.toThrow(APIError)
    const unknown = new OpenAI({ apiKey: 'key', baseURL: broken.baseURL, defaultHeaders: { authorization: 'x' } })
    await expect(unknown.images.generate({ model, prompt: 'a fox' })).rejects.toThrow(AuthenticationError)
  })

  it('sends what its own types allow', async () => {
    const { double, client } = await start()
    acceptImageAnswer({ ...(await client.images.generate({ model, prompt: 'a fox' })) })
    const call = (path: string, body: object) =>
      fetch(`${double.url}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'a fox', stream: true, partial_images: 3, n: 2, ...body }),
      })
    acceptImageStream(await (await call('/images/generations', {})).text(), 'image_generation')
    const images = [{ image_url: `data:image/png;base64,${pngOf('a')}` }]
    acceptImageStream(await (await call('/images/edits', { images })).text(), 'image_edit')
  })
})

describe('what the images double refuses', () => {
  it.each<[string, object, string]>([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['eleven images', { n: 11 }, 'n:'],
    ['an unknown member', { seed: 1 }, 'body.seed'],
    ['a size in words', { size: 'large' }, 'size'],
    ['an unknown quality', { quality: 'best' }, 'quality'],
    ['the form of a URL', { response_format: 'url' }, 'response_format'],
    ['a style', { style: 'vivid' }, 'style'],
    ['compression of png', { output_compression: 50 }, 'output_compression'],
    ['too much compression', { output_compression: 101, output_format: 'jpeg' }, 'output_compression'],
    ['a transparent jpeg', { background: 'transparent', output_format: 'jpeg' }, 'background'],
    ['unfinished images without a stream', { partial_images: 1 }, 'partial_images'],
    ['four unfinished images', { partial_images: 4, stream: true }, 'partial_images'],
    ['null', { n: null }, 'n:'],
  ])('%s', async (_name, change, why) => {
    const { double, client } = await start()
    const ask = { model, prompt: 'a fox', ...change } as OpenAI.ImageGenerateParamsNonStreaming // more than its types allow
    await expect(client.images.generate(ask)).rejects.toThrow(BadRequestError)
    expect(double.refused.join()).toContain(why)
  })

  it.each<[string, object, string]>([
    ['no image', {}, 'images'],
    ['an image of text', { images: [{ image_url: 'data:text/plain;base64,AAAA' }] }, 'images.0.image_url'],
    ['invalid base64', { images: [{ image_url: 'data:image/png;base64,A' }] }, 'images.0.image_url'],
    ['two sources', { images: [{ image_url: 'https://x.y/z', file_id: 'f' }] }, 'images.0'],
    ['a text as an image', { images: ['https://x.y/z'] }, 'images.0'],
  ])('%s in an edit', async (_name, change, why) => {
    const { double } = await start()
    const response = await fetch(`${double.url}/images/edits`, {
      method: 'POST',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({ model, prompt: 'a hat', ...change }),
    })
    expect(response.status).toBe(400)
    expect(double.refused.join()).toContain(why)
  })

  it('files of other types, and a repeated image', async () => {
    const { double, client } = await start()
    const ask = { model, prompt: 'a hat' }
    await expect(client.images.edit({ ...ask, image: await imageFile('a.txt', 'text/plain') })).rejects.toThrow('image')
    const form = new FormData()
    for (const [name, value] of Object.entries(ask)) form.append(name, value)
    for (const name of ['a.png', 'b.png']) form.append('image', await imageFile(name))
    const headers = { authorization: 'Bearer key' }
    const response = await fetch(`${double.url}/images/edits`, { method: 'POST', headers, body: form })
    expect(response.status).toBe(400)
    expect(double.refused.join()).toContain('duplicate')
  })
})

describe('the official client and the codec of images', () => {
  it('agree on requests', async () => {
    const { double, client } = await start()
    await client.images.generate({ model, prompt: 'a fox', n: 2, size: '1536x1024', output_format: 'webp' })
    await client.images.edit({ model, prompt: 'a hat', image: [await imageFile()], mask: await imageFile('m.png') })
    const { image } = chat
    const [generation, edit] = double.received
    const context = { issuer: 'openai', operation: 'image' }
    expect(image?.decode(image.check({ ...generation?.body }, context), context)).toMatchObject({
      prompt: 'a fox',
      settings: { count: 2, size: '1536x1024', format: 'image/webp' },
    })
    const form = new FormData()
    for (const [name, value] of Object.entries(edit?.body ?? {})) form.append(name, String(value))
    for (const { name, file } of edit?.files ?? []) form.append(name, file)
    const editing = { issuer: 'openai', operation: 'image-edit' }
    const body = image?.check(await image.form?.read(form), editing)
    expect(body && image?.decode(body, editing)).toMatchObject({
      prompt: 'a hat',
      references: [{ source: { kind: 'base64', mime: 'image/png', data: pngOf('a.png') } }],
      mask: { source: { kind: 'base64', mime: 'image/png', data: pngOf('m.png') } },
    })
  })
})
