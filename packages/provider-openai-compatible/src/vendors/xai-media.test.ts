import { createLosses, type JsonObject } from '@dragoman/core'
import { BEARER } from '@dragoman/core/provider'
import {
  createDriverUpstream,
  createScriptedUpstream,
  describeParameters,
  type DriverUpstream,
  type ScriptedUpstream,
} from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createXai } from '../index.ts'

// Images and videos of xAI, by the reference of its API.
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = { bytesBase64Encoded: DATA, mimeType: 'image/png' }
const URL_OF_IMAGE = `data:image/png;base64,${DATA}`
const COMMON = { create: createXai, auth: BEARER, basePath: '/v1' }

describeParameters('images of xAI', {
  ...COMMON,
  model: 'grok-imagine-image',
  action: 'predict',
  path: '/v1/images/generations',
  base: { model: 'grok-imagine-image', prompt: 'a red kite', response_format: 'b64_json' },
  answer: () => ({ body: JSON.stringify({ data: [{ b64_json: DATA }] }) }),
  rows: [
    { title: '[image.prompt] prompt', sees: {} },
    { title: '[image.sampleCount] sampleCount is n', parameters: { sampleCount: 10 }, sees: { n: 10 } },
    {
      title: '[image.sampleCount] sampleCount is at most 10',
      parameters: { sampleCount: 11 },
      refused: 'parameters.sampleCount',
    },
    {
      title: '[image.negativePrompt] negativePrompt',
      parameters: { negativePrompt: 'rain' },
      losses: ['dropped settings.negativePrompt'],
    },
    { title: '[image.aspectRatio] aspectRatio', parameters: { aspectRatio: '2:1' }, sees: { aspect_ratio: '2:1' } },
    {
      title: '[image.sampleImageSize] sampleImageSize is resolution',
      parameters: { sampleImageSize: '2K' },
      sees: { resolution: '2k' },
    },
    {
      title: '[image.imageSize] imageSize is a ratio and a resolution',
      parameters: { imageSize: '2048x2048' },
      sees: { aspect_ratio: '1:1', resolution: '2k' },
    },
    { title: '[image.quality] quality', parameters: { quality: 'high' }, losses: ['dropped settings.quality'] },
    { title: '[image.seed] seed', parameters: { seed: 7 }, losses: ['dropped settings.seed'] },
    {
      title: '[image.enhancePrompt] enhancePrompt',
      parameters: { enhancePrompt: true },
      losses: ['dropped settings.enhance'],
    },
    {
      title: '[image.guidanceScale] guidanceScale',
      parameters: { guidanceScale: 5 },
      losses: ['dropped settings.guidance'],
    },
    {
      title: '[image.addWatermark] addWatermark',
      parameters: { addWatermark: true },
      losses: ['dropped settings.watermark'],
    },
    {
      title: '[image.safetySetting] safetySetting',
      parameters: { safetySetting: 'BLOCK_ONLY_HIGH' },
      losses: ['dropped settings.safety'],
    },
    {
      title: '[image.personGeneration] personGeneration',
      parameters: { personGeneration: 'allow_adult' },
      losses: ['dropped settings.people'],
    },
    {
      title: '[image.output.mimeType] outputOptions.mimeType',
      parameters: { outputOptions: { mimeType: 'image/jpeg' } },
      losses: ['dropped settings.format'],
    },
    { title: '[image.includeRaiReason] includeRaiReason', parameters: { includeRaiReason: true } },
    {
      title: '[image.image] image is an edit in JSON',
      instance: { image: IMAGE },
      sees: { image: { url: URL_OF_IMAGE, type: 'image_url' } },
      path: '/v1/images/edits',
    },
    {
      title: '[image.aspectRatio] an edit of one image has its aspect ratio',
      instance: { image: IMAGE },
      parameters: { aspectRatio: '16:9' },
      sees: { image: { url: URL_OF_IMAGE, type: 'image_url' } },
      losses: ['dropped settings.aspectRatio'],
      path: '/v1/images/edits',
    },
    {
      title: '[image.references] three images at most',
      instance: {
        referenceImages: [1, 2, 3, 4].map((referenceId) => ({
          referenceType: 'REFERENCE_TYPE_RAW',
          referenceId,
          referenceImage: IMAGE,
        })),
      },
      refused: 'referenceImages',
    },
    {
      title: '[image.references] several images',
      instance: {
        referenceImages: [1, 2].map((referenceId) => ({
          referenceType: 'REFERENCE_TYPE_RAW',
          referenceId,
          referenceImage: IMAGE,
        })),
      },
      sees: { images: [1, 2].map(() => ({ url: URL_OF_IMAGE, type: 'image_url' })) },
      losses: ['dropped references.0.id', 'dropped references.1.id'],
      path: '/v1/images/edits',
    },
  ],
})

