import { createCanvas, type Canvas } from './canvas.ts'

/**
 * An unfinished image: squares with the average color of what they cover. `step` counts from 0; each step halves the squares, so that
 * every unfinished image is closer to the finished one.
 */
export function coarsen(canvas: Canvas, step: number): Canvas {
  const { width, height, pixels } = canvas
  const coarse = createCanvas(width, height)
  const largest = 2 ** Math.floor(Math.log2(Math.max(16, Math.min(width, height) / 10)))
  const side = Math.max(2, largest >> step)
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const bottom = Math.min(height, top + side)
      const right = Math.min(width, left + side)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0
        for (let y = top; y < bottom; y++) {
          for (let x = left; x < right; x++) sum += pixels[(y * width + x) * 4 + channel] ?? 0
        }
        const average = sum / ((bottom - top) * (right - left))
        for (let y = top; y < bottom; y++) {
          for (let x = left; x < right; x++) coarse.pixels[(y * width + x) * 4 + channel] = average
        }
      }
    }
  }
  return coarse
}
