import type { Draft } from '../lib/members.ts'
import type { Losses, Path } from './loss.ts'
import { createRefuse, type Refuse } from './refuse.ts'
import type { NumberRange, VideoFacts, VideoOption, VideoRequest, VideoSettings } from './video.ts'

/**
 * A request that the model of these facts accepts. What cannot be generated is an error that names the member: a shape, a length, a
 * frame, a number of videos; `locate` says where the caller's body has it. What the model has no setting for is left out and reported.
 */
export function fitVideo(
  request: VideoRequest,
  facts: VideoFacts,
  losses: Losses,
  locate: (path: Path) => Path = (path) => path,
): VideoRequest {
  const { settings } = request
  const refuse = createRefuse(locate)
  for (const setting of facts.refuses ?? [])
    if (settings[setting] !== undefined) refuse(['settings', setting], 'is not supported by this model')
  checkFrames(request, facts, refuse)
  checkNumbers(request, facts, refuse)
  const fitted: Draft<VideoSettings> = { ...settings }
  fitWords(fitted, facts, losses.at('settings'), refuse)
  fitAudio(fitted, facts, losses.at('settings'))
  const takes = facts.takes ?? []
  for (const option of OPTIONS) {
    if (fitted[option] === undefined || takes.includes(option)) continue
    delete fitted[option]
    losses.dropped(['settings', option], 'the model has no such setting')
  }
  const { user, ...rest } = request
  if (user === undefined || takes.includes('user')) return { ...request, settings: fitted }
  losses.dropped(['user'], 'the model takes no user')
  return { ...rest, settings: fitted }
}

const OPTIONS = ['negativePrompt', 'enhance', 'seed'] as const satisfies VideoOption[]

function checkFrames({ image, lastFrame, references = [] }: VideoRequest, facts: VideoFacts, refuse: Refuse): void {
  const { frames = [], references: most = 0 } = facts
  if (image !== undefined && !frames.includes('first')) refuse(['image'], 'this model generates videos from text only')
  if (lastFrame !== undefined && !frames.includes('last')) refuse(['lastFrame'], 'this model takes no last frame')
  if (references.length <= most) return
  refuse(['references'], most === 0 ? 'this model takes none' : `this model takes at most ${most}`)
}

function checkNumbers({ settings, references = [] }: VideoRequest, facts: VideoFacts, refuse: Refuse): void {
  const { count = 1, seconds, aspectRatio, resolution = facts.resolutions?.[0] } = settings
  const { most = 1, ratios } = facts
  if (count > most) refuse(['settings', 'count'], `must be at most ${most} for this model`)
  if (aspectRatio !== undefined && ratios !== undefined && !ratios.includes(aspectRatio))
    refuse(['settings', 'aspectRatio'], `must be one of ${ratios.join(', ')} for this model`)
  const at = Object.entries(facts.secondsAt ?? {}).find(([name]) => isSameWord(name, resolution))
  const checkSeconds = (lengths: Lengths | undefined, when: string): void => {
    if (seconds !== undefined && lengths !== undefined && !isAmong(seconds, lengths))
      refuse(['settings', 'seconds'], `must be ${describe(lengths)} for this model${when}`)
  }
  checkSeconds(at?.[1] ?? facts.seconds, at === undefined ? '' : ` in ${at[0]}`)
  if (references.length > 0) checkSeconds(facts.secondsWithReferences, ' with reference images')
}

type Lengths = readonly number[] | NumberRange

function fitWords(settings: Draft<VideoSettings>, facts: VideoFacts, losses: Losses, refuse: Refuse): void {
  const { resolution, people, fps } = settings
  if (resolution !== undefined) {
    const { resolutions } = facts
    const known = resolutions?.find((each) => isSameWord(each, resolution))
    if (known !== undefined) settings.resolution = known
    else if (resolutions !== undefined)
      refuse(['settings', 'resolution'], `must be one of ${resolutions.join(', ')} for this model`)
    else leaveOut(settings, 'resolution', losses)
  }
  if (people !== undefined) {
    if (facts.people === undefined) leaveOut(settings, 'people', losses)
    else if (!facts.people.includes(people))
      refuse(['settings', 'people'], `must be one of ${facts.people.join(', ')} for this model`)
  }
  if (fps !== undefined) {
    if (facts.fps === undefined) leaveOut(settings, 'fps', losses)
    else if (!isAmong(fps, facts.fps)) refuse(['settings', 'fps'], `must be ${describe(facts.fps)} for this model`)
  }
}

function leaveOut(settings: Draft<VideoSettings>, setting: keyof VideoSettings, losses: Losses): void {
  delete settings[setting]
  losses.dropped([setting], 'the model has no such setting')
}

/** A setting that says what the model does anyway is left out without a loss: upstreams need not know it. */
function fitAudio(settings: Draft<VideoSettings>, { audio = 'never' }: VideoFacts, losses: Losses): void {
  if (settings.audio === undefined || audio === 'on' || audio === 'off') return
  const has = audio === 'always'
  if (settings.audio !== has)
    losses.dropped(['audio'], `the videos of this model ${has ? 'always' : 'never'} have sound`)
  delete settings.audio
}

function isAmong(value: number, allowed: readonly number[] | NumberRange): boolean {
  return 'min' in allowed ? value >= allowed.min && value <= allowed.max : allowed.includes(value)
}

function describe(allowed: readonly number[] | NumberRange): string {
  if ('min' in allowed) return `from ${allowed.min} to ${allowed.max}`
  return allowed.length === 1 ? `${allowed[0]}` : `one of ${allowed.join(', ')}`
}

/** Upstreams write `1080p` and `1080P`. */
function isSameWord(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.toLowerCase()
}
