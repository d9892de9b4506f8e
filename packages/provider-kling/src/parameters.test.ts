import { BEARER } from '@dragoman/core/provider'
import { describeParameters, type ScriptedAnswer, type SeenCall } from '@dragoman/testkit'
import { createKling } from './index.ts'

// What becomes of every parameter of a client, by the reference of Kling's API.
const DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = { bytesBase64Encoded: DATA, mimeType: 'image/png' }
const COMMON = { create: createKling, auth: BEARER, basePath: '/v1' }

describeParameters('images of Kling', {
  ...COMMON,
  model: 'kling-v3',
  action: 'predict',
  path: '/v1/images/generations',
  base: { model_name: 'kling-v3', prompt: 'a red kite' },
  // An image that was blocked needs no download.
  answer: () => ({ status: 400, body: '{"code":1301,"message":"blocked"}' }),
  rows: [
    { title: '[image.prompt] prompt', sees: {} },
    { title: '[image.sampleCount] sampleCount is n', parameters: { sampleCount: 9 }, sees: { n: 9 } },
    {
      title: '[image.sampleCount] sampleCount is at most 9',
      parameters: { sampleCount: 10 },
      refused: 'parameters.sampleCount',
    },
    {
      title: '[image.negativePrompt] negativePrompt',
      parameters: { negativePrompt: 'rain' },
      sees: { negative_prompt: 'rain' },
    },
    { title: '[image.aspectRatio] aspectRatio', parameters: { aspectRatio: '21:9' }, sees: { aspect_ratio: '21:9' } },
    {
      title: '[image.aspectRatio] aspectRatio is one of eight',
      parameters: { aspectRatio: '5:4' },
      refused: 'parameters.aspectRatio',
    },
    {
      title: '[image.sampleImageSize] sampleImageSize is resolution',
      parameters: { sampleImageSize: '2K' },
      sees: { resolution: '2k' },
    },
    {
      title: '[image.sampleImageSize] sampleImageSize is at most 2K',
      parameters: { sampleImageSize: '4K' },
      refused: 'parameters.sampleImageSize',
    },
    {
      title: '[image.imageSize] imageSize is a ratio and a resolution',
      parameters: { imageSize: '1024x1024' },
      sees: { aspect_ratio: '1:1', resolution: '1k' },
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
      sees: { watermark_info: { enabled: true } },
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
      title: '[image.output.mimeType] png is the only type',
      parameters: { outputOptions: { mimeType: 'image/jpeg' } },
      losses: ['dropped settings.format'],
    },
    { title: '[image.output.mimeType] png', parameters: { outputOptions: { mimeType: 'image/png' } } },
    { title: '[image.includeRaiReason] includeRaiReason', parameters: { includeRaiReason: true } },
    { title: '[image.image] image is bare base64', instance: { image: IMAGE }, sees: { image: DATA } },
    {
      title: '[image.image] image excludes a negative prompt',
      instance: { image: IMAGE },
      parameters: { negativePrompt: 'rain' },
      sees: { image: DATA },
      losses: ['dropped settings.negativePrompt'],
    },
    {
      title: '[image.references] one image',
      instance: { referenceImages: [1, 2].map((id) => raw(id)) },
      refused: 'referenceImages',
    },
    {
      title: '[image.references] no mask',
      instance: {
        referenceImages: [
          raw(1),
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

function raw(referenceId: number) {
  return { referenceType: 'REFERENCE_TYPE_RAW', referenceId, referenceImage: IMAGE }
}

const TEXT = '/v1/videos/text2video'
const FRAME = '/v1/videos/image2video'
const VIDEO = {
  ...COMMON,
  action: 'predictLongRunning',
  path: TEXT,
  answer: (_call: SeenCall): ScriptedAnswer => ({
    body: '{"code":0,"data":{"task_id":"t1","task_status":"submitted"}}',
  }),
} as const

describeParameters('videos of Kling', {
  ...VIDEO,
  model: 'kling-v3',
  base: { model_name: 'kling-v3', prompt: 'a red kite' },
  rows: [
    { title: '[video.prompt] prompt', sees: {} },
    { title: '[video.image] image is bare base64', instance: { image: IMAGE }, sees: { image: DATA }, path: FRAME },
    {
      title: '[video.lastFrame] lastFrame is bare base64',
      instance: { image: IMAGE, lastFrame: IMAGE },
      sees: { image: DATA, image_tail: DATA },
      path: FRAME,
    },
    { title: '[video.aspectRatio] aspectRatio', parameters: { aspectRatio: '1:1' }, sees: { aspect_ratio: '1:1' } },
    {
      title: '[video.aspectRatio] aspectRatio is one of three',
      parameters: { aspectRatio: '4:3' },
      refused: 'parameters.aspectRatio',
    },
    { title: '[video.resolution] resolution is a mode', parameters: { resolution: '1080p' }, sees: { mode: 'pro' } },
    { title: '[video.resolution] 4k does not exist', parameters: { resolution: '4k' }, refused: 'resolution' },
    {
      title: '[video.durationSeconds] durationSeconds is text',
      parameters: { durationSeconds: 15 },
      sees: { duration: '15' },
    },
    {
      title: '[video.durationSeconds] durationSeconds is from 3 to 15',
      parameters: { durationSeconds: 16 },
      refused: 'parameters.durationSeconds',
    },
    {
      title: '[video.generateAudio] generateAudio is sound, in every mode',
      parameters: { generateAudio: true, resolution: '720p' },
      sees: { sound: 'on', mode: 'std' },
    },
    {
      title: '[video.negativePrompt] negativePrompt',
      parameters: { negativePrompt: 'rain' },
      sees: { negative_prompt: 'rain' },
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
  ],
})

describeParameters('videos of Kling 2.6', {
  ...VIDEO,
  model: 'kling-v2-6',
  base: { model_name: 'kling-v2-6', prompt: 'a red kite' },
  rows: [
    {
      title: '[video.lastFrame] lastFrame needs 1080p',
      instance: { image: IMAGE, lastFrame: IMAGE },
      sees: { image: DATA, image_tail: DATA, mode: 'pro' },
      path: FRAME,
      losses: ['added settings.resolution'],
    },
    {
      title: '[video.generateAudio] generateAudio needs 1080p',
      parameters: { generateAudio: true, resolution: '720p' },
      sees: { sound: 'on', mode: 'pro' },
      losses: ['changed settings.resolution'],
    },
  ],
})

describeParameters('videos of an earlier Kling', {
  ...VIDEO,
  model: 'kling-v1-6',
  base: { model_name: 'kling-v1-6', prompt: 'a red kite' },
  rows: [
    {
      title: '[video.durationSeconds] durationSeconds is 5 or 10',
      parameters: { durationSeconds: 8 },
      refused: 'parameters.durationSeconds',
    },
    {
      title: '[video.generateAudio] generateAudio',
      parameters: { generateAudio: true },
      losses: ['dropped settings.audio'],
    },
    {
      title: 'images that the video follows',
      instance: { referenceImages: [{ image: IMAGE, referenceType: 'asset' }] },
      sees: { image_list: [{ image: DATA }] },
      path: '/v1/videos/multi-image2video',
    },
  ],
})
