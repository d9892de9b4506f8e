import type { JsonObject } from '@dragoman/core'
import type { VideoRequest } from '@dragoman/core/media'
import { imageData, type Submission, type TaskContext, type VideoTasks } from '@dragoman/core/provider'
import { TASKS } from './tasks.ts'

/** A request goes to one of three paths: for text, for a first frame, for images that the video follows. */
export const videos: VideoTasks = {
  ...TASKS,
  submit: encodeVideo,
  results: { list: 'data.task_result.videos', url: 'url' },
}

function encodeVideo(request: VideoRequest, context: TaskContext): Submission {
  const { prompt, settings } = request
  const { seconds, audio, negativePrompt } = settings
  const { path, body } = encodeImages(request, context)
  const mode = encodeMode(request, context)
  return {
    path: `/videos/${path}`,
    body: {
      model_name: context.model,
      ...(prompt === undefined ? {} : { prompt }),
      ...(negativePrompt === undefined ? {} : { negative_prompt: negativePrompt }),
      ...body,
      ...(mode === undefined ? {} : { mode }),
      ...(seconds === undefined ? {} : { duration: String(seconds) }),
      ...(audio === undefined ? {} : { sound: audio ? 'on' : 'off' }),
    },
  }
}

/** The path, and the members that only it takes. */
function encodeImages(
  { image, lastFrame, references = [], settings: { aspectRatio } }: VideoRequest,
  { losses }: TaskContext,
): { readonly path: string; readonly body: JsonObject } {
  const ratio = aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio }
  if (image === undefined) {
    if (references.length === 0) return { path: 'text2video', body: ratio }
    const list = references.map(({ source }) => ({ image: imageData(source) }))
    for (const [index, { role = 'asset' }] of references.entries())
      if (role !== 'asset') losses.dropped(['references', index, 'role'], 'only things and people can be followed')
    return { path: 'multi-image2video', body: { image_list: list, ...ratio } }
  }
  if (aspectRatio !== undefined) losses.dropped(['settings', 'aspectRatio'], 'the video has that of its first frame')
  for (const index of references.keys()) losses.dropped(['references', index], 'not supported together with a frame')
  const tail = lastFrame === undefined ? {} : { image_tail: imageData(lastFrame.source) }
  return { path: 'image2video', body: { image: imageData(image.source), ...tail } }
}

const MODE_OF: { readonly [resolution: string]: string } = { '720p': 'std', '1080p': 'pro' }

/** Models that have sound and last frames only in the mode of 1080p. Since V3, both modes have them (2026-11). */
const DEMANDING: ReadonlySet<string> = new Set(['kling-v2-6', 'kling-v2-1', 'kling-v1-6'])

function encodeMode({ lastFrame, settings }: VideoRequest, { model, losses }: TaskContext): string | undefined {
  const { resolution, audio = false } = settings
  const isDemanding = DEMANDING.has(model) && (lastFrame !== undefined || audio)
  if (!isDemanding || resolution === '1080p') return resolution === undefined ? undefined : MODE_OF[resolution]
  const why = 'required by sound and by last frames'
  if (resolution === undefined) losses.added(['settings', 'resolution'], '1080p', why)
  else losses.changed(['settings', 'resolution'], '1080p', why)
  return MODE_OF['1080p']
}
