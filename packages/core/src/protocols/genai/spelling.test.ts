import { describe, expect, it } from 'vitest'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { ReportedLoss } from '../reported-loss.ts'
import { translate } from '../translate.ts'

// Google reads an object where a list of objects is expected as a list of one. LangChain4j wrote `tools` in this form until 1.13
// (langchain4j#4783), and Google's own examples for Vertex write contents, parts and safety settings so.
const declaration = { name: 'look', description: 'Looks.', parameters: { type: 'OBJECT', properties: {} } }
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
const setting = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }
const CASES: readonly (readonly [member: string, single: JsonObject, list: JsonObject])[] = [
  [
    'tools',
    { contents, tools: { functionDeclarations: [declaration] } },
    { contents, tools: [{ functionDeclarations: [declaration] }] },
  ],
  [
    'functionDeclarations',
    { contents, tools: [{ functionDeclarations: declaration }] },
    { contents, tools: [{ functionDeclarations: [declaration] }] },
  ],
  [
    'both, spelled with underscores',
    { contents, tools: { function_declarations: declaration } },
    { contents, tools: [{ functionDeclarations: [declaration] }] },
  ],
  ['a tool of Google', { contents, tools: { googleSearch: {} } }, { contents, tools: [{ googleSearch: {} }] }],
  ['contents', { contents: contents[0] as JsonObject }, { contents }],
  ['contents and parts', { contents: { role: 'user', parts: { text: 'Hi' } } }, { contents }],
  [
    'parts of one of several contents',
    { contents: [...contents, { role: 'model', parts: { text: 'Yo' } }, ...contents] },
    { contents: [...contents, { role: 'model', parts: [{ text: 'Yo' }] }, ...contents] },
  ],
  [
    'parts of the instructions',
    { contents, system_instruction: { parts: { text: 'Be brief.' } } },
    { contents, systemInstruction: { parts: [{ text: 'Be brief.' }] } },
  ],
  ['safetySettings', { contents, safety_settings: setting }, { contents, safetySettings: [setting] }],
  [
    'parts with media',
    { contents: { parts: { inline_data: { mime_type: 'image/png', data: 'AAAA' } } } },
    { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] },
  ],
]

/** Names are spelled as in the body. */
const withoutWire = ({ wirePath: _spelled, ...loss }: ReportedLoss): object => loss

describe.each(CASES)('an object instead of a list: %s', (_member, single, list) => {
  it('is a list of one, checked', () => {
    expect(genai.request.check(single)).toEqual(genai.request.check(list))
  })

  it.each([chat, messages, genai, responses])('is a list of one, not checked, for $name', (to) => {
    const options = { match: { model: 'm' }, id: () => 'made', now: 0 }
    const { body, losses } = translate(genai, to, single, options)
    const expected = translate(genai, to, list, options)
    expect(body).toEqual(expected.body)
    expect(losses.map(withoutWire)).toEqual(expected.losses.map(withoutWire))
  })
})

it('an object where a list of texts is expected is still refused', () => {
  expect(() => genai.request.check({ contents, generationConfig: { stopSequences: {} } })).toThrow('stopSequences')
})

it('a text instead of a list is still refused', () => {
  expect(() => genai.request.check({ contents: 'Hi' })).toThrow('contents')
  expect(() => genai.request.check({ contents, tools: 'look' })).toThrow('tools')
})
