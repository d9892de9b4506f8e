import { describe, expect, it } from 'vitest'
import { createLosses } from '../../ir/loss.ts'
import type { ImageEvent } from '../../ir/image.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createSseReader } from '../../lib/sse.ts'
import type { MediaEncoding } from '../media.ts'
import { http } from './http.ts'
import { image } from './image.ts'

const PNG = 'iVBORw0KGgo='
const DATA = `data:image/png;base64,${PNG}`
const ASKED = { model: 'openai/gpt-image-2', prompt: 'a boat' }
const reading = (operation = 'image') => ({ issuer: 'openai', operation })
const writing = (members: Partial<MediaEncoding> = {}): MediaEncoding => ({
  ...reading(),
  losses: createLosses(),
  toward: 'upstream',
  id: () => 'id',
  now: 1_700_000_000,
  ...members,
})

describe('paths of images', () => {
  it('[images.generations] [images.edits] are matched', () => {
    const match = (path: string) => http.match('POST', path, new URLSearchParams())
    expect(match('/images/generations')).toEqual({ operation: 'image' })
    expect(match('/images/edits')).toEqual({ operation: 'image-edit' })
    expect(http.match('GET', '/images/edits', new URLSearchParams())).toBe('method')
  })

  it('are those of the upstream, edits as a form', () => {
    expect(http.target('image', 'x', false)).toEqual({ path: '/images/generations', headers: {} })
    expect(http.target('image-edit', 'x', false)).toMatchObject({ path: '/images/edits', body: 'multipart' })
    expect(http.target('image-edit-json', 'x', false)).toMatchObject({ path: '/images/edits', body: 'json' })
  })
})

describe('a request for images', () => {
  it('[images.params] has every member that chooses what the events report', () => {
    const settings = { quality: 'high', background: 'transparent', output_format: 'webp', output_compression: 80 }
    const wire = { ...ASKED, n: 3, size: '1536x1024', moderation: 'low', ...settings, stream: true, partial_images: 2 }
    const request = image.decode(image.check(wire, reading()), reading())
    expect(request).toEqual({
      ...ASKED,
      settings: {
        count: 3,
        size: '1536x1024',
        quality: 'high',
        background: 'transparent',
        format: 'image/webp',
        compression: 80,
        safety: 'low',
      },
      delivery: { stream: true, partials: 2 },
    })
    const context = writing()
    expect(image.encode(request, context)).toEqual({ operation: 'image', body: wire })
    expect(context.losses.entries()).toEqual([])
  })

  it.each<[string, JsonObject, string]>([
    ['no model', { prompt: 'x' }, 'model'],
    ['no prompt', { model: 'x' }, 'prompt'],
    ['an empty prompt', { ...ASKED, prompt: '' }, 'prompt'],
    ['a prompt that is too long', { ...ASKED, prompt: 'x'.repeat(32_001) }, 'prompt'],
    ['no images', { ...ASKED, n: 0 }, 'n'],
    ['too many images', { ...ASKED, n: 11 }, 'n'],
    ['half an image', { ...ASKED, n: 1.5 }, 'n'],
    ['an invalid size', { ...ASKED, size: 'large' }, 'size'],
    ['an unknown quality', { ...ASKED, quality: 'best' }, 'quality'],
    ['an unknown background', { ...ASKED, background: 'red' }, 'background'],
    ['an unknown format', { ...ASKED, output_format: 'bmp' }, 'output_format'],
    ['too much compression', { ...ASKED, output_compression: 101 }, 'output_compression'],
    ['too many unfinished images', { ...ASKED, partial_images: 4 }, 'partial_images'],
    ['an unknown moderation', { ...ASKED, moderation: 'none' }, 'moderation'],
    ['an unknown form', { ...ASKED, response_format: 'file' }, 'response_format'],
    ['a stream that is a word', { ...ASKED, stream: 'yes' }, 'stream'],
  ])('[images.generations] is refused with %s', (_what, wire, param) => {
    expect(() => image.check(wire, reading())).toThrow(expect.objectContaining({ kind: 'invalid-request', param }))
  })

  it.each<[string, JsonObject, string]>([
    ['no image', {}, 'image'],
    ['a wrong character', { image: 'data:image/png;base64,A*AA' }, 'image'],
    ['wrong padding', { images: [{ image_url: 'data:image/png;base64,AA=A' }] }, 'images.0.image_url'],
    ['a wrong type', { image: ['data:text/html;base64,AAAA'] }, 'image.0'],
    ['no data', { image: 'data:image/png;base64,' }, 'image'],
    ['bare base64', { image: PNG }, 'image'],
    ['an empty list', { images: [] }, 'images'],
    ['an invalid mask', { image: DATA, mask: { image_url: 'data:image/png;base64,AA-*' } }, 'mask.image_url'],
    ['an unknown fidelity', { image: DATA, input_fidelity: 'full' }, 'input_fidelity'],
  ])('[images.edits] is refused with %s', (_what, change, param) => {
    const check = () => image.check({ ...ASKED, ...change }, reading('image-edit'))
    expect(check).toThrow(expect.objectContaining({ kind: 'invalid-request', param }))
  })

  it('[images.edits] has images in every form that clients send', () => {
    const images = [
      { image_url: DATA },
      { image_url: { url: DATA } },
      { url: DATA, type: 'image_url' },
      { file_id: 'f' },
    ]
    const wire = { ...ASKED, image: [DATA, 'https://example.com/a.png'], images, mask: DATA }
    const { references, mask } = image.decode(image.check(wire, reading('image-edit')), reading('image-edit'))
    const inline = { source: { kind: 'base64', mime: 'image/png', data: PNG } }
    const linked = { source: { kind: 'url', url: 'https://example.com/a.png' } }
    const file = { source: { kind: 'file', issuer: 'openai', id: 'f' } }
    expect(references).toEqual([inline, linked, inline, inline, inline, file])
    expect(mask).toEqual(inline)
  })

  it('is a form if all images are inline, and JSON if one is not, or for upstreams that take it', () => {
    const source = { kind: 'base64', mime: 'image/png', data: PNG } as const
    const request = { ...ASKED, references: [{ source }], settings: {}, delivery: {} }
    const linked = { ...request, references: [{ source: { kind: 'url', url: 'https://example.com/a.png' } as const }] }
    expect(image.encode(request, writing())).toEqual({ operation: 'image-edit', body: { ...ASKED, image: [DATA] } })
    expect(image.encode(linked, writing())).toEqual({
      operation: 'image-edit-json',
      body: { ...ASKED, images: [{ image_url: 'https://example.com/a.png' }] },
    })
    expect(image.encode(request, writing({ dialect: { edits: 'json' } })).body['images']).toEqual([{ image_url: DATA }])
    expect(image.encode(request, writing({ dialect: { edits: 'url' } })).body['images']).toEqual([
      { type: 'image_url', url: DATA },
    ])
  })

  it('asks for base64 where the upstream has a choice', () => {
    const request = { ...ASKED, settings: {}, delivery: {} }
    expect(image.encode(request, writing()).body).not.toHaveProperty('response_format')
    const choosing = writing({ dialect: { responseFormat: true } })
    expect(image.encode(request, choosing).body).toMatchObject({ response_format: 'b64_json' })
    const linked = { ...request, delivery: { form: 'url' } as const }
    expect(image.encode(linked, choosing).body).toMatchObject({ response_format: 'url' })
    const context = writing()
    image.encode(linked, context)
    expect(context.losses.entries()).toMatchObject([{ kind: 'dropped', path: ['delivery', 'form'] }])
  })
})

