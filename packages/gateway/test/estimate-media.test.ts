import type { JsonObject } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { estimateBody } from '../src/bodies/estimate-body.ts'
import { estimateTokens } from '../src/bodies/estimate.ts'
import { wideQuartersOf } from '../src/bodies/text-tokens.ts'

/** Estimates a body as a call does, and as the count of its decoded request does. */
function estimate(name: Name, members: object): { readonly call: number; readonly count: number } {
  const protocol = protocols.find((each) => each.name === name)
  if (protocol === undefined) throw new Error(`There is no ${name}.`)
  const text = JSON.stringify({ model: 'm', ...(name === 'messages' ? { max_tokens: 9 } : {}), ...members })
  const body = protocol.request.check(JSON.parse(text))
  const wide = wideQuartersOf(new TextEncoder().encode(text), text)
  const call = estimateBody(body, { media: protocol.relay.media, wide })
  return { call, count: estimateTokens(protocol.request.decode(body, { issuer: protocol.issuer })) }
}

type Name = 'chat' | 'messages' | 'genai' | 'responses'
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const file = (head: string, size = 3000): string =>
  base64(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(size, 7)]))
const sized = (value: number, bytes: number): string =>
  String.fromCharCode(...Array.from({ length: bytes }, (_, index) => (value >> (8 * (bytes - 1 - index))) & 255))
