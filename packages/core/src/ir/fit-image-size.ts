import {
  apart,
  formatSize,
  nearest,
  nearestByRule,
  parseRatio,
  parseSize,
  parseTier,
  sizeProblem,
} from './image-size.ts'
import type { Pixels } from './image-size.ts'
import type { ImageFacts, ImageSettings } from './image.ts'
import type { Losses } from './loss.ts'
import type { Refuse } from './refuse.ts'

/** How a request is made to conform to a card. The losses are those of its settings. */
export interface Fitting {
  readonly facts: ImageFacts
  readonly losses: Losses
  readonly refuse: Refuse
}

type Sizing = Pick<ImageSettings, 'size' | 'tier' | 'aspectRatio'>

/** Settings with a size for a model that takes pixels, and with an aspect ratio and a tier for one that takes those. */
export function fitSize(settings: ImageSettings, fitting: Fitting): ImageSettings {
  const { size, tier, aspectRatio, ...others } = settings
  if (size === undefined && tier === undefined && aspectRatio === undefined) return settings
  const sizing = withoutAuto(settings, fitting.facts)
  return { ...others, ...(takesPixels(fitting.facts) ? fitPixels(sizing, fitting) : fitShape(sizing, fitting)) }
}

function takesPixels({ sizes, custom, pixels }: ImageFacts): boolean {
  return sizes !== undefined || custom !== undefined || pixels !== undefined
}

/** Without a size, a model chooses one. */
function withoutAuto({ size, tier, aspectRatio }: ImageSettings, { sizes = [] }: ImageFacts): Sizing {
  const given = size === 'auto' && !sizes.includes('auto') ? undefined : size
  return {
    ...(given === undefined ? undefined : { size: given }),
    ...(tier === undefined ? undefined : { tier }),
    ...(aspectRatio === undefined ? undefined : { aspectRatio }),
  }
}

/** For a model that takes pixels. */
function fitPixels(sizing: Sizing, fitting: Fitting): Sizing {
  const { size } = sizing
  if (size === undefined) return isNothing(sizing) ? {} : { size: sizeOf(sizing, fitting) }
  checkSize(size, fitting)
  for (const member of ['tier', 'aspectRatio'] as const)
    if (sizing[member] !== undefined) fitting.losses.dropped([member], `the size ${size} is given`)
  return { size }
}

function isNothing({ tier, aspectRatio }: Sizing): boolean {
  return tier === undefined && aspectRatio === undefined
}

function checkSize(size: string, { facts: { sizes = [], custom }, refuse }: Fitting): void {
  if (sizes.includes(size)) return
  const at = ['settings', 'size']
  const pixels = parseSize(size)
  const listed = sizes.length === 0 ? '' : `this model draws ${sizes.join(', ')}`
  if (pixels === undefined || custom === undefined) {
    return refuse(at, listed === '' ? 'it must be a width and a height in pixels, such as 1024x1024' : listed)
  }
  const problem = sizeProblem(pixels, custom)
  if (problem !== undefined) refuse(at, listed === '' ? problem : `${listed}; in other sizes, ${problem}`)
}

/** The pixels of an aspect ratio in a tier: listed on the card, or computed by its rule, or the nearest of its sizes. */
function sizeOf(sizing: Sizing, fitting: Fitting): string {
  const { facts, losses } = fitting
  const { tier = defaultTier(facts), aspectRatio = '1:1' } = sizing
  const ratio = ratioOf(aspectRatio, fitting)
  const budget = budgetOf(tier, sizing.tier === undefined ? undefined : fitting)
  const sizes = facts.pixels?.[tier.toUpperCase()] ?? {}
  const listed = sizes[sameRatio(aspectRatio, Object.keys(sizes)) ?? '']
  if (listed !== undefined) return listed
  const found = computed(ratio, budget, facts)
  if (found === undefined) return fitting.refuse(['settings', 'aspectRatio'], 'this model draws no image of this shape')
  const size = formatSize(found)
  const shape = found.width / found.height
  if (apart(shape, ratio) > SAME_SHAPE) losses.changed(['aspectRatio'], ratioName(found), `the nearest size is ${size}`)
  if (sizing.tier !== undefined && apart(found.width * found.height, budget) > SAME_TIER)
    losses.dropped(['tier'], `the nearest size is ${size}`)
  return size
}

/** Rounding to multiples changes a shape by a few percent; the tables of vendors do so as well. */
const SAME_SHAPE = 0.04
/** Less than halfway to the next tier. */
const SAME_TIER = Math.log(2)

