import { createCanvas, type Canvas } from './canvas.ts'

/** The most pixels of an image that is read. */
const MOST_PIXELS = 4096 * 4096
/** The channels of each color type: gray, RGB, palette, gray with alpha, RGBA. */
const CHANNELS_OF: { readonly [type: number]: number } = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** The pixels of a PNG file with 8 bits per channel. Undefined for any other file: images are given to influence others, no more. */
export async function readPng(bytes: Uint8Array): Promise<Canvas | undefined> {
  const chunks = readChunks(bytes)
  const header = chunks.find(({ name }) => name === 'IHDR')?.data
  if (header?.length !== 13) return undefined
  const view = new DataView(header.buffer, header.byteOffset)
  const [width, height, depth, type, interlaced] = [
    view.getUint32(0),
    view.getUint32(4),
    header[8],
    header[9],
    header[12],
  ]
  const channels = CHANNELS_OF[type ?? -1]
  if (channels === undefined || depth !== 8 || interlaced !== 0) return undefined
  if (width === 0 || height === 0 || width * height > MOST_PIXELS) return undefined
  const data = chunks.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data)
  const rows = await inflate(data, (width * channels + 1) * height)
  if (rows === undefined) return undefined
  undoFilters(rows, width * channels, channels)
  const dataOf = (name: string): Uint8Array => chunks.find((chunk) => chunk.name === name)?.data ?? new Uint8Array(0)
  return toCanvas(rows, { width, height, channels, palette: dataOf('PLTE'), alphas: dataOf('tRNS') })
}

interface PngChunk {
  readonly name: string
  readonly data: Uint8Array<ArrayBuffer>
}

function readChunks(file: Uint8Array): readonly PngChunk[] {
  const bytes = new Uint8Array(file)
  const view = new DataView(bytes.buffer)
  const chunks: PngChunk[] = []
  const signature = [0x89, 0x50, 0x4e, 0x47]
  if (signature.some((byte, index) => bytes[index] !== byte)) return []
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) return chunks
    chunks.push({ name: String.fromCharCode(...bytes.subarray(at + 4, at + 8)), data: bytes.subarray(at + 8, end) })
    at = end + 4
  }
  return chunks
}

/** Exactly this many bytes; undefined if there are fewer or they cannot be read. More are never unpacked. */
async function inflate(parts: readonly Uint8Array<ArrayBuffer>[], length: number): Promise<Uint8Array | undefined> {
  const unpacked = new Uint8Array(length)
  let at = 0
  try {
    const reader = new Blob([...parts]).stream().pipeThrough(new DecompressionStream('deflate')).getReader()
    while (at < length) {
      const { done, value } = await reader.read()
      if (done) return undefined
      unpacked.set(value.subarray(0, length - at), at)
      at += value.length
    }
    await reader.cancel()
  } catch {
    return undefined // not the format of PNG
  }
  return unpacked
}

/** Every row says how its bytes were predicted: from the left, from above, from both. The first byte of each row stays. */
function undoFilters(rows: Uint8Array, width: number, channels: number): void {
  const stride = width + 1
  for (let start = 0; start < rows.length; start += stride) {
    const filter = rows[start]
    for (let x = 1; x <= width; x++) {
      const at = start + x
      const left = x > channels ? (rows[at - channels] ?? 0) : 0
      const above = start > 0 ? (rows[at - stride] ?? 0) : 0
      const corner = x > channels && start > 0 ? (rows[at - stride - channels] ?? 0) : 0
      rows[at] = (rows[at] ?? 0) + predicted(filter, left, above, corner)
    }
  }
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  return filter === 4 ? paeth(left, above, corner) : 0
}

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

interface Layout {
  readonly width: number
  readonly height: number
  readonly channels: number
  /** Empty unless pixels are numbers of colors. */
  readonly palette: Uint8Array
  readonly alphas: Uint8Array
}

function toCanvas(rows: Uint8Array, { width, height, channels, palette, alphas }: Layout): Canvas {
  const canvas = createCanvas(width, height)
  const isPalette = channels === 1 && palette.length > 0
  const colors = isPalette ? palette : rows
  /** Of gray, all three colors are the first byte. */
  const green = !isPalette && channels < 3 ? 0 : 1
  const hasAlpha = channels % 2 === 0
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      const at = y * (width * channels + 1) + 1 + x * channels
      const first = rows[at] ?? 0
      const from = isPalette ? first * 3 : at
      canvas.pixels[to] = colors[from] ?? 0
      canvas.pixels[to + 1] = colors[from + green] ?? 0
      canvas.pixels[to + 2] = colors[from + 2 * green] ?? 0
      canvas.pixels[to + 3] = isPalette ? (alphas[first] ?? 255) : hasAlpha ? (rows[at + channels - 1] ?? 255) : 255
    }
  }
  return canvas
}