describe('a form', () => {
  it('[images.edits] has image and image[], repeated, a mask, and numbers as text', async () => {
    const form = new FormData()
    const file = (type?: string) =>
      new File([Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0))], 'a.png', type === undefined ? {} : { type })
    form.append('model', 'm')
    form.append('prompt', '7')
    form.append('image', file('image/png'))
    form.append('image[]', file())
    form.append('image[]', file('application/octet-stream'))
    form.append('mask', file('image/png'))
    form.append('n', '2')
    form.append('stream', 'true')
    const body = await image.form?.read(form)
    expect(body).toEqual({ model: 'm', prompt: '7', image: [DATA, DATA, DATA], mask: DATA, n: 2, stream: true })
  })

  it('[images.edits] refuses a member that is repeated, and bytes that are no image', async () => {
    const form = new FormData()
    form.append('prompt', 'a')
    form.append('prompt', 'b')
    await expect(image.form?.read(form)).rejects.toMatchObject({ kind: 'invalid-request', param: 'prompt' })
    const other = new FormData()
    for (const [name, value] of Object.entries(ASKED)) other.append(name, value)
    other.append('image', new File(['hello'], 'a.txt'))
    const body = await image.form?.read(other)
    expect(() => image.check(body, reading('image-edit'))).toThrow(expect.objectContaining({ param: 'image' }))
  })

  it('has one file as image, several as image[]', async () => {
    const one = image.form?.write({ ...ASKED, image: [DATA], n: 2, stream: true })
    expect([...(one?.keys() ?? [])]).toEqual(['model', 'prompt', 'image', 'n', 'stream'])
    const many = image.form?.write({ ...ASKED, image: [DATA, DATA], mask: DATA })
    const files = many?.getAll('image[]') as File[]
    expect(files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['image-1.png', 'image/png', 8],
      ['image-2.png', 'image/png', 8],
    ])
    expect(many && (await image.form?.read(many))).toEqual({ ...ASKED, image: [DATA, DATA], mask: DATA })
  })
})