function computed(ratio: number, budget: number, { custom, sizes = [] }: ImageFacts): Pixels | undefined {
  if (custom !== undefined) return nearestByRule(ratio, budget, custom)
  const listed = sizes.flatMap((size) => parseSize(size) ?? [])
  return nearest(listed, ratio, budget)
}

function ratioName({ width, height }: Pixels): string {
  let [a, b] = [width, height]
  while (b > 0) [a, b] = [b, a % b]
  return `${width / a}:${height / a}`
}

/** The least tier is the default. */
function defaultTier({ tiers, pixels }: ImageFacts): string {
  return tiers?.[0] ?? Object.keys(pixels ?? {})[0] ?? '1K'
}

/** For a model that takes an aspect ratio and a tier. */
function fitShape(sizing: Sizing, fitting: Fitting): Sizing {
  const { size, ...shape } = sizing
  if (size === undefined) return fitGiven(shape, fitting)
  const { losses } = fitting
  if (!isNothing(shape)) {
    losses.dropped(['size'], 'the aspect ratio or the resolution is given')
    return fitGiven(shape, fitting)
  }
  const pixels = parseSize(size) ?? fitting.refuse(['settings', 'size'], 'it must be a width and a height in pixels')
  return shapeOf(pixels, fitting)
}

/** The aspect ratio and the tier that are nearest to a size. */
function shapeOf({ width, height }: Pixels, { facts, losses }: Fitting): Sizing {
  const { ratios = [], tiers = [] } = facts
  const near = (names: readonly string[], parse: (name: string) => number | undefined, value: number) =>
    names.toSorted((one, other) => apart(parse(one) ?? 0, value) - apart(parse(other) ?? 0, value))[0]
  const aspectRatio = near(ratios, parseRatio, width / height)
  const tier = near(tiers, parseTier, width * height)
  const isExact =
    (aspectRatio === undefined ? 0 : parseRatio(aspectRatio)) === width / height &&
    parseTier(tier ?? '') === width * height
  if (!isExact) losses.dropped(['size'], reasonFor(aspectRatio, tier))
  return { ...(aspectRatio === undefined ? {} : { aspectRatio }), ...(tier === undefined ? {} : { tier }) }
}

function reasonFor(aspectRatio: string | undefined, tier: string | undefined): string {
  if (aspectRatio === undefined && tier === undefined) return 'this model chooses the size itself'
  return `the nearest is ${[aspectRatio, tier].filter((each) => each !== undefined).join(' in ')}`
}

function fitGiven({ aspectRatio, tier }: Sizing, fitting: Fitting): Sizing {
  const { facts, losses } = fitting
  const fitted: { aspectRatio?: string; tier?: string } = {}
  if (aspectRatio !== undefined) {
    ratioOf(aspectRatio, fitting)
    const own = sameRatio(aspectRatio, facts.ratios ?? [])
    if (own === undefined) losses.dropped(['aspectRatio'], 'this model chooses the shape itself')
    else fitted.aspectRatio = own
  }
  if (tier !== undefined) {
    budgetOf(tier, fitting)
    const own = facts.tiers?.find((each) => each.toUpperCase() === tier.toUpperCase())
    if (own === undefined) losses.dropped(['tier'], 'this model has one resolution')
    else fitted.tier = own
  }
  return fitted
}

/** Refuses a value that is not an aspect ratio, and one that the card does not list. */
function ratioOf(aspectRatio: string, { facts: { ratios }, refuse }: Fitting): number {
  const at = ['settings', 'aspectRatio']
  const ratio = parseRatio(aspectRatio) ?? refuse(at, 'it must be a width and a height, such as 16:9')
  if (ratios !== undefined && sameRatio(aspectRatio, ratios) === undefined)
    refuse(at, `this model draws ${ratios.join(', ')}`)
  return ratio
}

/** The name of the same shape: 32:18 is 16:9. */
function sameRatio(aspectRatio: string, names: readonly string[]): string | undefined {
  const ratio = parseRatio(aspectRatio)
  return names.find((name) => name === aspectRatio) ?? names.find((name) => parseRatio(name) === ratio)
}

/** The number of pixels of a tier. Refuses a value that is not a tier, and one that the card does not list. */
function budgetOf(tier: string, fitting: Fitting | undefined): number {
  const at = ['settings', 'tier']
  const tiers = fitting?.facts.tiers
  const budget = parseTier(tier)
  if (tiers?.some((each) => each.toUpperCase() === tier.toUpperCase()) === false)
    fitting?.refuse(at, `this model draws ${tiers.join(', ')}`)
  return budget ?? fitting?.refuse(at, 'it must be 1K, 2K or 4K') ?? 0
}
