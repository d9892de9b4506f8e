import { describe, expect, it } from 'vitest'
import { NO_LOSSES } from '../../ir/loss.ts'
import type { JsonObject } from '../../lib/json.ts'
import { genai } from './index.ts'

const video = genai.video
if (video === undefined) throw new Error('genai has no videos')
const submit = (body: unknown) => video.check(body, { operation: 'video-submit' })
const context = { issuer: 'google', operation: 'video-poll' }
const IMAGE = { bytesBase64Encoded: 'AAAA', mimeType: 'image/png' }
const one = (instance: object, parameters: object = {}) => ({ instances: [instance], parameters })

describe('a request for videos', () => {
  it.each<[string, unknown, string]>([
    ['no instances', {}, 'instances'],
    ['no instance', { instances: [] }, 'instances'],
    ['two instances', { instances: [{ prompt: 'a' }, { prompt: 'b' }] }, 'instances'],
    ['neither a prompt nor an image', one({}), 'instances.0.prompt'],
    ['an empty prompt', one({ prompt: '' }), 'instances.0.prompt'],
    ['a last frame alone', one({ prompt: 'a', lastFrame: IMAGE }), 'instances.0.lastFrame'],
    [
      'an image that is not base64',
      one({ image: { ...IMAGE, bytesBase64Encoded: 'AA*A' } }),
      'instances.0.image.bytesBase64Encoded',
    ],
    [
      'an image without data',
      one({ image: { ...IMAGE, bytesBase64Encoded: '' } }),
      'instances.0.image.bytesBase64Encoded',
    ],
    ['an image without anything', one({ image: {} }), 'instances.0.image.bytesBase64Encoded'],
    [
      'a last frame that is no image',
      one({ image: IMAGE, lastFrame: { ...IMAGE, mimeType: 'video/mp4' } }),
      'instances.0.lastFrame.mimeType',
    ],
    ['an image in two places', one({ image: { ...IMAGE, gcsUri: 'gs://x' } }), 'instances.0.image.gcsUri'],
    ['a length in parts', one({ prompt: 'a' }, { durationSeconds: 4.5 }), 'parameters.durationSeconds'],
    ['a length in words', one({ prompt: 'a' }, { durationSeconds: '8' }), 'parameters.durationSeconds'],
    ['no videos', one({ prompt: 'a' }, { sampleCount: 0 }), 'parameters.sampleCount'],
    ['a flag in words', one({ prompt: 'a' }, { generateAudio: 'yes' }), 'parameters.generateAudio'],
    ['a prompt that is no text', one({ prompt: 1 }), 'instances.0.prompt'],
    ['no object', 'x', ''],
  ])('with %s is refused with the name of the field', (_what, body, param) => {
    const error = expect.objectContaining({ kind: 'invalid-request', param: param === '' ? undefined : param }) as Error
    expect(() => submit(body)).toThrow(error)
  })

  it('may be written in snake_case, and may have nulls', () => {
    const body = { instances: [{ prompt: 'a', last_frame: null }], parameters: { duration_seconds: 8, seed: null } }
    expect(video.decode(submit(body), { ...context, path: { model: 'google/veo' } })).toEqual({
      model: 'google/veo',
      prompt: 'a',
      settings: { seconds: 8 },
    })
  })

  it('may give its images in the URL-safe alphabet', () => {
    const { image } = video.decode(submit(one({ image: { ...IMAGE, bytesBase64Encoded: '-_-_' } })), context)
    expect(image?.source).toMatchObject({ data: '+/+/' })
  })

  it('asks a poll for its name', () => {
    expect(() => video.check({}, { operation: 'video-poll' })).toThrow(
      expect.objectContaining({ kind: 'invalid-request', param: 'operationName' }) as Error,
    )
    expect(video.named(video.check({ operation_name: 'x' }, { operation: 'video-poll' }))).toBe('x')
  })
})

describe('an operation of the Gemini API', () => {
  const uri = 'https://generativelanguage.googleapis.com/v1beta/files/abc:download?alt=media'
  const decode = (body: JsonObject) => video.answer.decode(body, context).state

  it('names files that only its key opens', () => {
    const generateVideoResponse = { generatedSamples: [{ video: { uri } }] }
    expect(decode({ name: 'models/veo/operations/1', done: true, response: { generateVideoResponse } })).toEqual({
      status: 'done',
      videos: [{ source: { kind: 'url', url: uri, mime: 'video/mp4' }, private: true }],
    })
  })

  it('says what was blocked', () => {
    const generateVideoResponse = { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['Violence.'] }
    expect(decode({ name: 'x', done: true, response: { generateVideoResponse } })).toEqual({
      status: 'done',
      videos: [],
      blocked: { count: 1, reasons: ['Violence.'] },
    })
  })

  it('is asked for by its path, and one of Vertex AI by its name', () => {
    expect(video.poll('models/veo-3/operations/a1', 'veo-3')).toEqual({
      path: '/models/veo-3/operations/a1',
      method: 'GET',
    })
    const name = 'projects/p/locations/l/publishers/google/models/veo-3/operations/a1'
    expect(video.poll(name, 'veo-3')).toEqual({
      path: '/models/veo-3:fetchPredictOperation',
      method: 'POST',
      body: { operationName: name },
    })
    expect(video.poll('models/../../x/operations/a', 'veo').path).toBe('/models/veo:fetchPredictOperation')
  })

  it.each<[JsonObject]>([
    [{}],
    [{ name: 1, done: true }],
    [{ done: true, response: 'x' }],
    [{ done: true, response: { videos: [null, 1, {}] } }],
    [{ done: true, response: { generateVideoResponse: { generatedSamples: [null, { video: [] }] } } }],
    [{ done: true, error: { code: 'x' } }],
  ])('is read whatever its shape is: %j', (body) => {
    expect(['running', 'done', 'failed']).toContain(decode(body).status)
  })
})

describe('a video that only a credential opens', () => {
  it('is never written for a client', () => {
    const videos = [{ source: { kind: 'url' as const, url: 'https://secret.example/x' }, private: true as const }, {}]
    const wire = video.answer.encode(
      { name: 'n', state: { status: 'done', videos } },
      { ...context, toward: 'client', id: () => '', now: 0, losses: NO_LOSSES },
    )
    expect(wire).toEqual({ name: 'n', done: true, response: { videos: [] } })
  })
})
