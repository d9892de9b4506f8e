import {
  about,
  count,
  listCheck,
  listOrRange,
  mapCheck,
  objectCheck,
  oneOf,
  text,
  whole,
  type Checks,
} from '../lib/check-value.ts'
import { fitVideo } from './fit-video.ts'
import { ratio } from './image-kind.ts'
import { replaceLinkedFrames } from './linked-media.ts'
import type { MediaKind } from './media-kind.ts'
import type { VideoFacts, VideoOperation, VideoOption, VideoRequest, VideoSettings } from './video.ts'

/** What the answer to a request needs to know about it. */
export type VideoBrief = Pick<VideoRequest, 'model' | 'settings'>

const OPTIONS: Record<VideoOption, true> = { negativePrompt: true, enhance: true, seed: true, user: true }
const SETTINGS: Record<keyof VideoSettings, true> = {
  count: true,
  aspectRatio: true,
  resolution: true,
  seconds: true,
  audio: true,
  negativePrompt: true,
  enhance: true,
  people: true,
  seed: true,
  fps: true,
}

const numbers = listOrRange(count)

const FACTS: Checks<VideoFacts> = {
  most: about('The most videos of a request; 1 when absent.', count),
  ratios: about('The aspect ratios, the default first; any when absent.', listCheck(ratio)),
  resolutions: about('The resolutions, the default first: "720p".', listCheck(text)),
  seconds: about('The lengths that can be asked for: a list, or a range; any when absent.', numbers),
  secondsAt: about('The lengths that are possible in some resolutions.', mapCheck(numbers)),
  secondsWithReferences: about('The lengths that are possible with given images.', numbers),
  defaultSeconds: about('The length without one in the request, which is billed.', count),
  audio: about('Whether there is a sound track; never when absent.', oneOf('always', 'never', 'on', 'off')),
  frames: about('The frames that can be given; none when absent.', listCheck(oneOf('first', 'last'))),
  references: about('The most images that a video can follow; 0 when absent.', whole(0)),
  people: about('Whether people may be shown: the values that can be asked for.', listCheck(text)),
  fps: about('The frame rates that can be asked for.', numbers),
  takes: about('Further settings that it takes; others are left out.', listCheck(oneOf(...Object.keys(OPTIONS)))),
  refuses: about('Settings that are refused instead of left out.', listCheck(oneOf(...Object.keys(SETTINGS)))),
}

/** Videos. Their answers are operations that take minutes, and are billed when an upstream has accepted the request. */
export const videos: MediaKind<VideoRequest, VideoOperation, VideoFacts, VideoBrief> = {
  name: 'video',
  plural: 'videos',
  operations: { 'video-submit': 'json' },
  facts: about('It generates videos, and has no conversations.', objectCheck(FACTS)),
  modalities({ frames = [], references = 0, audio = 'never' }) {
    const takesImages = frames.length > 0 || references > 0
    return {
      input: takesImages ? ['text', 'image'] : ['text'],
      output: audio === 'never' ? ['video'] : ['video', 'audio'],
    }
  },
  fit: (request, { facts = {}, losses, locate }) => fitVideo(request, facts, losses, locate),
  links: replaceLinkedFrames,
  brief: ({ model, settings }) => ({ model, settings }),
  bill: () => undefined,
}
