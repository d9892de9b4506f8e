import { crc32, deflateSync } from 'node:zlib'

/** A real PNG of one colour, which depends on a text, in base64. */
export function pngOf(text: string, width = 16, height = 16): string {
  const colour = [...Buffer.from(text)].reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8) // eight bits per channel, red, green and blue
  const row = Buffer.alloc(1 + width * 3)
  for (let x = 0; x < width; x++) row.writeUIntBE(colour & 0xffffff, 1 + x * 3, 3)
  const pixels = Buffer.concat(Array.from({ length: height }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks]).toString('base64')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
