import { readFileSync } from 'node:fs'
import { createLosses } from '@dragoman/core'
import type { VideoRequest } from '@dragoman/core/media'
import { BEARER, defineProvider, imageUrl, videoTasks, type Card, type ProviderOptions } from '@dragoman/core/provider'
import {
  createDriverUpstream,
  createScriptedUpstream,
  describeParameters,
  type DriverUpstream,
  type ScriptedUpstream,
} from '@dragoman/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createOpenAI, openai } from './index.ts'

// OpenAI has shut its videos API down (2026-09-24): no card lists a model of it. Its recorded answers show that such an API, whose files
// have no address and need the key, is a description for `videoTasks`.
const ID = 'video_68d7512d07848190b3e45da0ecbebcde004da08e1e0678d5'
const answerOf = (name: string): string => readFileSync(new URL(`fixtures/video-${name}.json`, import.meta.url), 'utf8')
const SIZE_OF: { readonly [ratio: string]: string } = { '16:9': '1280x720', '9:16': '720x1280' }

const driver = videoTasks({
  submit: ({ prompt, image, settings: { seconds, aspectRatio } }, { model }) => ({
    path: '/videos',
    body: {
      model,
      ...(prompt === undefined ? {} : { prompt }),
      ...(image === undefined ? {} : { input_reference: { image_url: imageUrl(image.source) } }),
      ...(seconds === undefined ? {} : { seconds: String(seconds) }),
      ...(aspectRatio === undefined ? {} : { size: SIZE_OF[aspectRatio] ?? '' }),
    },
  }),
  id: 'id',
  poll: (id) => `/videos/${id}`,
  state: 'status',
  states: { queued: 'running', in_progress: 'running', completed: 'done', failed: 'failed' },
  reason: ['error.message'],
  blocking: /moderation/,
  results: { open: (id) => `/videos/${id}/content` },
})

const sora: Card = {
  name: 'sora-2',
  input: ['text', 'image'],
  output: ['video'],
  video: { ratios: ['9:16', '16:9'], seconds: [4, 8, 12], defaultSeconds: 4, audio: 'always', frames: ['first'] },
}
const create = (options: ProviderOptions) =>
  defineProvider({ ...openai, endpoints: { own: '.' }, models: [sora], drivers: { video: driver } }, options)

describe('the retired videos of OpenAI', () => {
  const filming: VideoRequest = { model: 'sora-2', prompt: 'a red kite', settings: { seconds: 8, aspectRatio: '16:9' } }
  const token = { id: ID, path: '/videos' }
  let server: ScriptedUpstream
  let upstream: DriverUpstream
  beforeAll(async () => {
    server = await createScriptedUpstream()
  })
  afterEach(() => upstream.close())
  afterAll(() => server.close())

  /** The upstream answers with a fixture. */
  function begin(name: string): DriverUpstream {
    server.answer({ body: answerOf(name) })
    return (upstream = createDriverUpstream(create({ keys: 'sk-key', baseURL: `${server.url}/v1` }), 'sora-2'))
  }

  it('are submitted', async () => {
    expect(await driver.submit(filming, begin('queued'), createLosses())).toEqual(token)
    const body = { model: 'sora-2', prompt: 'a red kite', seconds: '8', size: '1280x720' }
    expect(server.seen.at(-1)).toMatchObject({ method: 'POST', path: '/v1/videos', body })
  })

  it.each([
    ['queued', { status: 'running' }],
    ['in-progress', { status: 'running' }],
    ['completed', { status: 'done', videos: [{}] }],
    ['failed', { status: 'failed', error: { message: 'Video generation failed. Please try again.' } }],
    ['blocked', { status: 'done', videos: [], blocked: { count: 1, reasons: [expect.stringContaining('blocked')] } }],
  ])('are polled: %s', async (name, state) => {
    expect(await driver.poll(token, begin(name))).toMatchObject(state)
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', path: `/v1/videos/${ID}` })
  })

  it('have files at a path that the key opens', async () => {
    begin('completed')
    const file = await driver.open?.(token, 0, upstream)
    expect(file).toEqual({ path: `/videos/${ID}/content`, mime: 'video/mp4' })
  })

  it('are not listed', () => {
    const { models, drivers } = createOpenAI({ keys: 'sk-key' })
    expect(models.filter(({ video }) => video !== undefined)).toEqual([])
    expect(drivers).toBeUndefined()
  })
})

const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describeParameters('sora-2', {
  create,
  auth: BEARER,
  basePath: '/v1',
  model: 'sora-2',
  action: 'predictLongRunning',
  path: '/v1/videos',
  base: { model: 'sora-2', prompt: 'a red kite' },
  answer: () => ({ body: answerOf('queued') }),
  rows: [
    { title: 'prompt', sees: {} },
    { title: 'durationSeconds is a string', parameters: { durationSeconds: 12 }, sees: { seconds: '12' } },
    { title: 'durationSeconds is 4, 8 or 12', parameters: { durationSeconds: 5 }, refused: 'durationSeconds' },
    { title: 'aspectRatio is a size', parameters: { aspectRatio: '9:16' }, sees: { size: '720x1280' } },
    {
      title: 'image is a reference',
      instance: { image: { bytesBase64Encoded: DATA, mimeType: 'image/png' } },
      sees: { input_reference: { image_url: `data:image/png;base64,${DATA}` } },
    },
    { title: 'seed', parameters: { seed: 7 }, losses: ['dropped settings.seed'] },
    { title: 'negativePrompt', parameters: { negativePrompt: 'rain' }, losses: ['dropped settings.negativePrompt'] },
  ],
})
