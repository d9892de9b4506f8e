import { DragomanError } from '../ir/error.ts'
import type { ImageAnswer, ImageRequest } from '../ir/image.ts'
import type { GeneratedVideo, VideoRequest, VideoState } from '../ir/video.ts'
import { numberOf, optionalString, stringOf, type JsonObject } from '../lib/json.ts'
import { readPath, valueAt } from '../lib/json-path.ts'
import type { Target } from '../protocols/context.ts'
import { collectImages, entriesOf, type ImageResults } from './driver-images.ts'
import type { ImageDriver, Upstream, VideoDriver } from './media.ts'
import { abortable, isPassing, pause, pollTask, type PolledStep } from './task.ts'
import { reportImageExtras } from './own-api.ts'
import { readTask, type TaskApi, type TaskState } from './task-api.ts'
import type { Method } from './transport.ts'
import type { WholeAnswer } from './whole-answer.ts'

/** Images from an API of tasks. */
export interface ImageTasks extends TaskApi<ImageRequest> {
  readonly results: ImageResults
  /** The time between two polls, in milliseconds. */
  readonly intervalMs: number
  /** The time of a task from its submission to its end, in milliseconds. */
  readonly deadlineMs: number
}

/** Videos from an API of tasks. The caller asks for their state. */
export interface VideoTasks extends TaskApi<VideoRequest> {
  readonly results: VideoResults | VideoPath
}

/** Where an answer has its videos, as paths. */
export interface VideoResults {
  /** The list of videos, or the only one. */
  readonly list: string
  /** The address of a video, inside its entry. */
  readonly url: string
  /** Only the upstream's credential opens the address. */
  readonly private?: true
  /** Why moderation has blocked a video; undefined if it has not. */
  readonly blocked?: (entry: JsonObject) => string | undefined
  /** Why moderation has blocked videos that have no entry. */
  readonly missing?: (body: JsonObject) => readonly string[]
}

/** The answer has no address: a task that is done has one video, at a path that only the upstream's credential opens. */
export interface VideoPath {
  /** The path, by the id of the task and the path of its submission. */
  readonly open: (id: string, submitted: string) => string
}

/** A driver that submits a request and polls until its images are done. */
export function imageTasks(api: ImageTasks): ImageDriver {
  return {
    async draw(request, upstream, losses) {
      reportImageExtras(request, losses)
      const { path, body } = await api.submit(request, { ...upstream, losses })
      const end = await pollTask<EndedTask>({
        clock: upstream.clock,
        intervalMs: api.intervalMs,
        deadlineMs: api.deadlineMs,
        signal: upstream.signal,
        submit: (signal) => abortable(upstream.send(targetOf(path), body), signal),
        read: createReader(api, path, upstream),
      })
      if (end.state === 'failed') throw end.error
      if (end.state === 'blocked') return { images: blockedImages(request, end.reason) }
      return { images: await collectImages(api.results, end.body, request, upstream) }
    },
  }
}

type EndedTask = Exclude<TaskState, { readonly state: 'running' }>

/** Reads the answers of one task. Only the first of them must have the id. */
function createReader(
  api: ImageTasks,
  path: string,
  upstream: Upstream,
): (answer: WholeAnswer) => PolledStep<EndedTask> {
  let id: string | undefined
  return (answer) => {
    const task = readTask(api, answer)
    if (task.state !== 'running') return { state: 'done', result: task }
    const known = (id ??= idOf(api, task.body))
    const { cancel } = api
    return {
      state: 'running',
      poll: (signal) => abortable(upstream.send(targetOf(api.poll(known, path), 'GET')), signal),
      cancel: cancel && (() => upstream.cancel?.(targetOf(cancel(known, path), 'DELETE'))),
    }
  }
}

/** All images of a request that was blocked. */
function blockedImages({ settings: { count = 1 } }: ImageRequest, reason: string): ImageAnswer['images'] {
  return Array.from({ length: count }, () => ({ blocked: reason }))
}

/** A driver that submits a request, and polls when it is asked for the state of its videos. */
export function videoTasks(api: VideoTasks): VideoDriver {
  const { results } = api
  return {
    async submit(request, upstream, losses) {
      const { path, body } = await api.submit(request, { ...upstream, losses })
      const task = readTask(api, await upstream.send(targetOf(path), body))
      if (task.state === 'failed') throw task.error
      if (task.state === 'blocked') return { blocked: task.reason, count: request.settings.count ?? 1 }
      return { id: idOf(api, task.body), path }
    },
    async poll(token, upstream) {
      const { id, path, blocked, count } = token
      if (typeof blocked === 'string') return blockedState(blocked, numberOf(count) ?? 1)
      const target = targetOf(api.poll(stringOf(id), stringOf(path)), 'GET')
      const task = readTask(api, await sendAgain(() => upstream.send(target), upstream))
      switch (task.state) {
        case 'running':
          return { status: 'running' }
        case 'failed':
          return { status: 'failed', error: task.error }
        case 'blocked':
          return blockedState(task.reason, 1)
        case 'done':
          return 'open' in results ? { status: 'done', videos: [{}] } : readVideos(results, task.body)
        default:
          return task satisfies never
      }
    },
    ...('open' in results ? { open: openerOf(results) } : {}),
  }
}

function openerOf({ open }: VideoPath): NonNullable<VideoDriver['open']> {
  return async ({ id, path }) => ({ path: open(stringOf(id), stringOf(path)), mime: VIDEO_TYPE })
}

const VIDEO_TYPE = 'video/mp4'

function blockedState(reason: string, count: number): VideoState {
  return { status: 'done', videos: [], blocked: { count, reasons: [reason] } }
}

function readVideos(results: VideoResults, body: JsonObject): VideoState {
  const entries = entriesOf(body, results.list)
  const reasons = [...entries.flatMap((entry) => results.blocked?.(entry) ?? []), ...(results.missing?.(body) ?? [])]
  const videos = entries.flatMap((entry): GeneratedVideo[] => {
    const url = optionalString(valueAt(entry, readPath(results.url)))
    if (url === undefined || url === '' || results.blocked?.(entry) !== undefined) return []
    const source = { kind: 'url', url, mime: VIDEO_TYPE } as const
    return [{ source, ...(results.private === undefined ? {} : { private: true }) }]
  })
  if (videos.length === 0 && reasons.length === 0)
    return { status: 'failed', error: new DragomanError('upstream', 'The answer of the upstream has no videos.') }
  return { status: 'done', videos, ...(reasons.length === 0 ? {} : { blocked: { count: reasons.length, reasons } }) }
}

const TRIES = 3
const BETWEEN_TRIES = 1000

/** The answer to a poll. A failure that may pass says nothing about the task: the poll is repeated a few times. */
async function sendAgain(send: () => Promise<WholeAnswer>, { clock, signal }: Upstream): Promise<WholeAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await send().catch((error: unknown) => {
      if (tries === TRIES || signal.aborted) throw error
    })
    if (answer !== undefined && (!isPassing(answer.status) || tries === TRIES)) return answer
    await pause(clock, BETWEEN_TRIES, signal)
  }
}

function targetOf(path: string, method: Method = 'POST'): Target {
  return { path, headers: {}, method }
}

function idOf(api: Pick<ImageTasks, 'id'>, body: JsonObject): string {
  const id = valueAt(body, readPath(api.id))
  if (typeof id === 'string' && id !== '') return id
  if (typeof id === 'number') return String(id)
  throw new DragomanError('upstream', 'The upstream has started a task without an id.')
}
