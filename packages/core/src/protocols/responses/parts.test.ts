import { describe, expect, it } from 'vitest'
import { askResponses, sendToResponses, type Target } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const PNG = 'data:image/png;base64,AAAA'
const PDF = 'data:application/pdf;base64,JVBERi0='
const look = { type: 'input_text', text: 'Look' }
const at = 'input[0].content[1]'

/** What an upstream gets of a part, and the losses. */
function partFor(target: Target, part: JsonObject, options = {}): readonly [wire: unknown, losses: readonly string[]] {
  const { body, losses } = askResponses({ input: [{ role: 'user', content: [look, part] }] }, options)[target]
  const [turn] = body[LIST_OF[target]] as [{ content?: unknown[]; parts?: unknown[] }]
  return [(turn.content ?? turn.parts)?.[1], losses]
}

const LIST_OF = { responses: 'input', chat: 'messages', messages: 'messages', genai: 'contents' } as const

/** The part of an input for an upstream that speaks Responses. */
function written(from: 'chat' | 'messages', part: JsonObject): unknown {
  const content = [{ type: 'text', text: 'Look' }, part]
  const { body } = sendToResponses(from, { messages: [{ role: 'user', content }] })
  const [turn] = body['input'] as [{ content: unknown[] }]
  return turn.content[1]
}

describe('a part of an input', () => {
  it('[resp.part.input_image:through] has a detail where there is one, and auto is none', () => {
    const image = (detail: string): JsonObject => ({ type: 'input_image', image_url: PNG, detail })
    for (const target of ['chat', 'messages', 'genai', 'responses'] as const) {
      const [wire, losses] = partFor(target, image('auto'))
      expect([target, losses, JSON.stringify(wire)]).toEqual([target, [], expect.not.stringContaining('auto')])
    }
    expect(partFor('messages', image('low'))[1]).toEqual([`dropped ${at}.detail`])
    expect(partFor('chat', image('low'))).toEqual([{ type: 'image_url', image_url: { url: PNG, detail: 'low' } }, []])
    const own = (detail: string): JsonObject => ({ type: 'image_url', image_url: { url: PNG, detail } })
    expect(written('chat', own('auto'))).toEqual({ type: 'input_image', image_url: PNG })
    expect(written('chat', own('high'))).toEqual({ type: 'input_image', image_url: PNG, detail: 'high' })
  })

  it.each<[string, JsonObject, Readonly<Partial<Record<Target, JsonObject>>>]>([
    [
      '[resp.part.input_text:through]',
      { type: 'input_text', text: 'here' },
      {
        responses: { type: 'input_text', text: 'here' },
        chat: { type: 'text', text: 'here' },
        messages: { type: 'text', text: 'here' },
        genai: { text: 'here' },
      },
    ],
    [
      '[resp.part.input_image:through]',
      { type: 'input_image', image_url: PNG },
      {
        responses: { type: 'input_image', image_url: PNG },
        chat: { type: 'image_url', image_url: { url: PNG } },
        messages: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        genai: { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      },
    ],
    [
      '[resp.part.input_image:through]',
      { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'high' },
      {
        responses: { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'high' },
        chat: { type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: 'high' } },
        messages: { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
        genai: {
          fileData: { mimeType: 'image/png', fileUri: 'https://a.example/a.png' },
          mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' },
        },
      },
    ],
    [
      '[resp.part.input_file:through]',
      { type: 'input_file', filename: 'a.pdf', file_data: PDF },
      {
        responses: { type: 'input_file', filename: 'a.pdf', file_data: PDF },
        chat: { type: 'file', file: { filename: 'a.pdf', file_data: PDF } },
        messages: {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          title: 'a.pdf',
        },
        genai: { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
      },
    ],
    [
      '[resp.part.input_file:through]',
      { type: 'input_file', file_url: 'https://a.example/a.pdf' },
      {
        responses: { type: 'input_file', file_url: 'https://a.example/a.pdf' },
        messages: { type: 'document', source: { type: 'url', url: 'https://a.example/a.pdf' } },
        genai: { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/a.pdf' } },
      },
    ],
    [
      '[resp.part.input_file:through]',
      { type: 'input_file', file_id: 'file_1' },
      { responses: { type: 'input_file', file_id: 'file_1' }, chat: { type: 'file', file: { file_id: 'file_1' } } },
    ],
    [
      '[resp.part.input_audio:through]',
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      {
        responses: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        chat: { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        genai: { inlineData: { mimeType: 'audio/wav', data: 'UklGRg==' } },
      },
    ],
  ])('%s is the same in every protocol that has it: %j', (_row, part, expected) => {
    for (const [target, wire] of Object.entries(expected) as [Target, JsonObject][])
      expect([target, partFor(target, part)[0]]).toEqual([target, wire])
  })

  it.each<[string, JsonObject, Target, string]>([
    ['[resp.part.input_image:through]', { type: 'input_image', file_id: 'file_1' }, 'messages', `dropped ${at}`],
    ['[resp.part.input_image:through]', { type: 'input_image', file_id: 'file_1' }, 'genai', `dropped ${at}`],
    [
      '[resp.part.input_image:through]',
      { type: 'input_image', image_url: PNG, detail: 'low' },
      'messages',
      `dropped ${at}.detail`,
    ],
    ['[resp.part.input_file:through]', { type: 'input_file', file_url: 'https://a.example' }, 'chat', `dropped ${at}`],
    ['[resp.part.input_file:through]', { type: 'input_file', file_id: 'file_1' }, 'messages', `dropped ${at}`],
    [
      '[resp.part.input_audio:through]',
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
      'messages',
      `dropped ${at}`,
    ],
  ])('%s %j is reported for %s', (_row, part, target, loss) => {
    expect(partFor(target, part)[1]).toContain(loss)
    expect(partFor('responses', part)).toEqual([part, []])
  })

  it.each<[string, 'chat' | 'messages', JsonObject, JsonObject]>([
    [
      '[resp.part.input_image:through]',
      'chat',
      { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
      { type: 'input_image', image_url: PNG, detail: 'low' },
    ],
    [
      '[resp.part.input_file:through]',
      'messages',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, title: 'a.pdf' },
      { type: 'input_file', filename: 'a.pdf', file_data: PDF },
    ],
    [
      '[resp.part.input_audio:through]',
      'chat',
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'mp3' } },
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'mp3' } },
    ],
    [
      '[resp.part.input_text:through]',
      'messages',
      { type: 'text', text: 'here' },
      { type: 'input_text', text: 'here' },
    ],
  ])('%s is written for an upstream from %s', (_row, from, part, expected) => {
    expect(written(from, part)).toEqual(expected)
  })
})

