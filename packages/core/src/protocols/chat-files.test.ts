import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../test/untyped.ts'
import type { JsonObject } from '../lib/json.ts'
import { translate } from './translate.ts'

const ask = (...content: JsonObject[]) =>
  translate(messages, chat, { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
const reported = ({ losses }: ReturnType<typeof ask>) => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const data = 'JVBERi0xLjQ='

describe('a file for chat', () => {
  it('has a name made from its media type if it has no title, reported (trap 49)', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data }
    const file_data = `data:application/pdf;base64,${data}`
    const unnamed = ask({ type: 'document', source })
    expect(unnamed.body['messages']).toMatchObject([
      { content: [{ type: 'file', file: { filename: 'document.pdf', file_data } }] },
    ])
    expect(reported(unnamed)).toContain('added messages.0.parts.0.title')
    const named = ask({ type: 'document', source, title: 'Report' })
    expect(named.body['messages']).toMatchObject([{ content: [{ file: { filename: 'Report' } }] }])
    const part = { inlineData: { mimeType: 'text/plain', data: 'aGk=' } }
    const { body } = translate(genai, chat, { contents: [{ role: 'user', parts: [part] }] })
    expect(body['messages']).toMatchObject([{ content: [{ file: { filename: 'document.txt' } }] }])
  })

  it('keeps the images of a document with text and images (trap 49)', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const content = [{ type: 'text', text: 'Look:' }, image]
    const translation = ask({ type: 'document', source: { type: 'content', content } }, { type: 'text', text: 'Why?' })
    expect(translation.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'text', text: 'Why?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
    ])
    expect(reported(translation)).toContain('added messages.0.parts.2')
  })
})
