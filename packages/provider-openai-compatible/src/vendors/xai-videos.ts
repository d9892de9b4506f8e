import type { VideoRequest } from '@dragoman/core/media'
import { imageUrl, type Submission, type TaskContext, type VideoTasks } from '@dragoman/core/provider'
import { BLOCKED, readError } from './xai-errors.ts'

/** Videos are requests with an id. While one is pending, its state has no word, or the answer is a 202. */
export const videos: VideoTasks = {
  submit: encodeVideo,
  id: 'request_id',
  poll: (id) => `/videos/${encodeURIComponent(id)}`,
  state: ({ status, video }) => (typeof status === 'string' ? status : video === undefined ? undefined : 'done'),
  states: { pending: 'running', done: 'done', failed: 'failed', expired: 'failed' },
  reason: ['error.message', 'error'],
  error: readError,
  results: {
    list: 'video',
    url: 'url',
    blocked: (entry) => (entry['respect_moderation'] === false ? BLOCKED : undefined),
  },
}

function encodeVideo(
  { prompt, image, references = [], settings, user }: VideoRequest,
  context: TaskContext,
): Submission {
  const { aspectRatio, resolution, seconds } = settings
  for (const [index, { role = 'asset' }] of references.entries())
    if (role !== 'asset') context.losses.dropped(['references', index, 'role'], 'images have no roles here')
  return {
    path: '/videos/generations',
    body: {
      model: context.model,
      ...(prompt === undefined ? {} : { prompt }),
      ...(image === undefined ? {} : { image: { url: imageUrl(image.source) } }),
      ...(references.length === 0
        ? {}
        : { reference_images: references.map(({ source }) => ({ url: imageUrl(source) })) }),
      ...(seconds === undefined ? {} : { duration: seconds }),
      ...(aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio }),
      ...(resolution === undefined ? {} : { resolution }),
      ...(user === undefined ? {} : { user }),
    },
  }
}
