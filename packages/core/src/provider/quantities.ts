import type { Billed } from '../ir/billed.ts'
import type { Card } from '../ir/model.ts'
import { MOST_COUNTED, type ItemName, type Bucket, type Buckets } from './priced-items.ts'
import type { VideoFacts, VideoRequest } from '../ir/video.ts'

/** How much of an item is billed. */
export type Quantity = readonly [item: ItemName, quantity: number]

/** Whether a price with this name exists. */
export type HasPrice = (price: string) => boolean

/** The tokens of each bucket, and what is counted in another unit. */
export function quantitiesOf(
  buckets: Buckets,
  usage: Billed,
  { searches: billing }: Card,
  hasPrice: HasPrice,
): readonly Quantity[] {
  const { searches = 0, videoSeconds = 0, audioVideoSeconds = 0 } = usage
  const others: readonly Quantity[] = [
    ['searches', billing === 'once' ? Math.min(searches, 1) : searches],
    ...(buckets['image-output'] === undefined ? imagesOf(usage, hasPrice) : []),
    ['video-seconds', videoSeconds],
    ['audio-video-seconds', audioVideoSeconds],
  ]
  const tokens = Object.entries(buckets) as [Bucket, number][] // its own members
  const counted = others.filter(([, quantity]) => quantity > 0)
  return [...tokens, ...counted.map(([name, quantity]): Quantity => [name, Math.min(MOST_COUNTED, quantity)])]
}

/** By megapixel if the card has such a price; otherwise by image, with a price for each megapixel after the first if there is one. */
function imagesOf({ images = 0, pixels = [] }: Billed, hasPrice: HasPrice): readonly Quantity[] {
  const megapixels = pixels.reduce((sum, each) => sum + wholeMegapixels(each), 0)
  if (megapixels > 0 && hasPrice('image_megapixel')) return [['megapixels', megapixels]]
  const further = hasPrice('image_further_megapixel') ? megapixels - pixels.length : 0
  return [
    ['images', images],
    ['further-megapixels', further],
  ]
}

/** Vendors count the megapixels that an image has begun, and take 1024x1024 for one: 1920x1080 is two. */
function wholeMegapixels(pixels: number): number {
  return Math.max(1, Math.ceil(pixels / (1024 * 1024)))
}

/**
 * What a request for videos is billed for, if its upstream accepts it: the seconds of all videos, with sound or without. Undefined if
 * neither the request nor the card has a length.
 */
export function billedVideo({ settings }: Pick<VideoRequest, 'settings'>, facts: VideoFacts): Billed | undefined {
  const { count = 1, seconds = facts.defaultSeconds, resolution = facts.resolutions?.[0] } = settings
  if (seconds === undefined) return undefined
  const all = { [hasAudio(settings.audio, facts) ? 'audioVideoSeconds' : 'videoSeconds']: seconds * count }
  return { ...all, ...(resolution === undefined ? {} : { resolution }) }
}

function hasAudio(asked: boolean | undefined, { audio = 'never' }: VideoFacts): boolean {
  return audio === 'always' || (audio !== 'never' && (asked ?? audio === 'on'))
}
