import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import { encodeBase64 } from '../../lib/base64.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type TranslateOptions, type Translation } from '../translate.ts'

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const lost = (translation: Translation): string[] => reported(translation).filter((entry) => !entry.startsWith('added'))

function send(parts: JsonObject[], options: TranslateOptions = {}) {
  const body = genai.request.check({ contents: [{ role: 'user', parts }] })
  const to = (protocol: typeof chat) => translate(genai, protocol, body, { model: 'm', ...options })
  return { toChat: to(chat), toMessages: to(messages), toGenai: to(genai) }
}
const partsOf = ({ body }: Translation): JsonObject[] =>
  (body['contents'] as { parts: JsonObject[] }[]).flatMap(({ parts }) => parts)
const messageOf = ({ body }: Translation): JsonObject => (body['messages'] as JsonObject[]).at(-1) as JsonObject
const fromChat = (...content: JsonObject[]) =>
  translate(chat, genai, { model: 'm', messages: [{ role: 'user', content }] })
const fromMessages = (...content: JsonObject[]) =>
  translate(messages, genai, { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })

describe('parts of a user', () => {
  it('translates text to every protocol and back [genai.part.text:through]', () => {
    const { toChat, toMessages, toGenai } = send([{ text: 'hello' }])
    expect(messageOf(toChat)).toEqual({ role: 'user', content: 'hello' })
    expect(messageOf(toMessages)).toEqual({ role: 'user', content: 'hello' })
    expect(partsOf(toGenai)).toEqual([{ text: 'hello' }])
    expect(partsOf(fromChat({ type: 'text', text: 'hello' }))).toEqual([{ text: 'hello' }])
    for (const to of [toChat, toMessages, toGenai]) expect(lost(to)).toEqual([])
  })

  it('never sends an empty text upstream, and reports it [genai.part.text:through]', () => {
    const { toGenai } = send([{ text: '' }, { text: 'a' }])
    expect(partsOf(toGenai)).toEqual([{ text: 'a' }])
    expect(reported(toGenai)).toEqual(['dropped messages.0.parts.0'])
  })

  it('translates inline data to the form of each protocol [genai.part.inlineData:through]', () => {
    const png = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const pdf = { inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }
    const wav = { inlineData: { mimeType: 'audio/wav', data: 'UklG' } }
    const { toChat, toMessages, toGenai } = send([png, pdf, wav])
    expect(partsOf(toGenai)).toEqual([png, pdf, wav])
    expect(messageOf(toChat)['content']).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
    ])
    expect(messageOf(toMessages)['content']).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
    ])
    expect(lost(toMessages)).toEqual(['dropped messages.0.parts.2'])
    expect(partsOf(fromChat({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }))).toEqual([png])
  })

  it('drops media that genai does not accept, and file names unless the card allows them [genai.part.inlineData:through]', () => {
    const gif = fromChat(
      { type: 'image_url', image_url: { url: 'data:image/gif;base64,AAAA' } },
      { type: 'text', text: 'a' },
    )
    expect(reported(gif)).toEqual(['dropped messages.0.parts.0'])
    const named = [{ inlineData: { mimeType: 'application/pdf', data: 'JVBE', displayName: 'a.pdf' } }]
    expect(reported(send(named).toGenai)).toEqual(['dropped messages.0.parts.0.title'])
    expect(partsOf(send(named, { dialect: { displayName: true } }).toGenai)).toEqual(named)
  })

  it('translates references, and adds the media type that genai requires [genai.part.fileData:through]', () => {
    const file = { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } }
    const { toChat, toMessages, toGenai } = send([file])
    expect(partsOf(toGenai)).toEqual([file])
    expect(messageOf(toChat)['content']).toEqual([
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ])
    expect(messageOf(toMessages)['content']).toEqual([
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    ])
    const back = fromChat({ type: 'image_url', image_url: { url: 'https://example.com/a.webp?x=1' } })
    expect(partsOf(back)).toEqual([{ fileData: { mimeType: 'image/webp', fileUri: 'https://example.com/a.webp?x=1' } }])
    expect(reported(back)).toEqual(['added messages.0.parts.0.source.mime'])
  })

  it('keeps uploaded files and buckets for their issuer [genai.part.fileData:through]', () => {
    const bucket = { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/film' } }
    const { toChat, toGenai } = send([bucket, { text: 'a' }])
    expect(partsOf(toGenai)[0]).toEqual(bucket)
    expect(lost(toChat)).toEqual(['dropped messages.0.parts.0'])
    const youtube = [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } }]
    expect(partsOf(send(youtube).toGenai)).toEqual(youtube)
  })

  it('keeps a video range and a resolution [genai.part.videoMetadata:through] [genai.part.mediaResolution:through]', () => {
    const film = {
      inlineData: { mimeType: 'video/mp4', data: 'AAAA' },
      videoMetadata: { startOffset: '1s', endOffset: '9.5s', fps: 2 },
    }
    const { toGenai, toChat } = send([film, { text: 'a' }])
    expect(partsOf(toGenai)[0]).toEqual(film)
    expect(lost(toChat)).toEqual(['dropped messages.0.parts.0'])
    const near = send([{ inlineData: { mimeType: 'image/png', data: 'AAAA' }, mediaResolution: 'HIGH' }])
    expect(partsOf(near.toGenai)[0]).toMatchObject({ mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } })
    expect(messageOf(near.toChat)['content']).toMatchObject([{ image_url: { detail: 'high' } }])
    expect(lost(near.toMessages)).toEqual(['dropped messages.0.parts.0.detail'])
    expect(
      partsOf(fromChat({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }))[0],
    ).toMatchObject({
      mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
    })
  })

  it('translates text documents to text files, reported', () => {
    const note = fromMessages({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Grüße' },
      title: 'Note',
    })
    expect(partsOf(note)).toEqual([{ inlineData: { mimeType: 'text/plain', data: encodeBase64('Grüße') } }])
    expect(reported(note)).toEqual(['changed messages.0.parts.0.source', 'dropped messages.0.parts.0.title'])
  })

  it('keeps code and its output, as text for others [genai.part.code:through]', () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ]
    const body = { contents: [{ parts: [{ text: 'a' }] }, { role: 'model', parts }] }
    expect(partsOf(translate(genai, genai, body))).toEqual([{ text: 'a' }, ...parts])
    const there = translate(genai, messages, body, { model: 'm' })
    expect(messageOf(there)['content']).toEqual([
      { type: 'text', text: '```python\nprint(1)\n```' },
      { type: 'text', text: '```\n1\n```' },
    ])
    expect(lost(there)).toEqual(['changed messages.1.parts.0', 'changed messages.1.parts.1'])
  })

  it('keeps a part of an unknown kind only for genai', () => {
    const { toChat, toGenai } = send([{ x_hologram: { a: 1 } }, { text: 'a' }])
    expect(partsOf(toGenai)[0]).toEqual({ x_hologram: { a: 1 } })
    expect(lost(toChat)).toEqual(['dropped messages.0.parts.0'])
  })
})
