import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import { encodeBase64 } from '../../lib/base64.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation } from '../translate.ts'

const inline = (mimeType: string, data = 'AAAA') => ({ inlineData: { mimeType, data } })
const send = (to: typeof chat, ...parts: JsonObject[]): Translation =>
  translate(genai, to, genai.request.check({ contents: [{ role: 'user', parts }] }), { model: 'm' })
const lost = ({ losses }: Translation) => losses.filter(({ kind }) => kind !== 'added')
const partsOf = ({ body }: Translation) => (body['contents'] as { parts: JsonObject[] }[]).flatMap(({ parts }) => parts)
const contentOf = ({ body }: Translation) => (body['messages'] as { content: JsonObject[] }[])[0]?.content

describe('media types beyond the list of the protocol', () => {
  it.each(['image/heic', 'image/gif', 'audio/ogg', 'text/csv', 'application/zip', 'application/vnd.x+json; v=1'])(
    'go to a genai upstream untouched: %s [genai.part.inlineData:through]',
    (type) => {
      const file = { fileData: { mimeType: type, fileUri: 'gs://bucket/a' } }
      const next = send(genai, inline(type), file)
      expect(partsOf(next)).toEqual([inline(type), file])
      expect(next.losses).toEqual([])
      expect(genai.relay.obstacle({ contents: [{ parts: [inline(type)] }] }, {})).toBeUndefined()
    },
  )

  it('are translated where the target has a place [genai.part.inlineData:through]', () => {
    expect(contentOf(send(messages, inline('image/gif')))).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'AAAA' } },
    ])
    expect(contentOf(send(chat, inline('image/heic'), inline('text/csv')))).toMatchObject([
      { type: 'image_url', image_url: { url: 'data:image/heic;base64,AAAA' } },
      { type: 'file', file: { file_data: 'data:text/csv;base64,AAAA' } },
    ])
  })

  it.each(['text/csv', 'text/markdown', 'application/json'])(
    'are documents of a messages upstream if they are text: %s [genai.part.inlineData:through]',
    (type) => {
      const next = send(messages, inline(type, encodeBase64('Grüße')))
      const source = { type: 'text', media_type: 'text/plain', data: 'Grüße' }
      expect(contentOf(next)).toEqual([{ type: 'document', source }])
      expect(lost(next)).toMatchObject([{ kind: 'changed', path: ['messages', 0, 'parts', 0, 'source'] }])
    },
  )

  it('are refused only where the target has none, with their path [genai.part.inlineData:through]', () => {
    const refusal = /^contents\.0\.parts\.1\.inlineData\.mimeType: .*image\/heic/
    expect(() => send(messages, { text: 'a' }, inline('image/heic'))).toThrow(refusal)
    expect(() => send(chat, inline('video/webm'))).toThrow(/video\/webm/)
    expect(lost(send(messages, { text: 'a' }, inline('video/mp4')))).toMatchObject([{ kind: 'dropped' }]) // on the list
  })

  it('are a loss in a turn of the model, where chat has no place for audio of any type', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ text: 'b' }, inline('audio/ogg')] },
      { role: 'user', parts: [{ text: 'c' }] },
    ]
    expect(lost(translate(genai, chat, { contents }, { match: { model: 'm' } }))).toMatchObject([{ kind: 'dropped' }])
  })

  it('must be media types', () => {
    for (const type of ['', 'png', 'image/', '/png', 'image png'])
      expect(() => send(genai, inline(type))).toThrow(/contents\.0\.parts\.0\.inlineData\.mimeType/)
  })
})
