import { isObject, type JsonObject } from '@dragoman/core'
import type { GeneratedVideo, VideoState } from '@dragoman/core/media'
import type { Exchange } from '../call/exchange.ts'
import type { Route } from '../models/route.ts'
import { publicUrl } from '../call/public-url.ts'
import type { Settings } from '../call/settings.ts'
import { codecOf, sealingOf } from './operation-name.ts'
import { readTask, writeTask, type VideoTask } from './video-task.ts'

/** How long the address of a file is valid. A later poll gives another one. */
const LINK_MS = 3_600_000
const PURPOSE = ['result'] as const
export const TOKEN = 'token'

/** A file that the gateway serves: at a URL of the upstream, or by a driver. */
export interface ResultFile {
  readonly task: VideoTask
  readonly url?: string
  /** The position among the videos, for drivers. */
  readonly index: number
  readonly mime?: string
}

/**
 * Gives videos that only the upstream's credential opens, or only this process has, an address at the gateway. Anyone with the address can
 * open it until it expires.
 */
export async function linkVideos(
  settings: Settings,
  exchange: Exchange,
  route: Route,
  task: VideoTask,
  state: VideoState,
): Promise<VideoState> {
  if (state.status !== 'done') return state
  const videos = await Promise.all(
    state.videos.map((video, index) => linkVideo(settings, exchange, route, task, video, index)),
  )
  return { ...state, videos }
}

async function linkVideo(
  settings: Settings,
  { protocol, head }: Exchange,
  { provider }: Route,
  task: VideoTask,
  video: GeneratedVideo,
  index: number,
): Promise<GeneratedVideo> {
  const { source, private: isPrivate, ...others } = video
  const isOurs = source === undefined ? provider.drivers?.video?.open !== undefined : isPrivate === true
  if (!isOurs || (source !== undefined && source.kind !== 'url')) return video
  const mime = source?.mime
  const file: ResultFile = {
    task,
    index,
    ...(source === undefined ? {} : { url: source.url }),
    ...(mime === undefined ? {} : { mime }),
  }
  const token = await sealingOf(settings).seal(PURPOSE, writeFile(file, settings.clock.now() + LINK_MS))
  const url = `${publicUrl(settings, head)}${protocol.http.base}${codecOf(protocol).results}?${TOKEN}=${token}`
  return { ...others, source: { kind: 'url', url, mime: mime ?? 'video/mp4' } }
}

function writeFile({ task, url, index, mime }: ResultFile, until: number): JsonObject {
  const location: JsonObject = url === undefined ? { index } : { url }
  // With a URL, the token of the task is not needed.
  const short = url === undefined ? task : { ...task, token: '' }
  return { ...writeTask(short), ...location, until, ...(mime === undefined ? {} : { mime }) }
}

/** Undefined if the address is not one of ours, or has expired. */
export async function readLink(settings: Settings, token: string): Promise<ResultFile | undefined> {
  const opened = await sealingOf(settings).open(PURPOSE, token)
  if (!isObject(opened)) return undefined
  const { url, index, until, mime } = opened
  const task = readTask(opened)
  if (task === undefined || typeof until !== 'number' || until <= settings.clock.now()) return undefined
  return {
    task,
    index: typeof index === 'number' ? index : 0,
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof mime === 'string' ? { mime } : {}),
  }
}
