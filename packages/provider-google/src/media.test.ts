import { createLosses, type JsonObject } from '@dragoman/core'
import {
  createDriverUpstream,
  createScriptedUpstream,
  describeParameters,
  type DriverUpstream,
  type ParameterRow,
  type ScriptedUpstream,
} from '@dragoman/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGoogle } from './index.ts'

// Images of Gemini and videos of Veo in the Gemini API.
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = { bytesBase64Encoded: DATA, mimeType: 'image/png' }
const COMMON = { create: createGoogle, auth: { header: 'x-goog-api-key' }, basePath: '/v1beta' }

const dropped = (title: string, parameters: JsonObject, setting: string): ParameterRow => ({
  title,
  parameters,
  losses: [`dropped settings.${setting}`],
})

const MODALITIES = ['TEXT', 'IMAGE']
const PROMPT = { text: 'a red kite' }
const configured = (generationConfig: JsonObject): JsonObject => ({
  generationConfig: { responseModalities: MODALITIES, ...generationConfig },
})

describeParameters('images of Gemini', {
  ...COMMON,
  model: 'gemini-3-pro-image',
  action: 'predict',
  path: '/v1beta/models/gemini-3-pro-image:generateContent',
  base: { contents: [{ role: 'user', parts: [PROMPT] }], ...configured({}) },
  answer: () => ({
    body: JSON.stringify({
      candidates: [
        {
          content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: DATA } }] },
          finishReason: 'STOP',
        },
      ],
    }),
  }),
  rows: [
    { title: '[image.prompt] prompt is a text', sees: {} },
    { title: '[image.sampleCount] sampleCount is several calls', parameters: { sampleCount: 2 }, sees: {} },
    { title: '[image.sampleCount] sampleCount is at most 4', parameters: { sampleCount: 5 }, refused: 'sampleCount' },
    dropped('[image.negativePrompt] negativePrompt', { negativePrompt: 'rain' }, 'negativePrompt'),
    {
      title: '[image.aspectRatio] aspectRatio',
      parameters: { aspectRatio: '21:9' },
      sees: configured({ imageConfig: { aspectRatio: '21:9' } }),
    },
    {
      title: '[image.sampleImageSize] sampleImageSize is imageSize',
      parameters: { sampleImageSize: '4K' },
      sees: configured({ imageConfig: { imageSize: '4K' } }),
    },
    dropped('[image.quality] quality', { quality: 'high' }, 'quality'),
    { title: '[image.seed] seed', parameters: { seed: 7 }, sees: configured({ seed: 7 }) },
    dropped('[image.enhancePrompt] enhancePrompt', { enhancePrompt: true }, 'enhance'),
    dropped('[image.guidanceScale] guidanceScale', { guidanceScale: 5 }, 'guidance'),
    dropped('[image.addWatermark] addWatermark', { addWatermark: true }, 'watermark'),
    dropped(
      '[image.personGeneration] personGeneration is for the cloud platform',
      { personGeneration: 'allow_all' },
      'people',
    ),
    dropped(
      '[image.output.mimeType] outputOptions is for the cloud platform',
      { outputOptions: { mimeType: 'image/jpeg' } },
      'format',
    ),
    {
      title: '[image.safetySetting] safetySetting is a threshold of every category',
      parameters: { safetySetting: 'BLOCK_ONLY_HIGH' },
      sees: {
        safetySettings: ['HATE_SPEECH', 'HARASSMENT', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((each) => ({
          category: `HARM_CATEGORY_${each}`,
          threshold: 'BLOCK_ONLY_HIGH',
        })),
      },
    },
    { title: '[image.includeRaiReason] includeRaiReason', parameters: { includeRaiReason: true } },
    {
      title: '[image.image] image comes first',
      instance: { image: IMAGE },
      sees: { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: DATA } }, PROMPT] }] },
    },
    {
      title: '[image.references] no mask',
      instance: {
        referenceImages: [
          { referenceType: 'REFERENCE_TYPE_RAW', referenceId: 1, referenceImage: IMAGE },
          {
            referenceType: 'REFERENCE_TYPE_MASK',
            referenceId: 2,
            referenceImage: IMAGE,
            maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
          },
        ],
      },
      refused: 'referenceImages',
    },
  ],
})

const instances = (more: JsonObject = {}, parameters: JsonObject = {}): JsonObject => ({
  instances: [{ prompt: 'a red kite', ...more }],
  parameters,
})
const through = (title: string, parameters: JsonObject): ParameterRow => ({
  title,
  parameters,
  sees: instances({}, parameters),
})

