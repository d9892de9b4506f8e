import type { Source } from '@dragoman/core'
import { createCanvas, type Canvas } from '../image/canvas.ts'
import { fitCanvas } from '../image/fit-canvas.ts'
import { readSource } from '../image/read-source.ts'

const COLUMNS = 16

/** A given image as a few hundred bytes, because an operation carries everything that it needs in its name. */
export async function encodeThumbnail(source: Source | undefined, ratio: number): Promise<string | undefined> {
  const given = await readSource(source)
  if (given === undefined) return undefined
  const { pixels } = fitCanvas(given, COLUMNS, Math.max(1, Math.round(COLUMNS / ratio)))
  return btoa(String.fromCharCode(...pixels.filter((_, at) => at % 4 < 3)))
}

export function decodeThumbnail(thumbnail: string | undefined): Canvas | undefined {
  if (thumbnail === undefined) return undefined
  const colors = atob(thumbnail)
  const canvas = createCanvas(COLUMNS, colors.length / 3 / COLUMNS)
  for (let pixel = 0; pixel < colors.length / 3; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      canvas.pixels[pixel * 4 + channel] = colors.charCodeAt(pixel * 3 + channel)
    }
    canvas.pixels[pixel * 4 + 3] = 255
  }
  return canvas
}
