import { createLosses, createSseReader, type DragomanError, type Protocol } from '@dragoman/core'
import type { ImageAnswer, ImageCodec, ImageEvent, ImageRequest } from '@dragoman/core/media'
import { chat, protocols } from '@dragoman/core/protocols'
import { encodeMultipart } from '@dragoman/core/provider'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createSim } from './index.ts'
import { DEADLINES, receive, type Answered } from '../test/call.ts'

const sim = createSim({ now: () => 1000 })
const painters = protocols.flatMap((protocol) => {
  const { image: codec, name } = protocol
  return codec === undefined ? [] : [{ name, protocol, codec, model: name === 'chat' ? 'painter' : `painter-${name}` }]
})
type Painter = (typeof painters)[number]
const small: ImageRequest['settings'] = { size: '192x128' }

/** Sends an IR request to a painter, in its own protocol, as JSON or as a form. */
async function send({ protocol, codec, model }: Painter, asked: Partial<ImageRequest>): Promise<Sent> {
  const request = { model, prompt: 'A boat on a lake', settings: small, delivery: {}, ...asked }
  const losses = createLosses()
  const context = { issuer: protocol.issuer, losses, toward: 'upstream', id: () => 'id', now: 0 } as const
  const { operation, body } = codec.encode(request, context)
  const target = protocol.http.target(operation, request.model, false)
  const form = target.body === 'multipart' ? codec.form?.write(body) : undefined
  const call = sim.call(protocol.name, target, {
    headers: {},
    body: form === undefined ? JSON.stringify(body) : await encodeMultipart(form),
    deadlines: DEADLINES,
  })
  return { answered: await receive(sim, call), operation }
}

interface Sent {
  readonly answered: Answered
  readonly operation: string
}

async function draw(painter: Painter, asked: Partial<ImageRequest> = {}): Promise<ImageAnswer> {
  const { answered, operation } = await send(painter, asked)
  const { protocol, codec } = painter
  if (answered.status !== 200) throw protocol.error.decode(answered.status, answered.text)
  if (answered.failure !== undefined) throw new Error(answered.failure)
  return codec.answer.decode(JSON.parse(answered.text), { issuer: protocol.issuer, operation })
}

function pixelsOf(source: ImageAnswer['images'][number]['source']): PNG {
  if (source?.kind !== 'base64') throw new Error('no image')
  expect(source.mime).toBe('image/png')
  return PNG.sync.read(Buffer.from(source.data, 'base64'))
}

describe.each(painters)('the simulated painter of $name', (painter) => {
  it('draws an image of the requested size, the same every time', async () => {
    const answer = await draw(painter)
    expect(pixelsOf(answer.images[0]?.source)).toMatchObject({ width: 192, height: 128 })
    expect(await draw(painter)).toEqual(answer)
    const other = await draw(painter, { prompt: 'A city at night' })
    expect(pixelsOf(other.images[0]?.source).data.equals(pixelsOf(answer.images[0]?.source).data)).toBe(false)
  })

  it('draws up to four images, and no more', async () => {
    const { images } = await draw(painter, { settings: { ...small, count: 4 } })
    const files = images.map(({ source }) => pixelsOf(source).data.toString('base64'))
    expect(new Set(files).size).toBe(4)
    await expect(draw(painter, { settings: { ...small, count: 5 } })).rejects.toMatchObject({ kind: 'invalid-request' })
  })

  it('edits an image where the mask is transparent', async () => {
    const given = (alpha: (x: number) => number): { kind: 'base64'; mime: string; data: string } => {
      const png = new PNG({ width: 192, height: 128 })
      for (let at = 0; at < png.data.length; at += 4) png.data.set([250, 10, 10, alpha((at / 4) % 192)], at)
      return { kind: 'base64', mime: 'image/png', data: PNG.sync.write(png).toString('base64') }
    }
    const { images } = await draw(painter, {
      references: [{ source: given(() => 255), id: 1 }],
      mask: { source: given((x) => (x < 96 ? 255 : 0)), id: 2 },
    })
    const { data } = pixelsOf(images[0]?.source)
    expect([...data.subarray(0, 4)]).toEqual([250, 10, 10, 255])
    expect([...data.subarray(190 * 4, 190 * 4 + 4)]).not.toEqual([250, 10, 10, 255])
  })

  it('blocks, fails and breaks if requested', async () => {
    await expect(draw(painter, { prompt: '[[error 503]] x' })).rejects.toThrow(/status 503/)
    await expect(draw(painter, { prompt: '[[cut]] x' })).rejects.toThrow(/reset/)
    // In chat that is an error, in genai an image with a reason.
    const blocked = await draw(painter, { prompt: '[[block]] x' }).then(
      ({ images }) => images[0]?.blocked,
      (error: DragomanError) => (error.code === 'moderation_blocked' ? error.message : error),
    )
    expect(blocked).toMatch(/asked to block/)
  })

  it('refuses what it cannot draw, and unknown models', async () => {
    await expect(draw(painter, { settings: { size: '100x100' } })).rejects.toMatchObject({ kind: 'invalid-request' })
    await expect(draw(painter, { model: 'nobody' })).rejects.toMatchObject({ kind: 'not-found' })
  })
})