describeParameters('videos of xAI', {
  ...COMMON,
  model: 'grok-imagine-video',
  action: 'predictLongRunning',
  path: '/v1/videos/generations',
  base: { model: 'grok-imagine-video', prompt: 'a red kite' },
  answer: () => ({ body: '{"request_id":"r1"}' }),
  rows: [
    { title: '[video.prompt] prompt', sees: {} },
    { title: '[video.image] image is a data URL', instance: { image: IMAGE }, sees: { image: { url: URL_OF_IMAGE } } },
    { title: '[video.lastFrame] no lastFrame', instance: { image: IMAGE, lastFrame: IMAGE }, refused: 'lastFrame' },
    { title: '[video.aspectRatio] aspectRatio', parameters: { aspectRatio: '3:2' }, sees: { aspect_ratio: '3:2' } },
    { title: '[video.resolution] resolution', parameters: { resolution: '720p' }, sees: { resolution: '720p' } },
    { title: '[video.durationSeconds] duration', parameters: { durationSeconds: 15 }, sees: { duration: 15 } },
    {
      title: '[video.durationSeconds] duration is at most 15',
      parameters: { durationSeconds: 16 },
      refused: 'parameters.durationSeconds',
    },
    {
      title: '[video.generateAudio] videos always have sound',
      parameters: { generateAudio: false },
      losses: ['dropped settings.audio'],
    },
    {
      title: '[video.negativePrompt] negativePrompt',
      parameters: { negativePrompt: 'rain' },
      losses: ['dropped settings.negativePrompt'],
    },
    {
      title: '[video.enhancePrompt] enhancePrompt',
      parameters: { enhancePrompt: true },
      losses: ['dropped settings.enhance'],
    },
    {
      title: '[video.personGeneration] personGeneration',
      parameters: { personGeneration: 'allow_adult' },
      losses: ['dropped settings.people'],
    },
    {
      title: '[video.sampleCount] sampleCount is 1',
      parameters: { sampleCount: 2 },
      refused: 'parameters.sampleCount',
    },
    { title: '[video.seed] seed', parameters: { seed: 7 }, losses: ['dropped settings.seed'] },
    { title: '[video.fps] fps', parameters: { fps: 24 }, losses: ['dropped settings.fps'] },
    {
      title: 'images that the video follows',
      instance: { referenceImages: [{ image: IMAGE, referenceType: 'asset' }] },
      sees: { reference_images: [{ url: URL_OF_IMAGE }] },
    },
  ],
})

describe('answers of xAI', () => {
  const { drivers } = createXai({ keys: 'k' })
  let server: ScriptedUpstream
  let upstream: DriverUpstream
  beforeAll(async () => {
    server = await createScriptedUpstream()
    upstream = createDriverUpstream(createXai({ baseURL: `${server.url}/v1`, keys: 'k' }), 'grok')
  })
  afterAll(async () => {
    await upstream.close()
    await server.close()
  })
  const draw = (form?: 'url') =>
    drivers?.image?.draw(
      { model: 'm', prompt: 'a kite', settings: {}, delivery: form === undefined ? {} : { form } },
      upstream,
      createLosses(),
    )

  it('have images, refined prompts, and blocked ones', async () => {
    const data = [
      { b64_json: DATA, revised_prompt: 'a red kite' },
      { b64_json: '', respect_moderation: false },
    ]
    server.answer({ body: JSON.stringify({ data }) })
    expect((await draw())?.images).toEqual([
      { source: { kind: 'base64', mime: 'image/png', data: DATA }, prompt: 'a red kite' },
      { blocked: expect.stringContaining('moderation') as string },
    ])
  })

  it('have URLs where the caller wants them', async () => {
    server.answer({ body: '{"data":[{"url":"https://imgen.x.ai/1.jpeg"}]}' })
    expect((await draw('url'))?.images).toEqual([{ source: { kind: 'url', url: 'https://imgen.x.ai/1.jpeg' } }])
    expect(server.seen.at(-1)?.body).toMatchObject({ response_format: 'url' })
  })

  it('can be errors with status 200', async () => {
    server.answer({ body: '{"code":"invalid argument","error":"no such model"}' })
    await expect(draw('url')).rejects.toMatchObject({ message: 'no such model', code: 'invalid argument' })
  })

  it.each<[JsonObject, JsonObject]>([
    [{}, { status: 'running' }],
    [{ status: 'pending' }, { status: 'running' }],
    [
      { status: 'failed', error: { message: 'no film' } },
      { status: 'failed', error: { message: 'no film' } },
    ],
    [
      { status: 'failed', error: 'no film' },
      { status: 'failed', error: { message: 'no film' } },
    ],
    [{ status: 'expired' }, { status: 'failed' }],
    [
      { status: 'done', video: { url: 'https://vidgen.x.ai/1.mp4', duration: 6 } },
      { status: 'done', videos: [{ source: { url: 'https://vidgen.x.ai/1.mp4' } }] },
    ],
    [{ video: { url: 'https://vidgen.x.ai/1.mp4' } }, { status: 'done' }],
    [
      { status: 'done', video: { url: 'https://vidgen.x.ai/1.mp4', respect_moderation: false } },
      { status: 'done', videos: [], blocked: { count: 1 } },
    ],
  ])('tell the state of a video: %j', async (body, state) => {
    server.answer({ body: JSON.stringify(body) })
    expect(await drivers?.video?.poll({ id: 'r 1', path: '' }, upstream)).toMatchObject(state)
    expect(server.seen.at(-1)).toMatchObject({ method: 'GET', path: '/v1/videos/r%201' })
  })
})
