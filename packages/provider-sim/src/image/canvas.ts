/** Red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number]

/** Pixels in rows from the top, four bytes each: red, green, blue, alpha. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8ClampedArray
}

/** An empty, transparent canvas. */
export function createCanvas(width: number, height: number): Canvas {
  return { width, height, pixels: new Uint8ClampedArray(width * height * 4) }
}

export function hex(color: string): Color {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

export function mix(from: Color, to: Color, share: number): Color {
  const at = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share
  return [at(0), at(1), at(2)]
}

/** Paints one pixel over what is there. `alpha` is 0 to 1. */
export function blend({ pixels }: Canvas, at: number, [red, green, blue]: Color, alpha: number): void {
  if (alpha <= 0) return
  const below = (pixels[at + 3] ?? 0) / 255
  const total = alpha + below * (1 - alpha)
  const share = alpha / total
  pixels[at] = (pixels[at] ?? 0) * (1 - share) + red * share
  pixels[at + 1] = (pixels[at + 1] ?? 0) * (1 - share) + green * share
  pixels[at + 2] = (pixels[at + 2] ?? 0) * (1 - share) + blue * share
  pixels[at + 3] = total * 255
}

/** Paints whole rows, each in the color that `colorAt` gives for its middle, from `top` on. */
export function fillRows({ width, height, pixels }: Canvas, top: number, colorAt: (y: number) => Color): void {
  const words = wordsOf(pixels)
  for (let y = Math.max(0, Math.round(top)); y < height; y++)
    words.fill(wordOf(colorAt(y + 0.5)), y * width, (y + 1) * width)
}

/** Paints everything below a line, which has one height for each column. */
export function fillBelow(canvas: Canvas, line: Float32Array, colorAt: (y: number) => Color): void {
  const { width, height, pixels } = canvas
  const words = wordsOf(pixels)
  const highest = line.reduce((least, y) => Math.min(least, y), height)
  for (let y = Math.max(0, Math.floor(highest)); y < height; y++) {
    const color = colorAt(y + 0.5)
    const word = wordOf(color)
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const covered = y + 1 - (line[x] ?? 0)
      if (covered >= 1) words[at] = word
      else blend(canvas, at * 4, color, covered)
    }
  }
}

/** The four bytes of each pixel as one number, which is written four times as fast. */
function wordsOf({ buffer, byteOffset, length }: Uint8ClampedArray): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length / 4)
}

/** An opaque pixel, rounded as the canvas rounds. */
function wordOf([red, green, blue]: Color): number {
  const [word = 0] = wordsOf(Uint8ClampedArray.of(red, green, blue, 255))
  return word
}

/** An ellipse whose edge fades over `soft` of its radius; 0 is a sharp edge. */
export interface Ellipse {
  readonly x: number
  readonly y: number
  readonly radiusX: number
  readonly radiusY: number
  readonly soft: number
}

export function fillEllipse(canvas: Canvas, ellipse: Ellipse, color: Color, alpha: number): void {
  const { width, height } = canvas
  const { x: centerX, y: centerY, radiusX, radiusY, soft } = ellipse
  const edge = Math.max(soft, 1 / Math.min(radiusX, radiusY))
  const reach = 1 + edge / 2
  const right = Math.min(width - 1, Math.ceil(centerX + radiusX * reach))
  const bottom = Math.min(height - 1, Math.ceil(centerY + radiusY * reach))
  for (let y = Math.max(0, Math.floor(centerY - radiusY * reach)); y <= bottom; y++) {
    const dy = (y + 0.5 - centerY) / radiusY
    for (let x = Math.max(0, Math.floor(centerX - radiusX * reach)); x <= right; x++) {
      const dx = (x + 0.5 - centerX) / radiusX
      const inside = (reach - Math.sqrt(dx * dx + dy * dy)) / edge
      if (inside <= 0) continue
      const covered = Math.min(1, inside)
      blend(canvas, (y * width + x) * 4, color, alpha * covered * (soft > 0 ? covered : 1))
    }
  }
}
