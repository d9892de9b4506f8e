import type { ImageRequest } from '@dragoman/core/media'
import { digest, sourceText } from '../digest.ts'
import { createCanvas, type Canvas } from './canvas.ts'
import { fitCanvas } from './fit-canvas.ts'
import { sizeOf } from './image-size.ts'
import { paintScene } from './paint.ts'
import { composeScene } from './scene.ts'
import { readSource } from './read-source.ts'

/** The images of a request, in order. The same request gets the same images. */
export async function drawImages(request: ImageRequest, count: number): Promise<readonly Canvas[]> {
  const [reference] = request.references ?? []
  const [given, mask] = await Promise.all([readSource(reference?.source), readSource(request.mask?.source)])
  const size = sizeOf(request.settings, given)
  const base = seedText(request)
  return Array.from({ length: count }, (_, index) => {
    const canvas = createCanvas(size.width, size.height)
    const seed = Number.parseInt(digest(`${index} ${base}`).slice(0, 8), 16)
    // Several images of one prompt are of the same kind: only the seed differs.
    paintScene(canvas, composeScene(request.prompt, seed), {
      transparent: request.settings.background === 'transparent',
    })
    if (given !== undefined) edit(canvas, fitCanvas(given, size.width, size.height), mask)
    return canvas
  })
}

/** Everything that makes an image another one. */
function seedText({ prompt, settings, references = [], mask }: ImageRequest): string {
  const { seed = 0, negativePrompt = '', style = '', guidance = 0 } = settings
  const given = [...references, ...(mask === undefined ? [] : [mask])].map(({ source }) => sourceText(source))
  return digest([prompt, negativePrompt, style, String(seed), String(guidance), ...given].join('\0'))
}

/** How much of a given image is repainted where there is no mask. */
const OVERLAY = 0.45

/** Keeps the given image where the mask is opaque, and shows the new one where it is transparent. Without a mask, both are mixed. */
function edit(canvas: Canvas, given: Canvas, mask: Canvas | undefined): void {
  const { width, height, pixels } = canvas
  for (let at = 0; at < pixels.length; at += 4) {
    const pixel = at / 4
    const kept =
      mask === undefined ? 1 - OVERLAY : alphaAt(mask, (pixel % width) / width, Math.floor(pixel / width) / height)
    const painted = ((pixels[at + 3] ?? 0) / 255) * (1 - kept)
    for (let channel = 0; channel < 3; channel++) {
      const before = given.pixels[at + channel] ?? 0
      pixels[at + channel] = before + ((pixels[at + channel] ?? 0) - before) * painted
    }
    pixels[at + 3] = 255
  }
}

function alphaAt({ width, height, pixels }: Canvas, along: number, down: number): number {
  const at = (Math.floor(down * height) * width + Math.floor(along * width)) * 4
  return (pixels[at + 3] ?? 0) / 255
}
