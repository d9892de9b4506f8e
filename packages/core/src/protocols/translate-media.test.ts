import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { mediaKinds } from '../ir/media-kinds.ts'
import { translateImageStream, writeImageStream } from './translate-image-stream.ts'
import { translateMediaAnswer, translateMediaRequest, type MediaTranslateOptions } from './translate-media.ts'

const PNG = 'iVBORw0KGgo='
const ASKED = { model: 'm', prompt: 'a boat' }
const { image } = mediaKinds
const FACTS = { operation: 'image', called: 'image', brief: { ...ASKED, settings: {}, delivery: {} } }
const edit: MediaTranslateOptions = { operation: 'image-edit' }
const predict: MediaTranslateOptions = { operation: 'predict', match: { model: 'm' } }

describe('a request for images in another protocol', () => {
  it('goes from chat to genai, with its losses at their members', () => {
    const {
      calls: [call],
      losses,
      facts,
    } = translateMediaRequest(image, chat, genai, { ...ASKED, n: 2, style: 'vivid' })
    expect(call).toEqual({
      operation: 'predict',
      body: { instances: [{ prompt: 'a boat' }], parameters: { sampleCount: 2 } },
    })
    expect(losses).toMatchObject([{ kind: 'dropped', wirePath: 'style' }])
    expect(facts).toMatchObject({
      operation: 'image',
      called: 'predict',
      brief: { settings: { count: 2, style: 'vivid' } },
    })
  })

  it('has its images there too', () => {
    const {
      calls: [call],
    } = translateMediaRequest(image, chat, genai, { ...ASKED, image: `data:image/png;base64,${PNG}` }, edit)
    expect(JSON.stringify(call?.body)).toContain(`{"bytesBase64Encoded":"${PNG}","mimeType":"image/png"}`)
  })

  it('goes from genai to chat, under the name of the upstream', () => {
    const body = { instances: [{ prompt: 'a boat' }], parameters: { sampleCount: 2, seed: 7 } }
    const {
      calls: [call],
      losses,
    } = translateMediaRequest(image, genai, chat, body, { ...predict, model: 'gpt-image-2' })
    expect(call).toEqual({ operation: 'image', body: { model: 'gpt-image-2', prompt: 'a boat', n: 2 } })
    expect(losses).toMatchObject([{ kind: 'dropped', wirePath: 'parameters.seed' }])
  })

  it('is fitted to its model, and refused at the member of the caller', () => {
    const facts = { most: 2 }
    const ask = (body: JsonObject, options: MediaTranslateOptions) => () =>
      translateMediaRequest(image, options === predict ? genai : chat, chat, body, { ...options, facts })
    expect(ask({ ...ASKED, n: 3 }, {})).toThrow(expect.objectContaining({ kind: 'invalid-request', param: 'n' }))
    const body = { instances: [{ prompt: 'a boat' }], parameters: { sampleCount: 3 } }
    expect(ask(body, predict)).toThrow(expect.objectContaining({ param: 'parameters.sampleCount' }))
  })

  it('is refused if it cannot be read, or if a protocol has no images', () => {
    expect(() => translateMediaRequest(image, chat, genai, { model: 'm' })).toThrow(
      expect.objectContaining({ param: 'prompt' }),
    )
    const { image: _image, ...imageless } = chat
    expect(() => translateMediaRequest(image, imageless, genai, ASKED)).toThrow(
      expect.objectContaining({ kind: 'unsupported' }),
    )
  })
})

describe('an answer with images in another protocol', () => {
  it('goes from genai to chat', () => {
    const body = { predictions: [{ bytesBase64Encoded: PNG, mimeType: 'image/png', prompt: 'a red boat' }] }
    const answer = translateMediaAnswer(image, chat, genai, [body], { ...FACTS, called: 'predict' }, { now: 5 })
    expect(answer).toMatchObject({
      body: { created: 5, data: [{ b64_json: PNG, revised_prompt: 'a red boat' }] },
      billed: { images: 1 },
    })
  })

  it('goes from chat to genai', () => {
    const body = { created: 1, data: [{ b64_json: PNG }], usage: { input_tokens: 1, output_tokens: 2 } }
    const answer = translateMediaAnswer(image, genai, chat, [body], { ...FACTS, operation: 'predict' })
    expect(answer.body).toEqual({ predictions: [{ bytesBase64Encoded: PNG, mimeType: 'image/png' }] })
    expect(answer.billed).toMatchObject({ input: 1, output: 2, images: 1 })
  })

  it('is an error of chat if all images were blocked', () => {
    const body = { predictions: [{ raiFilteredReason: 'Not this.' }] }
    const run = () => translateMediaAnswer(image, chat, genai, [body], { ...FACTS, called: 'predict' })
    expect(run).toThrow(expect.objectContaining({ kind: 'invalid-request', code: 'moderation_blocked' }))
  })

  it('[images.emulated] is written as a stream if the upstream cannot stream', () => {
    const {
      stream,
      calls: [call],
      facts,
    } = translateMediaRequest(image, chat, genai, { ...ASKED, stream: true })
    expect([stream, JSON.stringify(call?.body).includes('stream')]).toEqual(['emulated', false])
    let text = ''
    const body = { predictions: [{ bytesBase64Encoded: PNG, mimeType: 'image/png' }] }
    writeImageStream(chat, genai, body, (piece) => (text += piece), facts)
    expect(text.match(/^event: .*$/gm)).toEqual(['event: image_generation.completed'])
  })

  it('is translated event by event', () => {
    const event = (type: string, members: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: PNG, size: '1024x1024', ...members })}\n\n`
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
    const given =
      event('image_generation.partial_image', { partial_image_index: 0 }) +
      event('image_generation.completed', { usage })
    let text = ''
    const stream = translateImageStream(chat, chat, (piece) => (text += piece), { ...FACTS, operation: 'image-edit' })
    for (const byte of new TextEncoder().encode(given)) stream.push(Uint8Array.of(byte))
    stream.end()
    expect(text.match(/^event: .*$/gm)).toEqual(['event: image_edit.partial_image', 'event: image_edit.completed'])
    expect(stream).toMatchObject({ done: true, images: 1, usage: { input: 1, output: 2 }, failed: undefined })
    expect(stream.losses().map(({ path }) => path.join('.'))).toContain('quality')
  })

  it('ends as an error if the upstream stops early, or is stopped', () => {
    let text = ''
    const stream = translateImageStream(chat, chat, (piece) => (text += piece), FACTS)
    stream.push(new TextEncoder().encode('data: {"type":"image_generation.partial_image","b64_json":"AAAA"}\n\n'))
    stream.end()
    expect(stream).toMatchObject({ done: true, failed: { kind: 'interrupted' }, images: 0 })
    expect(text).toContain('event: error\n')
  })
})
