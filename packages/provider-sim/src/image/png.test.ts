import { crc32, deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { createCanvas, type Canvas } from './canvas.ts'
import { encodePng } from './png.ts'
import { readPng } from './read-png.ts'

/** Images of any size; half of them are opaque. */
const canvases = fc
  .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }), opaque: fc.boolean() })
  .chain(({ width, height, opaque }) =>
    fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }).map((bytes): Canvas => {
      const canvas = createCanvas(width, height)
      canvas.pixels.set(opaque ? bytes.map((byte, at) => (at % 4 === 3 ? 255 : byte)) : bytes)
      return canvas
    }),
  )

describe('a PNG file', () => {
  it('has the pixels of the canvas, for an independent decoder', async () => {
    await fc.assert(
      fc.asyncProperty(canvases, async (canvas) => {
        const { width, height, data } = PNG.sync.read(Buffer.from(await encodePng(canvas)))
        expect({ width, height }).toEqual({ width: canvas.width, height: canvas.height })
        expect([...data]).toEqual([...canvas.pixels])
      }),
    )
  })
})

describe('reading a PNG file', () => {
  it('gives back what was written', async () => {
    await fc.assert(
      fc.asyncProperty(canvases, async (canvas) => {
        expect(await readPng(await encodePng(canvas))).toEqual(canvas)
      }),
    )
  })

  it.each([
    ['gray', 0],
    ['RGB', 2],
    ['gray with alpha', 4],
    ['RGBA', 6],
  ] as const)('reads %s with every filter, as an independent decoder does', async (_name, colorType) => {
    const filters = [0, 1, 2, 3, 4] as const
    await fc.assert(
      fc.asyncProperty(canvases, fc.constantFrom(...filters), async ({ width, height, pixels }, filterType) => {
        const png = new PNG({ width, height })
        png.data = Buffer.from(pixels)
        const file = PNG.sync.write(png, { colorType, filterType })
        const { data } = PNG.sync.read(file)
        expect([...((await readPng(file))?.pixels ?? [])]).toEqual([...data])
      }),
      { numRuns: 40 },
    )
  })

  it('reads images with a palette', async () => {
    const palette = [255, 0, 0, 0, 255, 0, 0, 0, 255]
    const rows = Buffer.from([0, 0, 1, 2, 0, 2, 1, 0])
    const file = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', [0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]),
      chunk('PLTE', palette),
      chunk('tRNS', [255, 128]),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', []),
    ])
    const { data } = PNG.sync.read(file)
    expect([...((await readPng(file))?.pixels ?? [])]).toEqual([...data])
  })

  it('reads nothing from other or damaged files', async () => {
    const file = await encodePng(createCanvas(20, 20))
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.uint8Array(), async (end, tail) => {
        const damaged = new Uint8Array([...file.subarray(0, end), ...tail])
        const read = await readPng(damaged)
        expect(read === undefined || (read.width > 0 && read.height > 0)).toBe(true)
      }),
    )
    expect(await readPng(new TextEncoder().encode('GIF89a'))).toBeUndefined()
  })
})

function chunk(name: string, data: Iterable<number>): Buffer {
  const contents = Buffer.concat([Buffer.from(name), Buffer.from([...data])])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(contents.length - 4)
  sum.writeUInt32BE(crc32(contents))
  return Buffer.concat([length, contents, sum])
}
