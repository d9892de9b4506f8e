import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate } from '../../src/protocols/translate.ts'

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

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const illustrated = { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Look:' }, image] } }
const looks = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] }
const answers = (...content: JsonObject[]) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'a', content }],
})

function converse(to: typeof chat, turns: readonly JsonObject[], dialect?: JsonObject) {
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }, ...turns] }
  const { body: sent, losses } = translate(messages, to, body, { dialect })
  return {
    turns: ((sent['messages'] ?? sent['contents']) as readonly JsonObject[]).slice(1),
    losses: losses.map(({ kind, path }) => `${kind} ${path.join('.')}`),
  }
}

describe('the images of a document in a tool result', () => {
  it('are in the user turn behind the results for chat, with its text (trap 20)', () => {
    const { turns, losses } = converse(chat, [looks, answers(illustrated)])
    expect(turns.slice(1)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'Look:' },
        ],
      },
    ])
    expect(losses).toContain('added messages.2.parts.1')
  })

  const file = { inlineData: { mimeType: 'text/plain', data: 'TG9vazo=' } }
  const inlineImage = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
  const response = { id: 'a', name: 'look', response: { output: '' } }

  it('are parts of the result for genai (trap 20)', () => {
    const { turns } = converse(genai, [looks, answers(illustrated)])
    expect(turns.at(-1)).toEqual({
      role: 'user',
      parts: [{ functionResponse: { ...response, parts: [file, inlineImage] } }],
    })
  })

  it('are in the turn of the results for a genai upstream without media in results (trap 20)', () => {
    const { turns } = converse(genai, [looks, answers(illustrated)], { resultMedia: 'turn' })
    expect(turns.at(-1)).toEqual({ role: 'user', parts: [{ functionResponse: response }, inlineImage, file] })
  })
})

describe('a document with text and images', () => {
  const file = { inlineData: { mimeType: 'text/plain', data: 'TG9vazo=' } }
  const inlineImage = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }

  it('keeps its images for genai, behind the other parts of the turn, reported', () => {
    const why = { type: 'text', text: 'Why?' }
    const { turns, losses } = converse(genai, [{ role: 'user', content: [illustrated, why] }])
    expect(turns).toEqual([{ role: 'user', parts: [file, { text: 'Why?' }, inlineImage] }])
    expect(losses).toEqual(['changed messages.1.parts.0.source', 'added messages.1.parts.2'])
  })

  it('is its images alone if it has no text', () => {
    const source = { type: 'content', content: [image] }
    const { turns } = converse(genai, [{ role: 'user', content: [{ type: 'document', source }] }])
    expect(turns).toEqual([{ role: 'user', parts: [inlineImage] }])
  })

  it('stays as it is for messages', () => {
    const turns = [{ role: 'user', content: [illustrated] }]
    expect(converse(messages, turns)).toEqual({ turns, losses: [] })
  })
})
