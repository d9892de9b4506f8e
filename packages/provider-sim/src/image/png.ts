import type { Canvas } from './canvas.ts'

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const RGB = { type: 2, channels: 3 }
const RGBA = { type: 6, channels: 4 }

/** A PNG file: 8 bits per channel, with alpha only if a pixel is not opaque. */
export async function encodePng(canvas: Canvas): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = canvas
  const { type, channels } = isOpaque(canvas) ? RGB : RGBA
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, type, 0, 0, 0], 8)
  const data = await deflate(filterRows(canvas, channels))
  return join([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', new Uint8Array(0))])
}

function isOpaque({ pixels }: Canvas): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false
  return true
}

/** Every row is written as its difference from the row above (filter 2), which is mostly zeros in drawings. */
function filterRows({ width, height, pixels }: Canvas, channels: number): Uint8Array<ArrayBuffer> {
  const stride = width * channels + 1
  const rows = new Uint8Array(stride * height)
  const hasAlpha = channels === RGBA.channels
  // Nothing is above the first row.
  let above: Canvas['pixels'] = new Uint8ClampedArray(width * 4)
  for (let y = 0, to = 0; y < height; y++) {
    const row = pixels.subarray(y * width * 4, (y + 1) * width * 4)
    rows[to++] = 2
    for (let at = 0; at < row.length; at += 4) {
      rows[to++] = (row[at] ?? 0) - (above[at] ?? 0)
      rows[to++] = (row[at + 1] ?? 0) - (above[at + 1] ?? 0)
      rows[to++] = (row[at + 2] ?? 0) - (above[at + 2] ?? 0)
      if (hasAlpha) rows[to++] = (row[at + 3] ?? 0) - (above[at + 3] ?? 0)
    }
    above = row
  }
  return rows
}

/** PNG's `deflate` is the zlib format, as in `CompressionStream`. */
async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(name), 4)
  bytes.set(data, 8)
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)))
  return bytes
}

function crc32(bytes: Uint8Array): number {
  const table = crcTable()
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 255] ?? 0)
  return ~sum >>> 0
}

function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    return value
  })
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
