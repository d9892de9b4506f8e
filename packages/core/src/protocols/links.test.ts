import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { fillLinks, findLinks, type Link } from './links.ts'
import { messages } from './messages/index.ts'
import { translateRequest } from './translate.ts'

const IMAGE = 'https://files.example/lion.png'
const PDF = 'https://files.example/paper.pdf'
const FILE = { mime: 'image/webp', data: 'UklGRg==' }

const chatBody = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Look.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: IMAGE, detail: 'low' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    },
  ],
} as const
const messagesBody = {
  model: 'm',
  max_tokens: 1,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'url', url: IMAGE } },
        { type: 'document', source: { type: 'url', url: PDF } },
        {
          type: 'document',
          source: { type: 'content', content: [{ type: 'image', source: { type: 'url', url: IMAGE } }] },
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'see', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: { type: 'url', url: IMAGE } }] },
      ],
    },
  ],
} as const
const fileData = (mimeType: string, fileUri: string): JsonObject => ({
  contents: [{ role: 'user', parts: [{ text: 'Look.' }, { fileData: { mimeType, fileUri } }] }],
})

const paramsOf = (links: readonly Link[]) => links.map(({ param }) => param)

describe('links', () => {
  it('are named where the body has them', () => {
    expect(findLinks(chat, genai, chatBody)).toEqual([
      { url: IMAGE, kind: 'image', param: 'messages.1.content.1.image_url.url' },
    ])
    expect(findLinks(messages, genai, messagesBody)).toEqual([
      { url: IMAGE, kind: 'image', param: 'messages.0.content.0.source' },
      { url: PDF, kind: 'document', param: 'messages.0.content.1.source' },
      { url: IMAGE, kind: 'image', param: 'messages.0.content.2.source.content.0.source' },
      { url: IMAGE, kind: 'image', param: 'messages.2.content.0.content.0.source' },
    ])
    expect(findLinks(genai, chat, fileData('application/pdf', PDF))).toEqual([
      { url: PDF, kind: 'document', mime: 'application/pdf', param: 'contents.0.parts.1.fileData' },
    ])
  })

  it.each([
    ['chat opens images', messages, chat, messagesBody, 1],
    ['messages opens images', chat, messages, chatBody, 0],
    ['messages opens PDFs', genai, messages, fileData('application/pdf', PDF), 0],
    ['messages takes texts as texts', genai, messages, fileData('text/csv', 'https://files.example/a.csv'), 1],
    ['messages has no audio', genai, messages, fileData('audio/wav', 'https://files.example/a.wav'), 0],
    ['chat takes audio with its bytes', genai, chat, fileData('audio/wav', 'https://files.example/a.wav'), 1],
    ['chat has no such audio', genai, chat, fileData('audio/ogg', 'https://files.example/a.ogg'), 0],
    ['chat has no video', genai, chat, fileData('video/mp4', 'https://files.example/a.mp4'), 0],
    ['files of the issuer are no links', genai, chat, fileData('image/png', 'gs://bucket/a.png'), 0],
    ['genai opens what its own callers name', genai, genai, fileData('image/png', IMAGE), 0],
  ])('are only those whose bytes are wanted: %s', (_why, caller, upstream, body, count) => {
    expect(findLinks(caller, upstream, body)).toHaveLength(count)
  })

  it('depend on what the card says about the upstream', () => {
    expect(paramsOf(findLinks(chat, chat, chatBody))).toEqual([])
    expect(paramsOf(findLinks(chat, chat, chatBody, { urls: false }))).toEqual(['messages.1.content.1.image_url.url'])
    expect(paramsOf(findLinks(chat, messages, chatBody, { urls: false }))).toHaveLength(1)
    expect(paramsOf(findLinks(genai, genai, fileData('image/png', IMAGE), { urls: false }))).toHaveLength(1)
    expect(paramsOf(findLinks(chat, genai, chatBody, { urls: true }))).toEqual([])
  })

  it('of films on sites that Gemini knows stay links', () => {
    const film = { contents: [{ parts: [{ fileData: { fileUri: 'https://www.youtube.com/watch?v=a' } }] }] }
    expect(findLinks(genai, genai, film, { urls: false })).toEqual([])
  })

  it('are replaced by files, which is no loss', () => {
    const links = fillLinks(genai, undefined, ({ url }) => (url === IMAGE ? FILE : undefined))
    const { body, losses } = translateRequest(chat, genai, chatBody, { links })
    expect(body).toMatchObject({
      contents: [
        {
          parts: [
            { text: 'What is it?' },
            { inlineData: { mimeType: 'image/webp', data: FILE.data } },
            { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          ],
        },
      ],
    })
    expect(losses).toEqual([])
  })

  it('are replaced in documents and results too', () => {
    const { body } = translateRequest(messages, chat, messagesBody, { links: fillLinks(chat, false, () => FILE) })
    expect(JSON.stringify(body)).not.toContain('https://')
    expect(JSON.stringify(body).split('data:image/webp;base64,UklGRg==')).toHaveLength(5)
  })

  it('stay without a file', () => {
    const links = fillLinks(genai, undefined, () => undefined)
    const { body } = translateRequest(chat, genai, chatBody, { links })
    expect(body).toEqual(translateRequest(chat, genai, chatBody).body)
  })
})
