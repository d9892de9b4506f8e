import type { VideoFacts, VideoRequest } from '../ir/video.ts'
import type { Billed } from './quantities.ts'

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