describeParameters('videos of Veo', {
  ...COMMON,
  model: 'veo-3.1-generate-001',
  action: 'predictLongRunning',
  path: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
  base: instances(),
  answer: () => ({ body: '{"name":"models/veo-3.1-generate-preview/operations/o1"}' }),
  rows: [
    { title: '[video.prompt] prompt', sees: {} },
    { title: '[video.image] image', instance: { image: IMAGE }, sees: instances({ image: IMAGE }) },
    {
      title: '[video.lastFrame] lastFrame',
      instance: { image: IMAGE, lastFrame: IMAGE },
      sees: instances({ image: IMAGE, lastFrame: IMAGE }),
    },
    {
      title: 'images that the video follows',
      instance: { referenceImages: [{ image: IMAGE, referenceType: 'style' }] },
      sees: instances({ referenceImages: [{ image: IMAGE, referenceType: 'style' }] }),
    },
    {
      title: '[video.durationSeconds] videos that follow images have 8 s',
      instance: { referenceImages: [{ image: IMAGE, referenceType: 'asset' }] },
      parameters: { durationSeconds: 4 },
      refused: 'durationSeconds',
    },
    through('[video.aspectRatio] aspectRatio', { aspectRatio: '9:16' }),
    { title: '[video.aspectRatio] no squares', parameters: { aspectRatio: '1:1' }, refused: 'parameters.aspectRatio' },
    through('[video.resolution] resolution', { resolution: '1080p' }),
    through('[video.durationSeconds] durationSeconds', { durationSeconds: 6 }),
    {
      title: '[video.durationSeconds] 5 s is not a length of this model',
      parameters: { durationSeconds: 5 },
      refused: 'durationSeconds',
    },
    {
      title: '[video.durationSeconds] 1080p has 8 s',
      parameters: { durationSeconds: 4, resolution: '1080p' },
      refused: 'durationSeconds',
    },
    { title: '[video.generateAudio] videos have sound', parameters: { generateAudio: true } },
    {
      title: '[video.generateAudio] videos always have sound',
      parameters: { generateAudio: false },
      losses: ['dropped settings.audio'],
    },
    through('[video.negativePrompt] negativePrompt', { negativePrompt: 'rain' }),
    dropped('[video.enhancePrompt] enhancePrompt', { enhancePrompt: true }, 'enhance'),
    through('[video.personGeneration] personGeneration', { personGeneration: 'allow_adult' }),
    through('[video.sampleCount] sampleCount', { sampleCount: 4 }),
    dropped('[video.seed] the Gemini API refuses a seed', { seed: 7 }, 'seed'),
    dropped('[video.fps] the Gemini API refuses a frame rate', { fps: 24 }, 'fps'),
  ],
})

describe('the state of videos of Veo', () => {
  const NAME = 'models/veo-3.1-generate-preview/operations/o1'
  let server: ScriptedUpstream
  let upstream: DriverUpstream
  const { drivers } = createGoogle({ keys: 'k' })
  beforeAll(async () => {
    server = await createScriptedUpstream()
    const provider = createGoogle({ baseURL: `${server.url}/v1beta`, keys: 'key-of-google' })
    upstream = createDriverUpstream(provider, 'veo-3.1-generate-preview')
  })
  afterAll(async () => {
    await upstream.close()
    await server.close()
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['running', { name: NAME }, { status: 'running' }],
    [
      'done, with a file that needs the key',
      {
        done: true,
        response: { generateVideoResponse: { generatedSamples: [{ video: { uri: 'https://g.example/v' } }] } },
      },
      {
        status: 'done',
        videos: [{ source: { kind: 'url', url: 'https://g.example/v', mime: 'video/mp4' }, private: true }],
      },
    ],
    [
      'blocked',
      {
        done: true,
        response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['no'] } },
      },
      { status: 'done', videos: [], blocked: { count: 1, reasons: ['no'] } },
    ],
    [
      'failed',
      { done: true, error: { code: 13, message: 'out of film' } },
      { status: 'failed', error: { message: 'out of film' } },
    ],
  ])('is %s', async (_title, body, state) => {
    server.answer({ body: JSON.stringify(body) })
    expect(await drivers?.video?.poll({ id: NAME, path: '' }, upstream)).toMatchObject(state)
    const seen = server.seen.at(-1)
    expect(seen).toMatchObject({
      method: 'GET',
      path: `/v1beta/${NAME}`,
      headers: { 'x-goog-api-key': 'key-of-google' },
    })
  })

  it('begins with frames that are downloaded if they are URLs', async () => {
    server.answer(({ path }) =>
      path === '/frame.png' ? { body: Buffer.from(DATA, 'base64') } : { body: JSON.stringify({ name: NAME }) },
    )
    const image = { source: { kind: 'url', url: `${server.url}/frame.png` } } as const
    const request = { model: 'veo', image, settings: {} }
    expect(await drivers?.video?.submit(request, upstream, createLosses())).toMatchObject({ id: NAME })
    expect(server.seen.at(-1)?.body).toEqual({ instances: [{ image: IMAGE }], parameters: {} })
  })
})
