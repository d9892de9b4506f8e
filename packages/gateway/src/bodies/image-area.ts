/** The number of pixels of an image, from the head of its base64; undefined for a format that is not known here. */
export function imageArea(base64: string): number | undefined {
  const head = bytesAt(base64, 0, 30)
  if (head.startsWith('\x89PNG')) return big(head, 16, 4) * big(head, 20, 4)
  if (head.startsWith('GIF8')) return little(head, 6, 2) * little(head, 8, 2)
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return webpArea(head)
  return head.startsWith('\xff\xd8\xff') ? jpegArea(base64) : undefined
}

/** Bytes of base64, of either alphabet, as characters. Empty if it is not base64. */
export function bytesAt(base64: string, start: number, length: number): string {
  const group = Math.floor(start / 3)
  const end = Math.ceil((start + length) / 3)
  const text = base64
    .slice(group * 4, end * 4)
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  try {
    return atob(text).slice(start - group * 3, start - group * 3 + length)
  } catch {
    return ''
  }
}

function webpArea(head: string): number | undefined {
  switch (head.slice(12, 16)) {
    case 'VP8 ':
      return (little(head, 26, 2) & MOST_14_BITS) * (little(head, 28, 2) & MOST_14_BITS)
    case 'VP8L': {
      const bits = little(head, 21, 4)
      return ((bits & MOST_14_BITS) + 1) * ((Math.floor(bits / 2 ** 14) & MOST_14_BITS) + 1)
    }
    case 'VP8X':
      return (little(head, 24, 3) + 1) * (little(head, 27, 3) + 1)
    default:
      return undefined
  }
}

const MOST_14_BITS = 0x3fff
/** An image has a few dozen segments before its size. */
const MOST_SEGMENTS = 500

/** The size is in the first segment that begins a frame, which can be after profiles and thumbnails of many kilobytes. */
function jpegArea(base64: string): number | undefined {
  let at = 2
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) {
    const head = bytesAt(base64, at, 9)
    if (head.length < 9 || head.charCodeAt(0) !== 0xff) return undefined
    const marker = head.charCodeAt(1)
    if (FRAMES.has(marker)) return big(head, 5, 2) * big(head, 7, 2)
    at += 2 + big(head, 2, 2)
  }
  return undefined
}

/** The markers of frames: all from C0 to CF except tables. */
const FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
])

function big(bytes: string, start: number, length: number): number {
  let value = 0
  for (let index = start; index < start + length; index++) value = value * 256 + bytes.charCodeAt(index)
  return value
}

function little(bytes: string, start: number, length: number): number {
  let value = 0
  for (let index = start + length - 1; index >= start; index--) value = value * 256 + bytes.charCodeAt(index)
  return value
}