describe('a cache mark', () => {
  const marked = { type: 'input_text', text: 'here', prompt_cache_breakpoint: { mode: 'explicit' } }
  const cached = { type: 'text', text: 'here', cache_control: { type: 'ephemeral' } }
  const dialect = { dialect: { cache: true } }

  it('[resp.part.cache_breakpoint:through] is that of messages, and of Responses where the upstream has one', () => {
    expect(partFor('messages', marked)[0]).toEqual(cached)
    expect(partFor('responses', marked, dialect)).toEqual([marked, []])
    for (const target of ['responses', 'chat', 'genai'] as const)
      expect(partFor(target, marked)[1]).toContain(`dropped ${at}.prompt_cache_breakpoint`)
  })

  it('[resp.part.cache_breakpoint:through] with a time to live of its own is for Responses', () => {
    const long = { ...marked, prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
    expect(partFor('responses', long, dialect)).toEqual([long, []])
    expect(partFor('messages', long)).toEqual([
      { type: 'text', text: 'here' },
      [`dropped ${at}.prompt_cache_breakpoint.mode`, `dropped ${at}.prompt_cache_breakpoint.ttl`],
    ])
  })
})

describe('a part of an answer that is sent back', () => {
  const cited = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 2 }
  const text = { type: 'output_text', text: 'Hi there.', annotations: [cited] }
  const refusal = { type: 'refusal', refusal: 'No.' }
  const ask = (...content: JsonObject[]) =>
    askResponses({
      input: [
        { role: 'user', content: 'Go.' },
        { type: 'message', id: 'msg_1', role: 'assistant', content },
        { role: 'user', content: 'And?' },
      ],
    })
  const second = (target: Target, ...content: JsonObject[]): unknown =>
    (ask(...content)[target].body[LIST_OF[target]] as unknown[])[1]

  it('[resp.part.output_text:through] is text everywhere, with its annotations for Responses', () => {
    expect(second('responses', text)).toMatchObject({ content: [text] })
    expect(second('chat', text)).toEqual({ role: 'assistant', content: 'Hi there.' })
    expect(second('messages', text)).toEqual({ role: 'assistant', content: 'Hi there.' })
    for (const target of ['chat', 'messages', 'genai'] as const)
      expect(ask(text)[target].losses.join()).toContain('dropped input[1].content[0].annotations')
  })

  it('[resp.part.refusal:through] is one in chat, and text elsewhere, reported', () => {
    expect(second('responses', refusal)).toMatchObject({ content: [refusal] })
    expect(second('chat', text, refusal)).toMatchObject({ content: 'Hi there.', refusal: 'No.' })
    expect(second('messages', refusal)).toEqual({ role: 'assistant', content: 'No.' })
    expect(second('genai', refusal)).toEqual({ role: 'model', parts: [{ text: 'No.' }] })
    for (const target of ['messages', 'genai'] as const)
      expect(ask(refusal)[target].losses).toContain('changed input[1].content[0]')
  })

  it('[resp.part.output_text:through] [resp.part.refusal:through] are written for a client of chat', () => {
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Hi there.', refusal: 'No.' },
      { role: 'user', content: 'And?' },
    ]
    const spoken = (sendToResponses('chat', { messages }).body['input'] as JsonObject[]).slice(1, -1)
    expect(spoken.flatMap(({ content }) => content)).toEqual([{ type: 'output_text', text: 'Hi there.' }, refusal])
  })
})
