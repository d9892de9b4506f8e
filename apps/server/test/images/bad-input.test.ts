import { connect } from 'node:net'
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

interface Answer {
  readonly status: number
  readonly body: { readonly error: { readonly message: string; readonly param?: string } }
}

async function post(path: string, body: object): Promise<Answer> {
  const isForm = body instanceof FormData
  const answer = await fetch(gallery.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

/** No upstream has seen anything, not even a request that it refused. */
function expectNoCalls(): void {
  const seen = [gallery.openai, gallery.google].flatMap(({ received, refused }) => [...received, ...refused])
  expect([...seen, ...gallery.own]).toEqual([])
}

const predict = (model: string): string =>
  `/api/vertex-ai/v1/publishers/${model.split('/')[0]}/models/${model.split('/')[1]}:predict`
const GENERATIONS = '/api/v1/images/generations'
const EDITS = '/api/v1/images/edits'
const png = (name = 'a'): Blob => new Blob([Buffer.from(pngOf(name), 'base64')], { type: 'image/png' })
const long = 'QUJD'.repeat(50_000)

function form(members: readonly (readonly [string, string | Blob])[]): FormData {
  const fields = new FormData()
  for (const [name, value] of [['model', MODELS.openai], ['prompt', 'a hat'], ...members] as const)
    if (typeof value === 'string') fields.append(name, value)
    else fields.append(name, value, `${name.replace('[]', '')}.png`)
  return fields
}

const image = (bytesBase64Encoded: string, mimeType = 'image/png') => ({
  instances: [{ prompt: 'a hat', image: { bytesBase64Encoded, mimeType } }],
})

describe('bad input is a native 400 that names the field, before any upstream call', () => {
  it.each([
    ['wrong base64', EDITS, { prompt: 'p', image: 'data:image/png;base64,AA*A' }, 'image'],
    [
      'wrong base64 in the middle of a long image',
      EDITS,
      { prompt: 'p', image: `data:image/png;base64,${long}*A==${long}` },
      'image',
    ],
    ['wrong padding of a long image', EDITS, { prompt: 'p', image: `data:image/png;base64,${long}A` }, 'image'],
    ['a wrong type', EDITS, { prompt: 'p', image: 'data:text/plain;base64,AAAA' }, 'image'],
    ['too many images to draw [images.generations]', GENERATIONS, { prompt: 'p', n: 11 }, 'n'],
    [
      'too many images to edit',
      EDITS,
      { prompt: 'p', images: Array.from({ length: 17 }, () => ({ image_url: `data:image/png;base64,${pngOf('a')}` })) },
      'images',
    ],
    ['an unsupported size', GENERATIONS, { prompt: 'p', size: '333x333' }, 'size'],
    ['an invalid size', GENERATIONS, { prompt: 'p', size: 'large' }, 'size'],
    ['no prompt', GENERATIONS, {}, 'prompt'],
  ])('chat: %s', async (_what, path, members, field) => {
    const { status, body } = await post(path, { model: MODELS.openai, ...members })
    expect([status, body.error.param]).toEqual([400, field])
    expect(body.error.message).toContain(field)
    expectNoCalls()
  })

  it.each([
    ['wrong base64', image('AA*A'), 'instances.0.image.bytesBase64Encoded'],
    ['wrong base64 in a long image', image(`${long}*AAA${long}`), 'instances.0.image.bytesBase64Encoded'],
    ['a wrong type', image('AAAA', 'text/plain'), 'instances.0.image.mimeType'],
    [
      'too many images [image.sampleCount]',
      { instances: [{ prompt: 'p' }], parameters: { sampleCount: 5 } },
      'sampleCount',
    ],
    [
      'an unsupported ratio [image.aspectRatio]',
      { instances: [{ prompt: 'p' }], parameters: { aspectRatio: '5:1' } },
      'aspectRatio',
    ],
    [
      'an unsupported size [image.imageSize]',
      { instances: [{ prompt: 'p' }], parameters: { imageSize: '17x17' } },
      'imageSize',
    ],
    ['no prompt [image.prompt]', { instances: [{}] }, 'instances.0.prompt'],
  ])('genai: %s', async (_what, body, field) => {
    const answer = await post(predict(MODELS.imagen), body)
    expect(answer).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } })
    expect(answer.body.error.message).toContain(field)
    expectNoCalls()
  })

  it.each([
    ['a file of the wrong type', [['image', new Blob(['text'], { type: 'text/plain' })]], 'image'],
    ['too many images', Array.from({ length: 17 }, () => ['image[]', png()] as const), 'image'],
    [
      'an invalid number',
      [
        ['image', png()],
        ['n', 'many'],
      ],
      'n',
    ],
    ['very many parts', Array.from({ length: 200 }, () => ['image[]', png()] as const), 'image'],
    [
      'a member twice',
      [
        ['image', png()],
        ['size', 'auto'],
        ['size', 'auto'],
      ],
      'size',
    ],
    ['a file above the limit', [['image', new Blob([Buffer.alloc(26 * 1024 * 1024)], { type: 'image/png' })]], 'image'],
  ] as const)('forms: %s [images.edits]', async (_what, members, field) => {
    const { status, body } = await post(EDITS, form(members))
    expect([status, body.error.param]).toEqual([400, field])
    expectNoCalls()
  })
})

describe('a form without end', () => {
  it('is read up to the limit and no further', async () => {
    const { hostname, port } = new URL(gallery.url)
    const socket = connect(Number(port), hostname)
    const block = Buffer.alloc(256 * 1024, 'x')
    let answer = ''
    let sent = 0
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => undefined)
    socket.on('data', (data) => (answer += data.toString()))
    socket.write(
      `POST ${EDITS} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${KEY}\r\ncontent-type: multipart/form-data; boundary=b\r\n` +
        'transfer-encoding: chunked\r\n\r\n',
    )
    const part = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    const chunk = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')])
    /** Writes one block after another, until the gateway answers. */
    const pump = (): void => {
      if (socket.destroyed) return
      if (answer !== '') return void socket.end()
      sent += block.length
      socket.write(chunk, pump)
    }
    pump()
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    // The limit of a body is 32 MiB; what is beyond it is in the buffers of the sockets, or is discarded.
    expect(sent).toBeLessThan(80 * 1024 * 1024)
    expectNoCalls()
  })
})
