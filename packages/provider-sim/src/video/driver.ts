import { DragomanError, type JsonObject } from '@dragoman/core'
import type { VideoRequest, VideoSettings, VideoState } from '@dragoman/core/media'
import type { VideoDriver } from '@dragoman/core/provider'
import { digest, sourceText } from '../digest.ts'
import { readMagic } from '../magic.ts'
import { encodeFilm } from './film.ts'
import { createKeptFilms } from './kept-films.ts'
import type { FrameSize } from './h264.ts'
import { decodeThumbnail, encodeThumbnail } from './thumbnail.ts'

/** Everything about an operation: it is in the operation's name, and nothing is stored. A type, because it is JSON. */
type Token = {
  /** The prompt's beginning: its words decide what is shown. */
  readonly prompt: string
  readonly seed: number
  readonly count: number
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly fps: number
  readonly sound: boolean
  /** Unix milliseconds. */
  readonly ready: number
  readonly end: 'done' | 'blocked' | 'failed'
  readonly first?: string
  readonly last?: string
}

const PROMPT_LENGTH = 400
const DEFAULT_SECONDS = 5
const DEFAULT_FPS = 24
const SHORT_SIDE_OF: { readonly [resolution: string]: number } = { '480p': 480, '720p': 720, '1080p': 1080 }
const MIME = 'video/mp4'

/** Some minutes of film. */
const MOST_BYTES = 16 * 1024 * 1024

/** Films are ready some time after they were asked for, and are drawn when they are opened. The last ones are kept. */
export function createFilmDriver(delayMs: number): VideoDriver {
  const films = createKeptFilms(MOST_BYTES)
  return {
    async submit(request, { clock }) {
      const { text, magic } = readMagic(request.prompt ?? '')
      if (magic.error !== undefined) throw simulatedError(magic.error)
      const size = frameSize(request.settings)
      const [first, last] = await Promise.all(
        [request.image, request.lastFrame].map((frame) => encodeThumbnail(frame?.source, size.width / size.height)),
      )
      return {
        prompt: text.slice(0, PROMPT_LENGTH),
        seed: seedOf(request),
        count: request.settings.count ?? 1,
        ...size,
        seconds: request.settings.seconds ?? DEFAULT_SECONDS,
        fps: request.settings.fps ?? DEFAULT_FPS,
        sound: request.settings.audio ?? false,
        ready: clock.now() + delayMs,
        end: magic.fail ? 'failed' : magic.block ? 'blocked' : 'done',
        ...(first === undefined ? {} : { first }),
        ...(last === undefined ? {} : { last }),
      } satisfies Token
    },
    async poll(token, { clock }) {
      const { ready, ...film } = readToken(token)
      return clock.now() < ready ? { status: 'running' } : stateOf(film)
    },
    async open(token, index) {
      const { first, last, seed, ...film } = readToken(token)
      const bytes = await films.get(`${index} ${JSON.stringify(token)}`, () => {
        const frames = { first: decodeThumbnail(first), last: decodeThumbnail(last) }
        return encodeFilm({ ...film, ...frames, seed: (seed + index * 0x9e3779b1) >>> 0 })
      })
      return { bytes, mime: MIME }
    },
  }
}

function stateOf({ end, count }: Pick<Token, 'end' | 'count'>): VideoState {
  switch (end) {
    case 'failed':
      return { status: 'failed', error: { kind: 'upstream-error', message: 'The simulator was asked to fail.' } }
    case 'blocked':
      return {
        status: 'done',
        videos: [],
        blocked: { count, reasons: ['The simulator was asked to block the video.'] },
      }
    case 'done':
      return { status: 'done', videos: Array.from({ length: count }, () => ({})) }
    default:
      return end satisfies never
  }
}

/** The pixels of a resolution, which names the shorter side. */
function frameSize({ resolution = '720p', aspectRatio = '16:9' }: VideoSettings): FrameSize {
  const [, across = 16, down = 9] = (/^(\d+):(\d+)$/.exec(aspectRatio) ?? []).map(Number)
  const short = SHORT_SIDE_OF[resolution] ?? 720
  const even = (length: number): number => Math.round(length / 2) * 2
  return across < down
    ? { width: short, height: even((short * down) / across) }
    : { width: even((short * across) / down), height: short }
}

/** Everything that makes a film another one. */
function seedOf({ prompt = '', image, lastFrame, references = [], settings }: VideoRequest): number {
  const given = [image, lastFrame, ...references].map((frame) => sourceText(frame?.source))
  const text = [prompt, settings.negativePrompt ?? '', String(settings.seed ?? 0), ...given].join('\0')
  return Number.parseInt(digest(text).slice(0, 8), 16)
}

function readToken(token: JsonObject): Token {
  return token as Token // a token of `submit`, which the gateway has sealed
}

function simulatedError(status: number): DragomanError {
  const message = `The simulator was asked to fail with status ${status}.`
  if (status === 429) return new DragomanError('rate-limit', message, { retryAfter: 1 })
  return new DragomanError(status < 500 ? 'invalid-request' : 'upstream-error', message)
}
