import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../untyped.ts'
import { translate } from '../../src/protocols/translate.ts'

/** A function that returns an object, an image, and a file of Google's storage, which no other upstream can read. */
const asked = {
  contents: [
    { role: 'user', parts: [{ text: 'look' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c', name: 'look', args: {} } }] },
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'c',
            name: 'look',
            response: { found: 2 },
            parts: [
              { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
              { fileData: { mimeType: 'application/pdf', fileUri: 'gs://bucket/report.pdf' } },
            ],
          },
        },
      ],
    },
  ],
}

describe.each([chat, messages, responses])('a file in a result that $name cannot hold', (upstream) => {
  it('is a loss that names it, beside an object too', () => {
    const { body, losses } = translate(genai, upstream, asked, { model: 'm' })
    const text = JSON.stringify(body)
    expect(text).toContain('iVBORw0KGgo=')
    expect(text).not.toContain('report.pdf')
    const [loss] = losses.filter(({ path }) => path.join('.') === 'messages.2.parts.0.output')
    expect(loss?.reason).toMatch(/, without parts\[1\]$/)
  })
})
