import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, MaskReferenceImage, MaskReferenceMode, RawReferenceImage } from '@google/genai'
import { createDownloads } from '@dragoman/gateway-node'
import { pngOf } from '@dragoman/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KEY, MODELS, openGallery, type Gallery } from './gallery.ts'

// Images that requests for images name by URL.
let gallery: Gallery
let host: Server
let asked: string[] = []
const at = (path: string): string => `http://127.0.0.1:${(host.address() as AddressInfo).port}${path}` // it listens on TCP
const FILES: { [path: string]: string } = {
  '/one.png': pngOf('one'),
  '/two.png': pngOf('two'),
  '/mask.png': pngOf('mask'),
}

beforeAll(async () => {
  gallery = await openGallery()
  host = createServer((request, response) => {
    asked.push(request.url ?? '')
    const file = FILES[request.url ?? '']
    if (file === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(file, 'base64'))
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  asked = []
  gallery.openai.play({ parts: [] })
  gallery.google.play({ parts: [] })
})
afterAll(async () => {
  host.closeAllConnections()
  host.close()
  await gallery.close()
})

/** A JSON edit, which the openai SDK cannot send. */
async function edit(
  body: object,
  { url } = gallery,
): Promise<{ readonly status: number; readonly body: Edited; readonly losses: string | null }> {
  const response = await fetch(`${url}/api/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'add a hat', ...body }),
  })
  const read = (await response.json()) as Edited
  return { status: response.status, body: read, losses: response.headers.get('x-dragoman-losses') }
}
interface Edited {
  readonly data?: readonly { readonly b64_json?: string }[]
  readonly error?: { readonly message: string; readonly param: string | null; readonly type: string }
}

const genai = () =>
  new GoogleGenAI({
    apiKey: KEY,
    vertexai: true,
    httpOptions: { baseUrl: `${gallery.url}/api/vertex-ai`, apiVersion: 'v1' },
  })

describe('an image by URL', () => {
  const images = () => [{ image_url: at('/one.png') }, { image_url: at('/two.png') }]

  it('reaches a model that draws in conversations with its bytes [images.edits]', async () => {
    const { status, losses } = await edit({ model: MODELS.gemini, images: images() })
    expect([status, losses]).toEqual([200, null])
    expect(gallery.google.received[0]?.body).toMatchObject({
      contents: [{ parts: [inline('one'), inline('two'), { text: 'add a hat' }] }],
    })
    expect(asked.sort()).toEqual(['/one.png', '/two.png'])
    expect(gallery.google.refused).toEqual([])
  })

  it('reaches a model with :predict with its bytes, its mask too [images.edits]', async () => {
    const body = { model: MODELS.imagen, image: at('/one.png'), mask: { image_url: at('/mask.png') } }
    expect(await edit(body)).toMatchObject({ status: 200 })
    expect(gallery.google.received[0]?.body).toMatchObject({
      instances: [
        {
          referenceImages: [
            { referenceImage: { bytesBase64Encoded: pngOf('one'), mimeType: 'image/png' } },
            { referenceImage: { bytesBase64Encoded: pngOf('mask'), mimeType: 'image/png' } },
          ],
        },
      ],
    })
    expect(gallery.google.refused).toEqual([])
  })

  it('reaches a driver that takes bytes, its mask too [images.edits]', async () => {
    const body = { model: MODELS.own, image: [at('/one.png')], mask: at('/mask.png') }
    expect(await edit(body)).toMatchObject({ status: 200 })
    const given = ['one', 'mask'].map((name) => `data:image/png;base64,${pngOf(name)}`)
    expect(gallery.own.at(-1)).toMatchObject({ given })
  })

  it('stays a URL for an upstream that opens it', async () => {
    expect(await edit({ model: MODELS.openai, images: images() })).toMatchObject({ status: 200 })
    expect(gallery.openai.received[0]?.body).toMatchObject({ images: images() })
    expect(asked).toEqual([])
  })

  it('is downloaded once for several calls, and for a body that another thread works on', async () => {
    const large = `data:image/png;base64,${Buffer.concat([Buffer.from(pngOf('large'), 'base64'), Buffer.alloc(600_000, 'noise')]).toString('base64')}`
    const body = { model: MODELS.gemini, images: [at('/one.png'), { image_url: large }], n: 3 }
    const { status, body: answer } = await edit(body)
    expect(status).toBe(200)
    expect(answer.data).toHaveLength(3)
    expect(asked).toEqual(['/one.png'])
    expect(gallery.google.received).toHaveLength(3)
    for (const { body: sent } of gallery.google.received)
      expect(sent).toMatchObject({ contents: [{ parts: [inline('one'), {}, {}] }] })
  })

  it.each([MODELS.gemini, MODELS.own])(
    'is the gcsUri of @google/genai, also for %s [image.references] [image.sdk]',
    async (model) => {
      const raw = Object.assign(new RawReferenceImage(), {
        referenceId: 1,
        referenceImage: { gcsUri: at('/one.png'), mimeType: 'image/png' },
      })
      const { generatedImages } = await genai().models.editImage({ model, prompt: 'add a hat', referenceImages: [raw] })
      expect(generatedImages?.[0]?.image?.mimeType).toBe('image/png')
      const sent = model === MODELS.own ? gallery.own.at(-1) : gallery.google.received[0]?.body
      expect(JSON.stringify(sent)).toContain(pngOf('one'))
    },
  )
})

describe('a URL that must not be opened [err.native] (trap 34)', () => {
  const INSIDE = 'https://169.254.169.254/latest/meta-data'
  const GOOD = 'data:image/png;base64,iVBORw0KGgo='
  const SCENES: readonly (readonly [param: string, body: object])[] = [
    ['image', { image: INSIDE }],
    ['image.1', { image: [GOOD, INSIDE] }],
    ['image.image_url.url', { image: { image_url: { url: INSIDE } } }],
    ['images.1.image_url', { images: [{ image_url: GOOD }, { image_url: INSIDE }] }],
    ['images.0.url', { image: GOOD, images: [{ url: INSIDE }] }],
  ]
  it.each(SCENES)('is a 400 that names %s, before any upstream call', async (param, body) => {
    const { received } = gallery.google
    const before = received.length
    for (const model of [MODELS.gemini, MODELS.imagen, MODELS.own]) {
      const { status, body: answer } = await edit({ ...body, model })
      expect(status).toBe(400)
      expect(answer.error).toMatchObject({ param, type: 'invalid_request_error' })
      expect(answer.error?.message).toContain('the host of the URL has no public address')
    }
    expect(received).toHaveLength(before)
  })

  it('is a 400 that names the mask, or the member of a genai request', async () => {
    const { body: answer } = await edit({ model: MODELS.imagen, image: at('/one.png'), mask: { image_url: INSIDE } })
    expect(answer.error).toMatchObject({ param: 'mask.image_url' })
    const mask = Object.assign(new MaskReferenceImage(), {
      referenceId: 1,
      referenceImage: { gcsUri: at('/mask.png') },
      config: { maskMode: MaskReferenceMode.MASK_MODE_USER_PROVIDED },
    })
    const raw = Object.assign(new RawReferenceImage(), { referenceId: 2, referenceImage: { gcsUri: INSIDE } })
    const call = genai().models.editImage({ model: MODELS.own, prompt: 'a hat', referenceImages: [mask, raw] })
    await expect(call).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('instances.0.referenceImages.1.referenceImage.gcsUri') as string,
    })
  })

  it('is a file that does not exist', async () => {
    const { status, body } = await edit({ model: MODELS.gemini, image: at('/missing.png') })
    expect(status).toBe(400)
    expect(body.error?.message).toContain('the host of the URL did not answer with a file')
  })
})

describe('the files of one request', () => {
  let bounded: Gallery
  beforeAll(async () => {
    const downloads = createDownloads({ allow: ['127.0.0.1'] })
    bounded = await openGallery({ downloads, limits: { downloads: 2, body: 1024 } })
  })
  afterAll(() => bounded.close())

  it('are bounded in number', async () => {
    const images = ['/one.png', '/two.png', '/mask.png'].map((path) => ({ image_url: at(path) }))
    const { status, body } = await edit({ model: MODELS.gemini, images }, bounded)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param: 'images.2.image_url' })
    expect(body.error?.message).toContain('at most 2 files by URL')
    expect(asked).toEqual([])
  })

  it('are bounded in size together', async () => {
    FILES['/large.png'] = Buffer.concat([Buffer.from(pngOf('one'), 'base64'), Buffer.alloc(800)]).toString('base64')
    const images = [at('/large.png'), { image_url: at('/large.png?again') }]
    FILES['/large.png?again'] = FILES['/large.png']
    const { status, body } = await edit({ model: MODELS.gemini, images }, bounded)
    expect(status).toBe(400)
    expect(body.error?.message).toMatch(/^images\.[01](\.image_url)?: .*too large/)
    expect(bounded.google.received).toEqual([])
  })
})

describe('without downloads', () => {
  let offline: Gallery
  beforeAll(async () => {
    offline = await openGallery({})
  })
  afterAll(() => offline.close())

  it('a URL is passed on to upstreams with URLs, and refused for a driver that takes bytes', async () => {
    const image = at('/one.png')
    await edit({ model: MODELS.imagen, image }, offline)
    expect(JSON.stringify(offline.google.received[0]?.body)).toContain(`"gcsUri":"${image}"`)
    const { status, body } = await edit({ model: MODELS.own, image }, offline)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({ param: 'image', message: 'image: this model takes no images by URL.' })
    expect([asked, offline.own]).toEqual([[], []])
  })
})

function inline(name: string): object {
  return { inlineData: { mimeType: 'image/png', data: pngOf(name) } }
}
