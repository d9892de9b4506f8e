import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../lib/json.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'
import { translate, translateResponse } from './translate.ts'

/** The bytes fb ff bf ff, as Python's genai SDK writes them, and as upstreams want them. */
const CAME = '-_-__w'
const GOES = '+/+//w=='

/** An image and a file in each protocol, with this data. */
const ASKED: readonly (readonly [Protocol, (data: string) => JsonObject])[] = [
  [
    chat,
    (data) => ({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
            { type: 'file', file: { file_data: `data:application/pdf;base64,${data}` } },
          ],
        },
      ],
    }),
  ],
  [
    messages,
    (data) => ({
      model: 'm',
      max_tokens: 9,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } },
          ],
        },
      ],
    }),
  ],
  [
    genai,
    (data) => ({
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'image/png', data } },
            { inlineData: { mimeType: 'application/pdf', data } },
          ],
        },
      ],
    }),
  ],
]

const PAIRS = ASKED.flatMap(([from, body]) =>
  ASKED.map(([to]) => ({ title: `${from.name} to ${to.name}`, from, to, body })),
)

describe('inline data of a request', () => {
  it.each(PAIRS)(
    'is translated from $title to the standard alphabet, padded (trap 67) [genai.part.inlineData:through]',
    ({ from, to, body }) => {
      const sent = translate(from, to, body(CAME))
      const text = JSON.stringify(sent.body)
      expect(text.split(GOES)).toHaveLength(3)
      expect(text).not.toContain(CAME)
      expect(sent.losses.filter(({ kind }) => kind === 'changed')).toEqual([])
      expect(sent.body).toEqual(translate(from, to, body(GOES)).body)
    },
  )
})

describe('inline data of a response', () => {
  it('reaches a client in the standard alphabet, padded (trap 67)', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: CAME } }]
    const answer = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }
    expect(JSON.stringify(translateResponse(genai, genai, answer).body)).toContain(`"${GOES}"`)
  })
})
