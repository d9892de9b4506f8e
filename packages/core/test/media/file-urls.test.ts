import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../untyped.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { fillLinks, findLinks } from '../../src/protocols/links.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate, type TranslateOptions } from '../../src/protocols/translate.ts'

const PDF = 'https://files.example/paper.pdf'
const FILE = { mime: 'application/pdf', data: 'JVBERi0xLjQ=' }

/** Clients of OpenRouter name files by URL in the member for their data. */
const inChat = (file: JsonObject): JsonObject => ({
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'file', file }] }],
})
const inResponses = (file: JsonObject): JsonObject => ({
  model: 'm',
  input: [{ role: 'user', content: [{ type: 'input_file', ...file }] }],
})

function sent(from: Protocol, to: Protocol, body: JsonObject, options?: TranslateOptions) {
  const { body: wire, losses } = translate(from, to, body, options)
  const { messages: turns, contents, input } = wire as { [member: string]: readonly { [member: string]: Json }[] }
  const turn = (turns ?? contents ?? input)?.at(-1)
  return {
    parts: turn?.['content'] ?? turn?.['parts'],
    losses: losses.map(({ kind, path }) => `${kind} ${path.join('.')}`).filter((loss) => loss.includes('messages')),
  }
}

describe.each([
  ['chat', chat, inChat({ filename: 'paper.pdf', file_data: PDF })],
  ['responses', responses, inResponses({ filename: 'paper.pdf', file_data: PDF })],
] as const)('a URL as the file data of %s', (name, from, body) => {
  it('is a URL for messages', () => {
    const document = { type: 'document', source: { type: 'url', url: PDF }, title: 'paper.pdf' }
    expect(sent(from, messages, body)).toEqual({ parts: [document], losses: [] })
  })

  it('is a URL for genai, with its media type', () => {
    expect(sent(from, genai, body)).toEqual({
      parts: [{ fileData: { mimeType: 'application/pdf', fileUri: PDF } }],
      losses: ['added messages.0.parts.0.source.mime', 'dropped messages.0.parts.0.title'],
    })
  })

  it('is a URL for Responses, in the member that takes URLs', () => {
    const file = { type: 'input_file', file_url: PDF, filename: 'paper.pdf' }
    expect(sent(from, responses, body)).toEqual({ parts: [file], losses: [] })
  })

  it('stays what it is for chat upstreams that open URLs', () => {
    const file = { type: 'file', file: { filename: 'paper.pdf', file_data: PDF } }
    expect(sent(from, chat, body, { urls: true })).toEqual({ parts: [file], losses: [] })
  })

  it('is never taken for base64', () => {
    for (const to of [chat, messages, genai, responses]) {
      expect(JSON.stringify(translate(from, to, body).body)).not.toContain(';base64,')
    }
  })

  it('is a link, whose bytes an upstream gets that opens none', () => {
    const param = name === 'chat' ? 'messages.0.content.0.file.file_data' : 'input.0.content.0.file_data'
    expect(findLinks(from, chat, body, { urls: false })).toEqual([{ url: PDF, kind: 'document', param }])
    const links = fillLinks(chat, false, () => FILE)
    const file = { filename: 'paper.pdf', file_data: `data:${FILE.mime};base64,${FILE.data}` }
    expect(sent(from, chat, body, { links })).toEqual({ parts: [{ type: 'file', file }], losses: [] })
  })

  it('is counted as a file, not as a text', () => {
    const { media } = from.relay
    const part = (name === 'chat' ? media?.members?.['messages'] : media?.members?.['input'])?.members?.['content']
    const file = name === 'chat' ? { type: 'file', file: { file_data: PDF } } : { type: 'input_file', file_data: PDF }
    expect(part?.read?.(file)).toMatchObject({ kind: 'document', data: undefined })
  })
})

describe('a URL of a file toward chat', () => {
  it('stays in the file data of a chat caller, and is not a link', () => {
    const body = inChat({ filename: 'paper.pdf', file_data: PDF })
    expect(sent(chat, chat, body)).toEqual({
      parts: [{ type: 'file', file: { filename: 'paper.pdf', file_data: PDF } }],
      losses: [],
    })
    expect(findLinks(chat, chat, body)).toEqual([])
  })

  it('needs no name', () => {
    const { parts, losses } = sent(responses, chat, inResponses({ file_url: PDF }), { urls: true })
    expect(parts).toEqual([{ type: 'file', file: { file_data: PDF } }])
    expect(losses).toEqual([])
  })

  it('of other callers is a link, and without its bytes a loss', () => {
    const body = inResponses({ filename: 'paper.pdf', file_url: PDF })
    expect(findLinks(responses, chat, body)).toHaveLength(1)
    expect(findLinks(responses, chat, body, { urls: true })).toEqual([])
    expect(sent(responses, chat, body).losses).toEqual(['dropped messages.0'])
  })
})

describe('a URL where only base64 is possible', () => {
  const source = (data: string) => ({ type: 'base64', media_type: 'application/pdf', data })
  const CASES = [
    [
      'messages',
      messages,
      (data: string) => ({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'document', source: source(data) }] }],
      }),
      'messages.0.content.0.source.data',
    ],
    [
      'messages, an image',
      messages,
      (data: string) => ({
        model: 'm',
        max_tokens: 9,
        messages: [
          { role: 'user', content: [{ type: 'image', source: { ...source(data), media_type: 'image/png' } }] },
        ],
      }),
      'messages.0.content.0.source.data',
    ],
    [
      'genai',
      genai,
      (data: string) => ({
        contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data } }] }],
      }),
      'contents.0.parts.0.inlineData.data',
    ],
    [
      'chat, audio',
      chat,
      (data: string) => ({
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data } }] }],
      }),
      'messages.0.content.0.input_audio.data',
    ],
    [
      'responses, audio',
      responses,
      (data: string) => ({
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { format: 'wav', data } }] }],
      }),
      'input.0.content.0.input_audio.data',
    ],
  ] as const

  it.each(CASES)('is refused with its path: %s', (_name, protocol, body, path) => {
    for (const data of [PDF, 'gs://bucket/paper.pdf', 'data:application/pdf;base64,JVBERi0xLjQ=']) {
      expect(() => protocol.request.check(body(data))).toThrow(`${path}: is a URL, not base64`)
    }
    expect(() => protocol.request.check(body('JVBERi0xLjQ='))).not.toThrow()
  })

  it.each(CASES)(
    'is a reported loss in a body that was not checked, and stays for its own protocol: %s',
    (_name, from, body) => {
      expect(translate(from, from, body(PDF)).body).toMatchObject(body(PDF))
      for (const to of [chat, messages, genai, responses].filter((other) => other !== from)) {
        const { body: wire, losses } = translate(from, to, body(PDF))
        expect(JSON.stringify(wire)).not.toContain(PDF)
        expect(losses.some(({ kind, path }) => kind === 'dropped' && path.join('.') === 'messages.0')).toBe(true)
      }
    },
  )
})
