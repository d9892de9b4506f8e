import type { ImageRequest } from '@dragoman/core/media'
import { describe, expect, it } from 'vitest'
import { createCanvas, type Canvas } from './canvas.ts'
import { coarsen } from './coarse.ts'
import { drawImages } from './draw.ts'
import { encodePng } from './png.ts'

type Options = Partial<Omit<ImageRequest, 'model' | 'delivery'>>

async function draw(options: Options = {}, count = 1): Promise<readonly Canvas[]> {
  const { prompt = 'A lighthouse at dusk', settings = { size: '160x96' }, ...rest } = options
  return drawImages({ model: 'painter', delivery: {}, prompt, settings, ...rest }, count)
}

async function drawOne(options?: Options): Promise<Canvas> {
  return (await draw(options))[0]!
}

/** The mean difference of two images, per channel. */
function distance(left: Canvas, right: Canvas): number {
  return Math.sqrt(
    left.pixels.reduce((sum, value, at) => sum + (value - right.pixels[at]!) ** 2, 0) / left.pixels.length,
  )
}

async function source(canvas: Canvas) {
  return { kind: 'base64', mime: 'image/png', data: Buffer.from(await encodePng(canvas)).toString('base64') } as const
}

function plain(color: readonly [number, number, number, number], width = 160, height = 96): Canvas {
  const canvas = createCanvas(width, height)
  for (let at = 0; at < canvas.pixels.length; at += 4) canvas.pixels.set(color, at)
  return canvas
}

describe('a drawing', () => {
  it('is the same for the same request', async () => {
    expect(await draw()).toEqual(await draw())
  })

  it.each<Options>([
    { prompt: 'A lighthouse at dawn' },
    { settings: { size: '160x96', seed: 7 } },
    { settings: { size: '160x96', negativePrompt: 'clouds' } },
  ])('differs for another prompt, seed or negative prompt: %o', async (other) => {
    expect(distance(await drawOne(other), await drawOne())).toBeGreaterThan(5)
  })

  it('has several versions, which all differ', async () => {
    const versions = await draw({}, 4)
    for (const [index, version] of versions.entries())
      for (const other of versions.slice(index + 1)) expect(distance(version, other)).toBeGreaterThan(3)
  })

  it.each([
    [{ size: '640x368' }, 640, 368],
    [{ size: 'auto' }, 1024, 1024],
    [{}, 1024, 1024],
    [{ aspectRatio: '16:9' }, 1360, 768],
    [{ aspectRatio: '9:16', tier: '1K' }, 768, 1360],
  ] as const)('has the size of the settings: %o', async (settings, width, height) => {
    expect(await drawOne({ settings })).toMatchObject({ width, height })
  })

  it('refuses a size that it cannot draw, and names the member', async () => {
    for (const size of ['4000x100', '8x8', 'large', '100'])
      await expect(draw({ settings: { size } })).rejects.toMatchObject({ kind: 'invalid-request', param: 'size' })
  })

  it('has no background if that is requested', async () => {
    const { pixels } = await drawOne({ settings: { size: '160x96', background: 'transparent' } })
    expect(pixels[3]).toBe(0)
    expect(pixels.at(-1)).toBe(255)
    expect((await drawOne()).pixels[3]).toBe(255)
  })

  it('converges: each unfinished image is nearer to the finished one', async () => {
    for (const prompt of ['A city at night', 'Snow', 'A boat', 'x']) {
      const finished = await drawOne({ prompt, settings: { size: '320x208' } })
      const [first = 0, second = 0, third = 0] = [0, 1, 2].map((step) => distance(coarsen(finished, step), finished))
      expect(first).toBeGreaterThan(second)
      expect(second).toBeGreaterThan(third)
      expect(third).toBeGreaterThan(0)
    }
  })
})

describe('an edit', () => {
  const RED = plain([255, 0, 0, 255])

  it('shows the given image', async () => {
    const edited = await drawOne({ references: [{ source: await source(RED) }] })
    expect(distance(edited, RED)).toBeLessThan(distance(await drawOne(), RED))
    expect(edited.pixels[0]).toBeGreaterThan(130)
  })

  it('has the size of the given image', async () => {
    const references = [{ source: await source(plain([0, 0, 0, 255], 123, 45)) }]
    expect(await drawOne({ references, settings: {} })).toMatchObject({ width: 123, height: 45 })
  })

  it('keeps what the mask covers, and repaints the rest', async () => {
    const mask = plain([0, 0, 0, 255])
    for (let at = 0; at < mask.pixels.length; at += 4) if ((at / 4) % 160 >= 80) mask.pixels[at + 3] = 0
    const { pixels } = await drawOne({
      references: [{ source: await source(RED) }],
      mask: { source: await source(mask) },
    })
    const row = pixels.subarray(48 * 160 * 4)
    expect([...row.subarray(0, 4)]).toEqual([255, 0, 0, 255])
    expect([...row.subarray(150 * 4, 150 * 4 + 4)]).not.toEqual([255, 0, 0, 255])
  })

  it('differs for another image, also if it cannot be read', async () => {
    const jpeg = (data: string) => [{ source: { kind: 'base64', mime: 'image/jpeg', data } as const }]
    expect(distance(await drawOne({ references: jpeg('AAAA') }), await drawOne({ references: jpeg('AAAB') }))).toBeGreaterThan(3) // prettier-ignore
  })
})
