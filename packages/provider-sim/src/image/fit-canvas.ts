import { createCanvas, type Canvas } from './canvas.ts'

/** The image in another size: scaled so that it fills the size, and cut where it is too long. Opaque, on white. */
export function fitCanvas(canvas: Canvas, width: number, height: number): Canvas {
  const fitted = createCanvas(width, height)
  const scale = Math.min(canvas.width / width, canvas.height / height)
  const left = (canvas.width - width * scale) / 2
  const top = (canvas.height - height * scale) / 2
  for (let y = 0; y < height; y++) {
    const row = Math.min(canvas.height - 1, Math.floor(top + (y + 0.5) * scale)) * canvas.width
    for (let x = 0; x < width; x++) {
      const from = (row + Math.min(canvas.width - 1, Math.floor(left + (x + 0.5) * scale))) * 4
      const to = (y * width + x) * 4
      const alpha = (canvas.pixels[from + 3] ?? 0) / 255
      for (let channel = 0; channel < 3; channel++) {
        fitted.pixels[to + channel] = 255 + ((canvas.pixels[from + channel] ?? 0) - 255) * alpha
      }
      fitted.pixels[to + 3] = 255
    }
  }
  return fitted
}