describe('a stream of images', () => {
  const events: readonly ImageEvent[] = [
    { type: 'partial', index: 0, source: { kind: 'base64', mime: 'image/png', data: 'AAAA' }, look: {} },
    { type: 'partial', index: 1, source: { kind: 'base64', mime: 'image/png', data: 'AAAB' }, look: {} },
    {
      type: 'image',
      image: { source: { kind: 'base64', mime: 'image/png', data: PNG } },
      look: { created: 5, size: '1024x1024' },
      usage: { input: 3, output: 4, modalities: { input: { image: 1, text: 2 } } },
    },
    { type: 'end' },
  ]
  const written = (operation: string, given = events) => {
    let text = ''
    const machine = image.stream?.encode(
      (piece) => (text += piece),
      writing({ operation, requested: { quality: 'low' } }),
    )
    for (const event of given) machine?.push(event)
    machine?.end()
    return text
  }
  const framesOf = (text: string) => {
    const frames: { event: string | undefined; data: JsonObject }[] = []
    const reader = createSseReader((data, event) => frames.push({ event, data: JSON.parse(data) as JsonObject }))
    reader.push(new TextEncoder().encode(text))
    reader.end()
    return frames
  }

  it.each([
    ['[images.generations.stream]', 'image', 'image_generation'],
    ['[images.edits.stream]', 'image-edit', 'image_edit'],
  ])('%s [images.event.fields] has named events with all their members', (_rows, operation, kind) => {
    const look = { background: 'auto', output_format: 'png', quality: 'low' }
    const partial = { type: `${kind}.partial_image`, created_at: 1_700_000_000, size: 'auto', ...look }
    const usage = {
      input_tokens: 3,
      input_tokens_details: { image_tokens: 1, text_tokens: 2 },
      output_tokens: 4,
      total_tokens: 7,
    }
    expect(framesOf(written(operation))).toEqual([
      { event: `${kind}.partial_image`, data: { ...partial, b64_json: 'AAAA', partial_image_index: 0 } },
      { event: `${kind}.partial_image`, data: { ...partial, b64_json: 'AAAB', partial_image_index: 1 } },
      {
        event: `${kind}.completed`,
        data: { type: `${kind}.completed`, b64_json: PNG, created_at: 5, size: '1024x1024', ...look, usage },
      },
    ])
  })

  it('ends with an error event if nothing was drawn', () => {
    const blocked = { type: 'image', image: { blocked: 'Not this.' }, look: {} } as const
    expect(framesOf(written('image', [blocked, { type: 'end' }]))).toEqual([
      {
        event: 'error',
        data: {
          type: 'error',
          error: { message: 'Not this.', type: 'invalid_request_error', param: null, code: 'moderation_blocked' },
        },
      },
    ])
  })

  it('is read again, whatever other events it has', () => {
    const read: ImageEvent[] = []
    const machine = image.stream?.decode((event) => read.push(event), reading())
    machine?.push('{"type":"image_generation.queued"}')
    for (const { data } of framesOf(written('image'))) machine?.push(JSON.stringify(data))
    machine?.end()
    expect(read.map(({ type }) => type)).toEqual(['partial', 'partial', 'image', 'end'])
  })
})

describe('a tap', () => {
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 }
  const bytesOf = (text: string) => new TextEncoder().encode(text)
  const joined = (pieces: readonly (Uint8Array | undefined)[]) =>
    new TextDecoder().decode(Uint8Array.from(pieces.flatMap((piece) => [...(piece ?? [])])))
  const push = (tap: ReturnType<typeof image.tap>, text: string, size: number) => {
    const bytes = bytesOf(text)
    const pieces = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(tap.push(bytes.subarray(at, at + size)))
    return pieces
  }

  it.each([1, 7, 4096, 1_000_000])('counts images and usage of a whole answer in chunks of %i', (size) => {
    const data = [{ b64_json: 'A'.repeat(5000) }, { url: 'https://example.com/a.png' }, {}]
    const text = JSON.stringify({ created: 1, data, quality: 'high', size: '1024x1024', usage })
    const tap = image.tap({ stream: false })
    expect(joined(push(tap, text, size))).toBe(text)
    expect(tap.end()).toMatchObject({
      complete: true,
      isError: false,
      usage: { input: 3, output: 4 },
      images: 2,
    })
  })

  it.each([1, 7, 4096, 1_000_000])('counts images and usage of a stream in chunks of %i', (size) => {
    const frame = (type: string, members: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'A'.repeat(40_000), ...members })}\n\n`
    const text = `: hi "\n\n${frame('image_edit.partial_image', {})}${frame('image_edit.completed', { usage, size: '1x1' })}`
    const tap = image.tap({ stream: true })
    expect(joined(push(tap, text, size))).toBe(text)
    expect(tap.betweenFrames).toBe(true)
    expect(tap.end()).toMatchObject({
      complete: true,
      usage: { input: 3, output: 4 },
      images: 1,
      rest: undefined,
    })
  })

  it('holds back an error, and allows no keep-alive inside an image', () => {
    const tap = image.tap({ stream: true })
    expect(tap.push(bytesOf(`data: {"type":"image_edit.completed","b64_json":"${'A'.repeat(40_000)}`))).toBeDefined()
    expect(tap.betweenFrames).toBe(false)
    tap.push(bytesOf('"}\r\n\r\n'))
    expect(tap.betweenFrames).toBe(true)
    expect(tap.lineEnd).toBe('\r\n')
    expect(
      tap.push(bytesOf('event: error\r\ndata: {"type":"error","error":{"message":"no","type":"x"}}\r\n\r\n')),
    ).toBeUndefined()
    expect(tap.failed).toMatchObject({ message: 'no' })
  })
})
