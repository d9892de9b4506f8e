import { describe, expect, it } from 'vitest'
import { chat, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import type { Loss } from '../../src/ir/loss.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { translate } from '../../src/protocols/translate.ts'

const hello = { role: 'user', content: 'hello' }
const reported = (losses: readonly Loss[]): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const bodyOf = { model: 'm', max_tokens: 9, messages: [hello], stream: true }

function play(from: Protocol, to: Protocol, frames: readonly JsonObject[]): { events: JsonObject[]; lost: string[] } {
  let out = ''
  const answer = translate(from, to, bodyOf).answerStream((text) => (out += text))
  answer.push(new TextEncoder().encode(frames.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')))
  answer.end()
  const lines = out.split('\n').filter((line) => line.startsWith('data: {'))
  return { events: lines.map((line) => JSON.parse(line.slice(6)) as JsonObject), lost: reported(answer.losses) }
}

const ofDocument = { cited_text: 'cited', document_index: 0, document_title: 'T' }
const CITATIONS = [
  { type: 'char_location', ...ofDocument, start_char_index: 0, end_char_index: 5 },
  { type: 'page_location', ...ofDocument, start_page_number: 1, end_page_number: 2 },
  { type: 'content_block_location', ...ofDocument, start_block_index: 0, end_block_index: 1 },
  {
    type: 'web_search_result_location',
    cited_text: 'cited',
    url: 'https://a',
    title: 'A',
    encrypted_index: 'Eo8BCioI.x',
  },
  {
    type: 'search_result_location',
    cited_text: 'cited',
    source: null,
    title: 'S',
    search_result_index: 0,
    start_block_index: 0,
    end_block_index: 1,
  },
]
const webCitation = (url: string) => ({
  type: 'web_search_result_location',
  cited_text: 'cited',
  url,
  title: `of ${url}`,
  encrypted_index: 'Eo8B',
})
const annotation = (url: string, start_index: number, end_index: number) => ({
  type: 'url_citation',
  url_citation: { url, title: `of ${url}`, start_index, end_index },
})

/** A messages upstream that streams these blocks; a text is cited by what its list says. */
const streamOf = (...blocks: { text?: string; thinking?: string; citations?: readonly JsonObject[] }[]) => [
  { type: 'message_start', message: { id: 'msg_1', model: 'claude', usage: {} } },
  ...blocks.flatMap(({ text, thinking, citations = [] }, index) => {
    const delta = (members: JsonObject) => ({ type: 'content_block_delta', index, delta: members })
    const start =
      thinking === undefined ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' }
    return [
      { type: 'content_block_start', index, content_block: start },
      ...(text === undefined ? [] : [delta({ type: 'text_delta', text })]),
      ...(thinking === undefined ? [] : [delta({ type: 'thinking_delta', thinking })]),
      ...citations.map((citation) => delta({ type: 'citations_delta', citation })),
      { type: 'content_block_stop', index },
    ]
  }),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
  { type: 'message_stop' },
]
const citedIn = (events: readonly JsonObject[]): JsonObject[] =>
  events.flatMap((event) => {
    const delta = event['delta'] as { type: string; citation: JsonObject } | undefined
    return delta?.type === 'citations_delta' ? [delta.citation] : []
  })
/** The annotations that the official chat client has in the end: the last value of a field it does not know. */
const annotationsIn = (events: readonly JsonObject[]): unknown =>
  events
    .flatMap((event) => (event['choices'] as { delta: JsonObject }[]).map(({ delta }) => delta['annotations']))
    .findLast((value) => value !== undefined)

describe('citations of a messages upstream', () => {
  it('reach a messages client, all five kinds, whole and streamed (trap 27) [msg.citations:through] [msg.stream.deltas:through]', () => {
    const content = [{ type: 'text', text: 'said', citations: CITATIONS }]
    const whole = translate(messages, messages, bodyOf).response({ content, stop_reason: 'end_turn' })
    expect(whole.body['content']).toEqual(content)
    const { events } = play(messages, messages, streamOf({ text: 'said', citations: CITATIONS }))
    expect(citedIn(events)).toEqual(CITATIONS)
  })

  it('return unchanged to a messages upstream and are reported for chat [msg.citations:through]', () => {
    const turn = { role: 'assistant', content: [{ type: 'text', text: 'said', citations: CITATIONS }] }
    const body = { model: 'm', max_tokens: 9, messages: [hello, turn, hello] }
    const same = translate(messages, messages, body)
    expect(same.body['messages']).toEqual([hello, turn, hello])
    expect(same.losses).toEqual([])
    const crossed = translate(messages, chat, body)
    expect(crossed.body['messages']).toEqual([hello, { role: 'assistant', content: 'said' }, hello])
    expect(reported(crossed.losses)).toEqual(['dropped messages.1.parts.0.citations'])
  })

  it('reach a chat client if they have a URL, the others are reported (trap 27) [msg.citations:through]', () => {
    const content = [{ type: 'text', text: 'said', citations: CITATIONS }]
    const { body, losses } = translate(chat, messages, bodyOf).response({ content, stop_reason: 'end_turn' })
    const expected = {
      type: 'url_citation',
      url_citation: { url: 'https://a', title: 'A', start_index: 0, end_index: 4 },
    }
    expect(body['choices']).toMatchObject([{ message: { content: 'said', annotations: [expected] } }])
    const at = 'dropped candidates.0.parts.0.citations'
    expect(reported(losses)).toEqual(expect.arrayContaining([`${at}.0`, `${at}.1`, `${at}.2`, `${at}.4`]))
    const streamed = play(chat, messages, streamOf({ text: 'said', citations: CITATIONS }))
    expect(annotationsIn(streamed.events)).toEqual([expected])
    expect(streamed.lost).toEqual(expect.arrayContaining([`${at}.0`, `${at}.1`, `${at}.2`, `${at}.4`]))
  })

  it('of several text blocks all reach a chat client (trap 27) (trap 44)', () => {
    const blocks = [
      { text: 'One. ', citations: [webCitation('https://a')] },
      { text: 'Two. ' },
      { text: 'Three.', citations: [webCitation('https://b'), webCitation('https://c')] },
    ]
    const expected = [annotation('https://a', 0, 5), annotation('https://b', 10, 16), annotation('https://c', 10, 16)]
    expect(annotationsIn(play(chat, messages, streamOf(...blocks)).events)).toEqual(expected)
    const content = blocks.map((block) => ({ type: 'text', ...block }))
    const { body } = translate(chat, messages, bodyOf).response({ content, stop_reason: 'end_turn' })
    expect(body['choices']).toMatchObject([{ message: { content: 'One. Two. Three.', annotations: expected } }])
  })

  it('refer to the single text of a chat client, also with reasoning in between (trap 27)', () => {
    const blocks = [{ text: 'Hello ' }, { thinking: 'hm' }, { text: 'world', citations: [webCitation('https://a')] }]
    expect(annotationsIn(play(chat, messages, streamOf(...blocks)).events)).toEqual([annotation('https://a', 6, 11)])
  })

  it('of an unknown kind are reported in a stream too, not lost silently (trap 27)', () => {
    const odd = { type: 'star_location', cited_text: 'cited', star: 'Vega' }
    const { events, lost } = play(chat, messages, streamOf({ text: 'said', citations: [odd] }))
    expect(annotationsIn(events)).toBeUndefined()
    expect(lost.some((loss) => loss.startsWith('dropped candidates.0.parts.0'))).toBe(true)
    expect(citedIn(play(messages, messages, streamOf({ text: 'said', citations: [odd] })).events)).toEqual([odd])
  })
})

describe('annotations of a chat upstream', () => {
  const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const first = annotation('https://a', 0, 4)
  const second = annotation('https://b', 0, 8)

  it('of every chunk reach a messages client, not only those of the first (trap 27)', () => {
    const { events } = play(messages, chat, [
      chunk({ role: 'assistant', content: 'said' }),
      chunk({ annotations: [first] }),
      chunk({ content: ' more' }),
      chunk({ annotations: [second] }),
      chunk({}, 'stop'),
    ])
    expect(citedIn(events)).toMatchObject([
      { type: 'web_search_result_location', url: 'https://a', title: 'of https://a' },
      { type: 'web_search_result_location', url: 'https://b', title: 'of https://b' },
    ])
  })

  it('reach a messages client without streaming (trap 27)', () => {
    const message = { role: 'assistant', content: 'said more', annotations: [first, second] }
    const { body } = translate(messages, chat, bodyOf).response({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    })
    const [text] = body['content'] as { citations: JsonObject[] }[]
    expect(text?.citations.map(({ url }) => url)).toEqual(['https://a', 'https://b'])
  })

  it('that come before the text, or after a call has begun, are not lost silently (trap 27)', () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
    for (const frames of [
      [chunk({ annotations: [first] }), chunk({ content: 'said' }), chunk({}, 'stop')],
      [chunk({ content: 'said' }), chunk({ tool_calls: [call] }), chunk({ annotations: [first] }, 'tool_calls')],
    ]) {
      const { events, lost } = play(messages, chat, frames)
      const kept = citedIn(events).length === 1
      const reported = lost.some((loss) => loss.startsWith('dropped candidates.0'))
      expect(kept || reported).toBe(true)
    }
  })
})
