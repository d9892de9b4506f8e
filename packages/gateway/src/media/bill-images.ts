import type { Usage } from '@dragoman/core'
import { countWithin, type ImageAnswer, type ImageRequest } from '@dragoman/core/media'
import type { Billed } from '@dragoman/core/provider'

/** What images are billed for: their tokens if the upstream counts them, their number and their size. */
export function billImages({ images, usage, size, quality }: ImageAnswer, asked: ImageRequest): Billed | undefined {
  const drawn = images.filter(({ source }) => source !== undefined).length
  return billImageCount({ usage, images: drawn, size, quality }, asked)
}

interface ImageCount {
  readonly usage?: Usage | undefined
  readonly images?: number | undefined
  readonly size?: string | undefined
  readonly quality?: string | undefined
}

/** Facts that the answer leaves out are those of the request. */
export function billImageCount({ usage, images, ...look }: ImageCount, { settings }: ImageRequest): Billed | undefined {
  if (images === undefined || images === 0) return usage
  const size = look.size ?? settings.size
  const quality = look.quality ?? settings.quality
  const drawn = pixelsOf(size)
  const pixels = drawn && countWithin(drawn)
  return {
    ...usage,
    images,
    ...(pixels === undefined ? {} : { pixels: Array.from({ length: images }, () => pixels) }),
    ...(pixels === drawn ? {} : { clamped: true }),
    ...(size === undefined ? {} : { size }),
    ...(quality === undefined ? {} : { quality }),
    ...(settings.tier === undefined ? {} : { resolution: settings.tier }),
  }
}

function pixelsOf(size: string | undefined): number | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? '') ?? []
  return width === undefined ? undefined : Number(width) * Number(height)
}