const pngOf = (width: number, height: number): string =>
  file(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${sized(width, 4)}${sized(height, 4)}\x08\x06`)
const PNG = pngOf(1024, 1024)
const WAV = file('RIFF\0\0\0\0WAVEfmt ', 100_000)
const PDF = file('%PDF-1.7\n', 100_000)

/** Four megabytes that begin like a file. */
const PROSE = 'The budget of this key is small, and this text is long enough to spend all of it. '.repeat(52_000)
const DISGUISED = [
  `${'QUJD'.repeat(64)} ${PROSE}`,
  `${PNG} ${PROSE}`,
  `data:image/png;base64,${'QUJD'.repeat(64)} ${PROSE}`,
  `${PDF.slice(0, 1000)}${PROSE}`,
]
const LEAST = PROSE.length / 4

const user = (content: unknown): object => ({ messages: [{ role: 'user', content }] })
const tool = (parameters: object): object => ({ type: 'function', function: { name: 'f', parameters } })
const genaiParts = (...parts: readonly object[]): object => ({ contents: [{ role: 'user', parts }] })
const responsesInput = (...content: readonly object[]): object => ({ input: [{ role: 'user', content }] })
const HELLO = { role: 'user', content: 'Hello' }

/** URLs are refused where only base64 is possible. */
const dataOf = (text: string): string => text.replace(/^data:[^,]*,/, '')

/** Where a text is a text, also where a member has the name of one with media. */
const TEXT_MEMBERS: readonly (readonly [_site: string, name: Name, body: (text: string) => object])[] = [
  ['a message of chat', 'chat', (text) => user(text)],
  ['a text part of chat', 'chat', (text) => user([{ type: 'text', text }])],
  ['the instructions of chat', 'chat', (text) => ({ messages: [{ role: 'system', content: text }, HELLO] })],
  [
    'a tool result of chat',
    'chat',
    (text) => ({
      messages: [
        HELLO,
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: text },
      ],
    }),
  ],
  [
    'the arguments of a call of chat',
    'chat',
    (text) => ({
      messages: [
        HELLO,
        {
          role: 'assistant',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: JSON.stringify({ url: text }) } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'ok' },
      ],
    }),
  ],
  [
    'a tool of chat',
    'chat',
    (text) => ({ ...user('Hello'), tools: [tool({ type: 'object', properties: {}, image_url: { url: text } })] }),
  ],
  ['an image of chat', 'chat', (text) => user([{ type: 'image_url', image_url: { url: text } }])],
  [
    'a data URL of chat',
    'chat',
    (text) => user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } }]),
  ],
  [
    'audio of chat',
    'chat',
    (text) => user([{ type: 'input_audio', input_audio: { data: dataOf(text), format: 'wav' } }]),
  ],
  ['a file of chat', 'chat', (text) => user([{ type: 'file', file: { filename: 'a.pdf', file_data: text } }])],
  ['a message of messages', 'messages', (text) => user(text)],
  ['a block of messages', 'messages', (text) => user([{ type: 'text', text }])],
  ['the instructions of messages', 'messages', (text) => ({ system: text, ...user('Hello') })],
  [
    'blocks of instructions of messages',
    'messages',
    (text) => ({ system: [{ type: 'text', text }], ...user('Hello') }),
  ],
  [
    'a tool result of messages',
    'messages',
    (text) => ({
      messages: [
        HELLO,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text }] }] },
      ],
    }),
  ],
  [
    'the arguments of a call of messages',
    'messages',
    (text) => ({
      messages: [
        HELLO,
        {
          role: 'assistant',
          content: [
            {
              type: 'tool_use',
              id: 'a',
              name: 'f',
              input: { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: text } }] },
            },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
      ],
    }),
  ],
  [
    'a text document of messages',
    'messages',
    (text) => user([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } }]),
  ],
  [
    'an image of messages',
    'messages',
    (text) => user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: dataOf(text) } }]),
  ],
  ['a part of genai', 'genai', (text) => genaiParts({ text })],
  [
    'the instructions of genai',
    'genai',
    (text) => ({ systemInstruction: { parts: [{ text }] }, ...genaiParts({ text: 'Hello' }) }),
  ],
  [
    'a tool result of genai',
    'genai',
    (text) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: { inlineData: { mimeType: 'image/png', data: 'x' } } } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'f', response: { inlineData: { mimeType: 'image/png', data: text } } } }],
        },
      ],
    }),
  ],
  ['data of genai', 'genai', (text) => genaiParts({ inlineData: { mimeType: 'image/png', data: dataOf(text) } })],
  [
    'data of an unknown type of genai',
    'genai',
    (text) => genaiParts({ inlineData: { mimeType: 'application/unknown', data: base64(Buffer.from(text)) } }),
  ],
  ['the input of responses', 'responses', (text) => ({ input: text })],
  ['a part of responses', 'responses', (text) => responsesInput({ type: 'input_text', text })],
  ['the instructions of responses', 'responses', (text) => ({ instructions: text, input: 'Hello' })],
  [
    'a tool result of responses',
    'responses',
    (text) => ({
      input: [
        HELLO,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: text },
      ],
    }),
  ],
  [
    'an image of responses',
    'responses',
    (text) => responsesInput({ type: 'input_image', image_url: text, detail: 'auto' }),
  ],
  [
    'a file of responses',
    'responses',
    (text) => responsesInput({ type: 'input_file', filename: 'a.pdf', file_data: text }),
  ],
]

describe('a text that begins like a file is a text', () => {
  it.each(TEXT_MEMBERS)('in %s', (_member, name, body) => {
    for (const text of DISGUISED) {
      const { call, count } = estimate(name, body(text))
      expect(call).toBeGreaterThanOrEqual(LEAST)
      expect(count).toBeGreaterThanOrEqual(LEAST)
    }
  })
})

/** Where the protocols have media, with the tokens that it has there: 1,048,576 pixels are 1,399, 100,000 bytes of audio 801, of a PDF 6,251. */
const IMAGE = 1399
const AUDIO = 801
const DOCUMENT = 6251
const png = `data:image/png;base64,${PNG}`
const MEDIA_MEMBERS: readonly (readonly [_site: string, name: Name, tokens: number, body: object])[] = [
  ['an image of chat', 'chat', IMAGE, user([{ type: 'image_url', image_url: { url: png } }])],
  [
    'a hundred images of chat',
    'chat',
    100 * IMAGE,
    user(Array.from({ length: 100 }, () => ({ type: 'image_url', image_url: { url: png } }))),
  ],
  ['audio of chat', 'chat', AUDIO, user([{ type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }])],
  ['a file of chat', 'chat', DOCUMENT, user([{ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }])],
  [
    'a text file of chat',
    'chat',
    25_000,
    user([
      {
        type: 'file',
        file: {
          filename: 'a.txt',
          file_data: `data:text/plain;base64,${base64(Buffer.from('a word '.repeat(14_286)))}`,
        },
      },
    ]),
  ],
  ['a link of chat', 'chat', 5000, user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }])],
  [
    'an image of messages',
    'messages',
    IMAGE,
    user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }]),
  ],
  [
    'a document of messages',
    'messages',
    DOCUMENT,
    user([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } }]),
  ],
  [
    'a tool result of messages',
    'messages',
    IMAGE,
    {
      messages: [
        HELLO,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
            },
          ],
        },
      ],
    },
  ],
  ['data of genai', 'genai', IMAGE, genaiParts({ inlineData: { mimeType: 'image/png', data: PNG } })],
  [
    'data of genai in the other spelling',
    'genai',
    IMAGE,
    genaiParts({ inline_data: { mime_type: 'image/png', data: PNG } }),
  ],
  ['audio of genai', 'genai', AUDIO, genaiParts({ inlineData: { mimeType: 'audio/wav', data: WAV } })],
  [
    'a film of genai',
    'genai',
    251,
    genaiParts({ inlineData: { mimeType: 'video/mp4', data: file('\0\0\0\x18ftypmp42', 100_000) } }),
  ],
  [
    'a link of genai',
    'genai',
    10_000,
    genaiParts({ fileData: { mimeType: 'application/pdf', fileUri: 'https://example.com/a.pdf' } }),
  ],
  [
    'an image of responses',
    'responses',
    IMAGE,
    responsesInput({ type: 'input_image', image_url: png, detail: 'auto' }),
  ],
  [
    'a file of responses',
    'responses',
    DOCUMENT,
    responsesInput({ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }),
  ],
  [
    'an image that responses has drawn',
    'responses',
    IMAGE,
    { input: [HELLO, { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PNG }] },
  ],
  [
    'a tool result of responses',
    'responses',
    IMAGE,
    {
      input: [
        HELLO,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [{ type: 'input_image', image_url: png, detail: 'auto' }],
        },
      ],
    },
  ],
]

describe('media has the tokens of its size', () => {
  it.each(MEDIA_MEMBERS)('in %s', (_member, name, tokens, body) => {
    const { call, count } = estimate(name, body)
    // Beside it are names of members and turns.
    for (const estimated of [call, count]) {
      expect(estimated).toBeGreaterThanOrEqual(tokens)
      expect(estimated).toBeLessThan(tokens * 1.02 + 100)
    }
  })

  const jpeg = file(
    `\xff\xd8\xff\xe1${sized(40_002, 2)}${'x'.repeat(40_000)}\xff\xc0${sized(17, 2)}\x08${sized(3000, 2)}${sized(4000, 2)}`,
  )
  const little = (value: number, bytes: number): string => sized(value, bytes).split('').reverse().join('')
  it.each([
    ['a PNG of twelve megapixels', 'image/png', pngOf(4000, 3000), 16_000],
    ['a JPEG of twelve megapixels, after a profile', 'image/jpeg', jpeg, 16_000],
    ['a GIF', 'image/gif', file(`GIF89a${little(2000, 2)}${little(1000, 2)}`), 2667],
    ['a WebP', 'image/webp', file(`RIFF\0\0\0\0WEBPVP8X${'\0'.repeat(8)}${little(1999, 3)}${little(999, 3)}`), 2667],
    ['an icon, which costs Gemini as much as a photo', 'image/png', pngOf(16, 16), 1120],
    ['a format without a known size', 'image/heic', file('\0\0\0\x18ftypheic'), 5000],
  ])('by its pixels: %s', (_title, mime, data, tokens) => {
    const { call } = estimate('genai', genaiParts({ inlineData: { mimeType: mime, data } }))
    expect(call).toBeGreaterThanOrEqual(tokens)
    expect(call).toBeLessThan(tokens + 60)
  })
})

describe('the tokens of a text', () => {
  // By the tokenizers of the vendors: an ideograph is a token or a bit less, an emoji two or three, a Cyrillic letter about half of one.
  it.each([
    ['ideographs', '天地玄黄宇宙洪荒'.repeat(1000), 8000, 10_500],
    ['emoji', '🦊🐻🐼🦁'.repeat(1000), 6000, 12_000],
    ['Cyrillic letters', 'Съешь ещё этих мягких французских булок '.repeat(100), 1600, 4000],
    ['digits', '3141592653'.repeat(1000), 5000, 5100],
    ['random small letters', 'qzxvkjwpfybgmhd'.repeat(1000), 7500, 7600],
    ['base64', 'Zm9vYmFyQUJDRDEyMzQ1Njc4'.repeat(1000), 9000, 13_000],
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(1000), 11_250, 12_000],
  ])('of %s', (_title, text, least, most) => {
    const { call, count } = estimate('chat', user(text))
    for (const estimated of [call, count]) {
      expect(estimated).toBeGreaterThanOrEqual(least)
      expect(estimated).toBeLessThanOrEqual(most + 30)
    }
  })

  it('do not depend on escapes', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: '天地玄黄'.repeat(1000) }] } satisfies JsonObject
    const escaped = JSON.stringify(body).replaceAll(
      /[^ -~]/g,
      (char) => String.raw`\u${char.charCodeAt(0).toString(16)}`,
    )
    const wide = wideQuartersOf(new TextEncoder().encode(escaped), escaped)
    expect(estimateBody(JSON.parse(escaped) as JsonObject, { media: undefined, wide })).toBe(
      estimateBody(body, { media: undefined }),
    )
  })

  it('are counted in names of members and in numbers', () => {
    const tools = [
      tool({
        type: 'object',
        properties: { [PROSE]: { enum: Array.from({ length: 1000 }, (_, index) => index * 1.1) } },
      }),
    ]
    const { call } = estimate('chat', { ...user('Hello'), tools })
    expect(call).toBeGreaterThanOrEqual(LEAST + 3000)
  })
})
