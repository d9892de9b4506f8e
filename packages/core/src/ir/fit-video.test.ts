import { describe, expect, it } from 'vitest'
import { genai } from '../protocols/genai/index.ts'
import { locateIn } from '../protocols/locate.ts'
import { billedVideo } from '../provider/quantities.ts'
import { fitVideo } from './fit-video.ts'
import { createLosses, NO_LOSSES } from './loss.ts'
import type { VideoFacts, VideoRequest, VideoSettings } from './video.ts'

const FACTS: VideoFacts = {
  most: 4,
  ratios: ['16:9', '9:16'],
  resolutions: ['720p', '1080p'],
  seconds: [4, 6, 8],
  secondsAt: { '1080p': [8] },
  defaultSeconds: 8,
  audio: 'on',
  frames: ['first', 'last'],
  references: 3,
  people: ['dont_allow', 'allow_adult'],
  fps: { min: 12, max: 30 },
  takes: ['negativePrompt', 'enhance', 'seed'],
}
const IMAGE = { source: { kind: 'base64' as const, mime: 'image/png', data: 'AAAA' } }
const request = (settings: VideoSettings, others: Partial<VideoRequest> = {}): VideoRequest => ({
  model: 'some/film',
  prompt: 'A cat.',
  settings,
  ...others,
})

function fit(asked: VideoRequest, facts: VideoFacts = FACTS) {
  const losses = createLosses()
  const context = { issuer: '', toward: 'upstream' as const, id: () => '', now: 0, losses: NO_LOSSES }
  const locate = locateIn(genai.video?.sites ?? new Map(), genai.video?.encode(asked, context).body ?? {})
  return { fitted: fitVideo(asked, facts, losses, (path) => locate(path, 'dropped')), losses: losses.entries() }
}

describe('a request that the model can serve', () => {
  it('stays as it is, with every setting', () => {
    const all = request(
      {
        count: 4,
        aspectRatio: '9:16',
        resolution: '1080p',
        seconds: 8,
        audio: false,
        negativePrompt: 'dogs',
        enhance: true,
        people: 'allow_adult',
        seed: 7,
        fps: 24,
      },
      { image: IMAGE, lastFrame: IMAGE, references: [IMAGE] },
    )
    expect(fit(all)).toEqual({ fitted: all, losses: [] })
  })

  it('gets the spelling of the card', () => {
    expect(fit(request({ resolution: '1080P' })).fitted.settings).toEqual({ resolution: '1080p' })
  })
})

describe('a request that the model cannot serve', () => {
  it('is refused for a length that it does not have with reference images', () => {
    const facts: VideoFacts = { ...FACTS, secondsWithReferences: [8] }
    const message = 'parameters.durationSeconds: must be 8 for this model with reference images.'
    expect(() => fit(request({ seconds: 4 }, { references: [IMAGE] }), facts)).toThrow(message)
    for (const asked of [request({ seconds: 4 }), request({ seconds: 8 }, { references: [IMAGE] })])
      expect(fit(asked, facts)).toEqual({ fitted: asked, losses: [] })
  })

  it.each<[string, VideoSettings, string]>([
    ['a ratio', { aspectRatio: '1:1' }, 'parameters.aspectRatio: must be one of 16:9, 9:16 for this model.'],
    ['a resolution', { resolution: '4k' }, 'parameters.resolution: must be one of 720p, 1080p for this model.'],
    ['a length', { seconds: 5 }, 'parameters.durationSeconds: must be one of 4, 6, 8 for this model.'],
    [
      'a length in a resolution',
      { seconds: 4, resolution: '1080P' },
      'parameters.durationSeconds: must be 8 for this model in 1080p.',
    ],
    ['too many', { count: 5 }, 'parameters.sampleCount: must be at most 4 for this model.'],
    ['a frame rate', { fps: 60 }, 'parameters.fps: must be from 12 to 30 for this model.'],
    [
      'people',
      { people: 'allow_all' },
      'parameters.personGeneration: must be one of dont_allow, allow_adult for this model.',
    ],
  ])('is refused for %s, with the name of the field', (_what, settings, message) => {
    expect(() => fit(request(settings))).toThrow(
      expect.objectContaining({ kind: 'invalid-request', message, param: message.split(':')[0] }) as Error,
    )
  })

  it('is refused for frames and images that the model does not take, and for settings that its card refuses', () => {
    const given = { image: IMAGE, lastFrame: IMAGE, references: [IMAGE] }
    const param = (facts: VideoFacts, others: Partial<VideoRequest>) => {
      try {
        return fit(request({ seed: 1 }, others), facts)
      } catch (error) {
        return (error as { param: string }).param // a DragomanError
      }
    }
    expect(param({}, { image: given.image })).toBe('instances.0.image')
    expect(param({ frames: ['first'] }, { image: IMAGE, lastFrame: IMAGE })).toBe('instances.0.lastFrame')
    expect(param({}, { references: given.references })).toBe('instances.0.referenceImages')
    expect(param({ refuses: ['seed'] }, {})).toBe('parameters.seed')
  })
})

describe('a setting that the model does not have', () => {
  it('is left out and reported', () => {
    const settings = { resolution: '720p', people: 'allow_adult', fps: 24, negativePrompt: 'x', enhance: true, seed: 1 }
    const { fitted, losses } = fit(request({ ...settings, audio: true }, { user: 'u' }), {})
    expect(fitted.settings).toEqual({})
    expect(fitted.user).toBeUndefined()
    expect(losses.map(({ kind, path }) => `${kind} ${path.join('.')}`).sort()).toEqual([
      'dropped settings.audio',
      'dropped settings.enhance',
      'dropped settings.fps',
      'dropped settings.negativePrompt',
      'dropped settings.people',
      'dropped settings.resolution',
      'dropped settings.seed',
      'dropped user',
    ])
  })

  it('is no loss if it says what the model does anyway', () => {
    expect(fit(request({ audio: true }), { audio: 'always' })).toEqual({ fitted: request({}), losses: [] })
    expect(fit(request({ audio: false }), {})).toEqual({ fitted: request({}), losses: [] })
    expect(fit(request({ audio: false }), { audio: 'always' }).losses).toHaveLength(1)
  })
})

describe('what a request is billed for', () => {
  it.each<[VideoSettings, VideoFacts, object | undefined]>([
    [{ count: 2, seconds: 4 }, FACTS, { audioVideoSeconds: 8, resolution: '720p' }],
    [{ audio: false, resolution: '1080p' }, FACTS, { videoSeconds: 8, resolution: '1080p' }],
    [{ seconds: 5 }, { audio: 'off' }, { videoSeconds: 5 }],
    [{ seconds: 5, audio: true }, { audio: 'off' }, { audioVideoSeconds: 5 }],
    [{}, {}, undefined],
  ])('is the seconds of all videos: %j', (settings, facts, billed) => {
    expect(billedVideo(request(settings), facts)).toEqual(billed)
  })
})
