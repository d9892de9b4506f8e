import { DragomanError } from '@dragoman/core'
import type { ImageSettings } from '@dragoman/core/media'

/** A size in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The longest side. */
export const LONGEST = 3840
const PIXELS_OF: { readonly [tier: string]: number } = { '1K': 1024, '2K': 2048, '4K': 3840 }
const DEFAULT: Size = { width: 1024, height: 1024 }

/** The size of an image: as asked for, otherwise that of the image to edit, otherwise by tier and aspect ratio. */
export function sizeOf({ size, tier, aspectRatio }: ImageSettings, given: Size | undefined): Size {
  if (size !== undefined && size !== 'auto') return readSize(size)
  if (aspectRatio !== undefined || tier !== undefined) return bySetting(tier, aspectRatio)
  return given === undefined || Math.max(given.width, given.height) > LONGEST ? DEFAULT : given
}

function readSize(size: string): Size {
  const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(size) ?? []).map(Number)
  if (width < 16 || height < 16 || width > LONGEST || height > LONGEST) {
    throw new DragomanError('invalid-request', `The size must be <width>x<height>, with sides from 16 to ${LONGEST}.`, {
      param: 'size',
    })
  }
  return { width, height }
}

/** The area is that of a square of the tier; sides are multiples of 16. */
function bySetting(tier = '1K', aspectRatio = '1:1'): Size {
  const [, across = 1, down = 1] = (/^(\d+):(\d+)$/.exec(aspectRatio) ?? []).map(Number)
  const side = PIXELS_OF[tier.toUpperCase()] ?? 1024
  const ratio = Math.sqrt(across / down)
  const round = (length: number): number => Math.min(LONGEST, Math.max(16, Math.round(length / 16) * 16))
  return { width: round(side * ratio), height: round(side / ratio) }
}
