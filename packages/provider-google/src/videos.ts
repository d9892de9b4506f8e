import { isObject, type JsonObject } from '@dragoman/core'
import type { VideoRequest } from '@dragoman/core/media'
import {
  downloadImage,
  type Submission,
  type TaskContext,
  type VideoResults,
  type VideoTasks,
} from '@dragoman/core/provider'

/** Veo in the Gemini API: the name of an operation is also the path of its state, and its files need the key. */
export const videos: VideoTasks = {
  submit: encodeVideo,
  id: 'name',
  poll: (name) => `/${name}`,
  state: ({ done, error }) => (done !== true ? 'running' : isObject(error) ? 'failed' : 'done'),
  states: { running: 'running', done: 'done', failed: 'failed' },
  reason: ['error.message'],
  results: {
    list: 'response.generateVideoResponse.generatedSamples',
    url: 'video.uri',
    private: true,
    missing: readFiltered,
  },
}

async function encodeVideo(request: VideoRequest, context: TaskContext): Promise<Submission> {
  const { prompt, image, lastFrame, references = [], settings } = request
  const { count, aspectRatio, resolution, seconds, negativePrompt, people } = settings
  const [first, last, ...others] = await Promise.all(
    [image, lastFrame, ...references].map(async (given) => given && encodeImage(given, context)),
  )
  return {
    path: `/models/${encodeURIComponent(context.model)}:predictLongRunning`,
    body: {
      instances: [
        {
          ...(prompt === undefined ? {} : { prompt }),
          ...(first === undefined ? {} : { image: first }),
          ...(last === undefined ? {} : { lastFrame: last }),
          ...(others.length === 0
            ? {}
            : {
                referenceImages: others.map((reference = {}, index) => ({
                  image: reference,
                  referenceType: references[index]?.role ?? 'asset',
                })),
              }),
        },
      ],
      parameters: {
        ...(count === undefined ? {} : { sampleCount: count }),
        ...(aspectRatio === undefined ? {} : { aspectRatio }),
        ...(resolution === undefined ? {} : { resolution }),
        ...(seconds === undefined ? {} : { durationSeconds: seconds }),
        ...(negativePrompt === undefined ? {} : { negativePrompt }),
        ...(people === undefined ? {} : { personGeneration: people }),
      },
    },
  }
}

async function encodeImage({ source }: NonNullable<VideoRequest['image']>, context: TaskContext): Promise<JsonObject> {
  const { mime, data } = await downloadImage(source, context)
  return { bytesBase64Encoded: data, mimeType: mime }
}

/** The reasons for videos that are missing in an answer. */
function readFiltered({ response }: JsonObject): ReturnType<NonNullable<VideoResults['missing']>> {
  const answer = isObject(response) ? response['generateVideoResponse'] : undefined
  const { raiMediaFilteredCount: count, raiMediaFilteredReasons: reasons } = isObject(answer) ? answer : {}
  const given = Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : []
  const missing = typeof count === 'number' ? Math.max(0, count - given.length) : 0
  return [...given, ...Array.from({ length: missing }, () => 'The upstream gives no reason.')]
}
