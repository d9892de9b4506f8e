import type { ImageRequest } from '@dragoman/core/media'
import { imageData, type ImageTasks, type Submission, type TaskContext } from '@dragoman/core/provider'
import { TASKS } from './tasks.ts'

/** Images are asked for every two seconds, for at most ten minutes. */
export const images: ImageTasks = {
  ...TASKS,
  submit: encodeImages,
  results: { list: 'data.task_result.images', url: 'url' },
  intervalMs: 2000,
  deadlineMs: 600_000,
}

function encodeImages({ prompt, references = [], settings }: ImageRequest, { model, losses }: TaskContext): Submission {
  const { count, aspectRatio, tier, negativePrompt, watermark } = settings
  const [reference] = references
  if (reference !== undefined && negativePrompt !== undefined)
    losses.dropped(['settings', 'negativePrompt'], 'not supported together with a given image')
  const { role } = reference ?? {}
  if (role !== undefined && role !== 'subject')
    losses.dropped(['references', 0, 'role'], 'only subjects can be followed')
  return {
    path: '/images/generations',
    body: {
      model_name: model,
      prompt,
      ...(reference === undefined ? {} : { image: imageData(reference.source) }),
      ...(role === 'subject' ? { image_reference: 'subject' } : {}),
      ...(negativePrompt === undefined || reference !== undefined ? {} : { negative_prompt: negativePrompt }),
      ...(count === undefined ? {} : { n: count }),
      ...(aspectRatio === undefined ? {} : { aspect_ratio: aspectRatio }),
      ...(tier === undefined ? {} : { resolution: tier.toLowerCase() }),
      ...(watermark === undefined ? {} : { watermark_info: { enabled: watermark } }),
    },
  }
}