describe('the simulated painter of chat', () => {
  const painter = painters.find(({ protocol }) => protocol === chat)!

  async function stream(asked: Partial<ImageRequest>): Promise<readonly ImageEvent[]> {
    const { answered, operation } = await send(painter, { delivery: { stream: true, partials: 3 }, ...asked })
    expect(answered.header('content-type')).toBe('text/event-stream')
    const events: ImageEvent[] = []
    const machine = decoder(painter.codec, painter.protocol, operation, events)
    const reader = createSseReader((data) => machine.push(data))
    reader.push(new TextEncoder().encode(answered.text))
    reader.end()
    machine.end()
    return events
  }

  it('streams unfinished images that come nearer to the finished one, which is that of a whole answer', async () => {
    const events = await stream({})
    expect(events.map((event) => (event.type === 'partial' ? event.index : event.type))).toEqual([
      0,
      1,
      2,
      'image',
      'end',
    ])
    const frames = events.flatMap((event) =>
      event.type === 'partial' ? pixelsOf(event.source) : event.type === 'image' ? pixelsOf(event.image.source) : [],
    )
    const final = frames.at(-1)!
    const distances = frames.map(({ data }) => data.reduce((sum, value, at) => sum + (value - final.data[at]!) ** 2, 0))
    expect(distances).toEqual(distances.toSorted((left, right) => right - left))
    expect(new Set(distances).size).toBe(4)
    const whole = await draw(painter)
    expect(final.data.equals(pixelsOf(whole.images[0]?.source).data)).toBe(true)
    expect(events.find((event) => event.type === 'image')).toMatchObject({
      usage: whole.usage!,
      look: { created: 1000, size: '192x128', quality: 'high', background: 'opaque', format: 'image/png' },
    })
  })

  it('streams several images, and edits', async () => {
    const png = new PNG({ width: 64, height: 64 })
    const source = { kind: 'base64', mime: 'image/png', data: PNG.sync.write(png).toString('base64') } as const
    const events = await stream({ references: [{ source }], settings: { ...small, count: 2 } })
    expect(events.map(({ type }) => type).join(' ')).toBe(
      'partial partial partial image partial partial partial image end',
    )
  })

  it('reports a blocked image as an error of the stream', async () => {
    expect((await stream({ prompt: '[[block]]' })).at(-1)).toMatchObject({ type: 'error' })
  })

  it('counts the prompt, given images and pixels', async () => {
    const { usage } = await draw(painter, { prompt: '12345678' })
    expect(usage).toMatchObject({ input: 2, output: 24, modalities: { input: { text: 2, image: 0 } } })
  })

  it('draws nothing behind the land if the background is transparent', async () => {
    const { images, background } = await draw(painter, { settings: { ...small, background: 'transparent' } })
    expect(pixelsOf(images[0]?.source).data[3]).toBe(0)
    expect(background).toBe('transparent')
  })
})

describe('the simulated painter of genai', () => {
  const painter = painters.find(({ name }) => name === 'genai')!

  it('draws another image for another seed, and tells the refined prompt', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map((seed) => draw(painter, { settings: { ...small, seed, enhance: true } })),
    )
    expect(pixelsOf(first?.images[0]?.source).data.equals(pixelsOf(second?.images[0]?.source).data)).toBe(false)
    expect(first?.images[0]?.prompt).toContain('A boat on a lake')
  })

  it.each([
    ['16:9', '1K', 16 / 9],
    ['9:16', '2K', 9 / 16],
  ])('computes the size of %s in %s', async (aspectRatio, tier, ratio) => {
    const { images } = await draw(painter, { settings: { aspectRatio, tier } })
    const { width, height } = pixelsOf(images[0]?.source)
    expect(width / height).toBeCloseTo(ratio, 1)
    expect(Math.sqrt(width * height) / (tier === '1K' ? 1024 : 2048)).toBeCloseTo(1, 1)
  })
})

function decoder(codec: ImageCodec, protocol: Protocol, operation: string, events: ImageEvent[]) {
  if (codec.stream === undefined) throw new Error('no streams')
  return codec.stream.decode((event) => events.push(event), { issuer: protocol.issuer, operation })
}
