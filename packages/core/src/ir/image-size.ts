import type { SizeRule } from './image.ts'

/** Width and height in pixels. */
export interface Pixels {
  readonly width: number
  readonly height: number
}

/** `1536x1024`; undefined for anything else, `auto` too. */
export function parseSize(size: string): Pixels | undefined {
  return parsePair(size, /^([1-9]\d{0,5})x([1-9]\d{0,5})$/i)
}

export function formatSize({ width, height }: Pixels): string {
  return `${width}x${height}`
}

/** The width divided by the height; undefined for anything that is not `<width>:<height>`. */
export function parseRatio(ratio: string): number | undefined {
  const pair = parsePair(ratio, /^(\d{1,5}(?:\.\d{1,5})?):(\d{1,5}(?:\.\d{1,5})?)$/)
  return pair === undefined || pair.width === 0 || pair.height === 0 ? undefined : pair.width / pair.height
}

function parsePair(text: string, form: RegExp): Pixels | undefined {
  const [, width, height] = form.exec(text) ?? []
  return width === undefined || height === undefined ? undefined : { width: Number(width), height: Number(height) }
}

/** The pixels of an image in a tier, whatever its shape: those of a square of 1024 for 1K. Undefined for a value that is not a tier. */
export function parseTier(tier: string): number | undefined {
  const [, thousands, side] = /^(?:(\d{1,2}(?:\.\d)?)K|(\d{3,4})(?:px)?)$/i.exec(tier) ?? []
  const length = thousands === undefined ? Number(side ?? 0) : Number(thousands) * 1024
  return length > 0 ? length * length : undefined
}

/** Why a size does not follow a rule; undefined if it does. */
export function sizeProblem({ width, height }: Pixels, rule: SizeRule): string | undefined {
  const { multiple, minSide = 1, maxSide, maxRatio, minPixels = 1, maxPixels } = rule
  const [short, long] = width < height ? [width, height] : [height, width]
  if (short === 0 || width % multiple !== 0 || height % multiple !== 0)
    return `width and height must be multiples of ${multiple}`
  if (long > maxSide) return `width and height must be at most ${maxSide}`
  if (short < minSide) return `width and height must be at least ${minSide}`
  if (maxRatio !== undefined && long > short * maxRatio) return `one side must be at most ${maxRatio} times the other`
  if (width * height < minPixels) return `it must have at least ${minPixels} pixels`
  if (maxPixels !== undefined && width * height > maxPixels) return `it must have at most ${maxPixels} pixels`
  return undefined
}

/** The size by a rule that is nearest to a shape and a number of pixels; undefined if the rule allows none. */
export function nearestByRule(ratio: number, pixels: number, rule: SizeRule): Pixels | undefined {
  const rounded = (length: number): number => Math.round(length / rule.multiple) * rule.multiple
  const plain = { width: rounded(Math.sqrt(pixels * ratio)), height: rounded(Math.sqrt(pixels / ratio)) }
  return sizeProblem(plain, rule) === undefined ? plain : nearest(sizesAround(ratio, rule), ratio, pixels)
}

/** For each width, the two heights around the exact one, and the least and the greatest that the rule allows for it. */
function* sizesAround(ratio: number, rule: SizeRule): Generator<Pixels> {
  const { multiple, minSide = 1, maxSide, maxRatio = maxSide, minPixels = 1, maxPixels = maxSide * maxSide } = rule
  const down = (length: number): number => Math.floor(length / multiple) * multiple
  const up = (length: number): number => Math.ceil(length / multiple) * multiple
  for (let width = up(minSide); width <= maxSide; width += multiple) {
    const exact = width / ratio
    const least = Math.max(minSide, width / maxRatio, minPixels / width)
    const greatest = Math.min(maxSide, width * maxRatio, maxPixels / width)
    for (const height of new Set([down(exact), up(exact), up(least), down(greatest)])) {
      if (height > 0 && sizeProblem({ width, height }, rule) === undefined) yield { width, height }
    }
  }
}

/** The nearest of several sizes. The shape counts more than the number of pixels: an image can be scaled, but not stretched. */
export function nearest(sizes: Iterable<Pixels>, ratio: number, pixels: number): Pixels | undefined {
  let best: Pixels | undefined
  let least = Infinity
  for (const size of sizes) {
    const { width, height } = size
    const distance = SHAPE_WEIGHT * apart(width / height, ratio) + apart(width * height, pixels)
    if (distance < least) [best, least] = [size, distance]
  }
  return best
}

const SHAPE_WEIGHT = 4

/** How far two numbers are apart, as the logarithm of their quotient: 0 for the same number. */
export function apart(one: number, other: number): number {
  return Math.abs(Math.log(one / other))
}
