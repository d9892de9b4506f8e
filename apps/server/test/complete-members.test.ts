import { translateStream } from '@dragoman/core'
import { chat, messages } from '@dragoman/core/protocols'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'

const citation = (url: string) => ({
  type: 'web_search_result_location',
  url,
  title: null,
  encrypted_index: 'sealed',
  cited_text: 'quoted',
})
const BLOCKS = [
  [{ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'First.' }, signed('one')],
  [{ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'Second.' }, signed('two')],
  [{ type: 'redacted_thinking', data: 'three' }],
  [{ type: 'text', text: '' }, { type: 'text_delta', text: 'One. ' }, cited('https://a')],
  [{ type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'Third.' }, signed('four')],
  [{ type: 'text', text: '' }, { type: 'text_delta', text: 'Two.' }, cited('https://b')],
]

function signed(signature: string) {
  return { type: 'signature_delta', signature }
}

function cited(url: string) {
  return { type: 'citations_delta', citation: citation(url) }
}

/** The chat stream for an answer of a messages upstream. */
function chatStream(): string {
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', usage: {} } },
    ...BLOCKS.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
    { type: 'message_stop' },
  ]
  let text = ''
  const stream = translateStream(chat, messages, (piece) => (text += piece))
  const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  stream.push(new TextEncoder().encode(frames.join('')))
  stream.end()
  return text
}

type Members = { readonly [member: string]: unknown }

const DETAILS = [
  { type: 'reasoning.text', text: 'First.', signature: 'one', index: 0 },
  { type: 'reasoning.text', text: 'Second.', signature: 'two', index: 1 },
  { type: 'reasoning.encrypted', data: 'three', index: 2 },
  { type: 'reasoning.text', text: 'Third.', signature: 'four', index: 4 },
].map(({ signature, data, ...detail }) => ({
  ...detail,
  ...(signature === undefined ? {} : { signature: expect.stringContaining(signature) as string }),
  ...(data === undefined ? {} : { data: expect.stringContaining(data) as string }),
}))
const ANNOTATIONS = [
  { type: 'url_citation', url_citation: { url: 'https://a', title: 'https://a', start_index: 0, end_index: 5 } },
  { type: 'url_citation', url_citation: { url: 'https://b', title: 'https://b', start_index: 5, end_index: 9 } },
]

describe('reasoning_details and annotations of a chat stream', () => {
  const text = chatStream()
  const fetch = () => Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
  const client = new OpenAI({ apiKey: 'key', baseURL: 'http://localhost', fetch })
  const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'hello' }] }

  it('are whole for the official stream helper, which keeps the last value (trap 44)', async () => {
    const { choices } = await client.chat.completions.stream(asked).finalChatCompletion()
    const message = choices[0]?.message as unknown as Members // with members that its types do not have
    expect(message).toMatchObject({ content: 'One. Two.', reasoning_details: DETAILS, annotations: ANNOTATIONS })
  })

  it('are single for a client that adds values up (trap 58)', async () => {
    const lists = { reasoning_details: [] as unknown[], annotations: [] as unknown[] }
    let reasoning = ''
    let finished = false
    let late = false
    for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true })) {
      const delta = (choices[0]?.delta ?? {}) as Members
      late ||= finished && (delta['annotations'] !== undefined || delta['reasoning_details'] !== undefined)
      lists.reasoning_details.push(...((delta['reasoning_details'] ?? []) as unknown[]))
      lists.annotations.push(...((delta['annotations'] ?? []) as unknown[]))
      if (typeof delta['reasoning'] === 'string') reasoning += delta['reasoning']
      finished ||= choices[0]?.finish_reason != null
    }
    expect(lists).toMatchObject({ reasoning_details: DETAILS, annotations: ANNOTATIONS })
    expect(late).toBe(false)
    expect(reasoning).toBe('First.Second.Third.')
  })
})
