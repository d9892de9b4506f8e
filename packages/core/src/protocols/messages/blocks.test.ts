import { describe, expect, it } from 'vitest'
import { chat, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type Translation, type TranslateOptions } from '../translate.ts'

type Turns = readonly JsonObject[]

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const turnsOf = ({ body }: Translation): Turns => body['messages'] as Turns

function send(conversation: Turns, options: TranslateOptions = {}): { toChat: Translation; toMessages: Translation } {
  const body = { model: 'm', max_tokens: 4096, messages: conversation }
  messages.request.check(body)
  return { toChat: translate(messages, chat, body, options), toMessages: translate(messages, messages, body) }
}
const say = (...content: JsonObject[]) => send([{ role: 'user', content }])
const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: [1, { deep: 'é' }] } }
const hello = { role: 'user', content: 'hello' }

describe('a translated messages block', () => {
  it('translates a text, and a cache mark and citations if supported [msg.block.text:through]', () => {
    const citations = [
      {
        type: 'char_location',
        cited_text: 'c',
        document_index: 0,
        document_title: 'd',
        start_char_index: 1,
        end_char_index: 2,
      },
    ]
    const text = { type: 'text', text: 'a', citations, cache_control: { type: 'ephemeral' } }
    const { toChat, toMessages } = say(text, { type: 'text', text: 'b' })
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [text, { type: 'text', text: 'b' }] }])
    expect(turnsOf(toChat)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ])
    expect(reported(toChat).sort()).toEqual([
      'dropped messages.0.parts.0.cache',
      'dropped messages.0.parts.0.citations',
    ])
  })

  it.each(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])(
    'gives chat an image of type %s as a data URL [msg.block.image:through]',
    (media_type) => {
      const image = { type: 'image', source: { type: 'base64', media_type, data: 'AAAA' } }
      const { toChat, toMessages } = say(image)
      expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [image] }])
      const image_url = { url: `data:${media_type};base64,AAAA` }
      expect(turnsOf(toChat)).toEqual([{ role: 'user', content: [{ type: 'image_url', image_url }] }])
      expect([...reported(toChat), ...reported(toMessages)]).toEqual([])
    },
  )

  it('gives chat an image by its URL and reports its cache mark [msg.block.image:through]', () => {
    const url = 'https://example.com/a.png'
    const image = { type: 'image', source: { type: 'url', url }, cache_control: { type: 'ephemeral' } }
    const { toChat, toMessages } = say(image)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [image] }])
    expect(turnsOf(toChat)).toEqual([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }])
    expect(reported(toChat)).toEqual(['dropped messages.0.parts.0.cache'])
  })

  it('gives chat a PDF as a file and reports what a file cannot express [msg.block.document:through]', () => {
    const document = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      title: 'report.pdf',
      context: 'from the archive',
      citations: { enabled: true },
      cache_control: { type: 'ephemeral' },
    }
    const { toChat, toMessages } = say(document)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [document] }])
    expect(reported(toMessages)).toEqual([])
    const file = { filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }
    expect(turnsOf(toChat)).toEqual([{ role: 'user', content: [{ type: 'file', file }] }])
    const at = 'dropped messages.0.parts.0.'
    expect(reported(toChat).sort()).toEqual([`${at}cache`, `${at}cite`, `${at}context`])
  })

  it.each([
    { type: 'text', media_type: 'text/plain', data: 'plain words' },
    { type: 'content', content: [{ type: 'text', text: 'plain words' }] },
  ])('gives chat the text of a document of source %j, reported [msg.block.document:through]', (source) => {
    const document = { type: 'document', source, title: 'notes' }
    const { toChat, toMessages } = say(document)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [document] }])
    expect(JSON.stringify(turnsOf(toChat))).toContain('plain words')
    expect(reported(toChat)).toEqual(['changed messages.0.parts.0'])
  })

  it('reports a document by URL, which chat does not support [msg.block.document:through]', () => {
    const document = { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } }
    const { toChat, toMessages } = say({ type: 'text', text: 'read' }, document)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'read' }, document] }])
    expect(reported(toChat)).toEqual(['dropped messages.0.parts.1'])
  })

  it('gives chat a call with its id, name and input [msg.block.tool_use:through] [tr.ids]', () => {
    const conversation = [
      hello,
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }] },
    ]
    const { toChat, toMessages } = send(conversation)
    expect(turnsOf(toMessages)).toEqual(conversation)
    const [, assistant, result] = turnsOf(toChat)
    const call = { name: 'look', arguments: JSON.stringify(use.input) }
    expect(assistant).toMatchObject({ tool_calls: [{ id: 'toolu_1', type: 'function', function: call }] })
    expect(result).toEqual({ role: 'tool', tool_call_id: 'toolu_1', content: 'seen' })
    expect([...reported(toChat), ...reported(toMessages)]).toEqual([])
  })

  it('translates every kind of content of a result, and the failure [msg.block.tool_result:through]', () => {
    const hit = {
      type: 'search_result',
      source: 'https://a',
      title: 'A',
      content: [{ type: 'text', text: 'hit text' }],
    }
    const source = { type: 'text', media_type: 'text/plain', data: 'document text' }
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const result = {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: [{ type: 'text', text: 'words' }, image, hit, { type: 'document', source }],
      is_error: true,
      cache_control: { type: 'ephemeral' },
    }
    const conversation = [hello, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }]
    const { toChat, toMessages } = send(conversation)
    expect(turnsOf(toMessages)).toEqual(conversation)
    expect(reported(toMessages)).toEqual([])
    const [, , sent, after] = turnsOf(toChat)
    expect(sent).toMatchObject({ role: 'tool', tool_call_id: 'toolu_1' })
    expect(JSON.stringify(sent)).toContain('words')
    expect(JSON.stringify(sent)).toContain('hit text')
    expect(after).toMatchObject({ role: 'user' })
    expect(JSON.stringify(after)).toContain('data:image/png;base64,AAAA')
    expect(JSON.stringify([sent, after])).toContain('document text')
    const at = 'messages.2.parts.0'
    expect(reported(toChat)).toEqual(expect.arrayContaining([`dropped ${at}.failed`, `dropped ${at}.cache`]))
    expect(reported(toChat)).toEqual(
      expect.arrayContaining([`moved ${at}.output.parts.1`, `changed ${at}.output.parts.2`]),
    )
  })

  it('keeps a server call and its results for messages and reports them for chat [msg.block.server_tool_use:through] [msg.block.web_search_tool_result:through]', () => {
    const content = [
      { type: 'text', text: 'searching' },
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [
          { type: 'web_search_result', url: 'https://a', title: 'A', encrypted_content: 'EqgfCi==', page_age: '1 day' },
        ],
      },
    ]
    const conversation = [hello, { role: 'assistant', content }, hello]
    const { toChat, toMessages } = send(conversation)
    expect(turnsOf(toMessages)).toEqual(conversation)
    expect(reported(toMessages)).toEqual([])
    expect(turnsOf(toChat)[1]).toEqual({ role: 'assistant', content: 'searching' })
    expect(reported(toChat)).toEqual(['dropped messages.1.parts.1', 'dropped messages.1.parts.2'])
  })

  it('keeps a failed search for messages and reports it for chat [msg.block.web_search_tool_result:through] [msg.websearch.error:through]', () => {
    const failure = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    }
    const call = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const content = [call, failure, { type: 'text', text: 'It failed.' }]
    const conversation = [hello, { role: 'assistant', content }, hello]
    const { toChat, toMessages } = send(conversation)
    expect(turnsOf(toMessages)).toEqual(conversation)
    expect(reported(toChat)).toContain('dropped messages.1.parts.1')
    const answer = { content, stop_reason: 'end_turn', stop_sequence: null }
    expect(toMessages.response(answer).body['content']).toEqual(content)
  })

  it('keeps thinking only for its issuer, in either protocol [msg.block.thinking:through] [msg.block.redacted_thinking:through]', () => {
    const thinking = { type: 'thinking', thinking: 'hm\ud800\u0000', signature: 'EqQBCg==' }
    const redacted = { type: 'redacted_thinking', data: 'Emwk' }
    const conversation = [
      hello,
      { role: 'assistant', content: [thinking, redacted, { type: 'text', text: 'yes' }] },
      hello,
    ]
    const { toChat, toMessages } = send(conversation)
    expect(turnsOf(toMessages)).toEqual(conversation)
    expect(turnsOf(toChat)[1]).toEqual({ role: 'assistant', content: 'yes' })
    expect(reported(toChat)).toEqual(['dropped messages.1.parts.0', 'dropped messages.1.parts.1'])
    const own = send(conversation, { issuer: 'anthropic' }).toChat
    expect(turnsOf(own)[1]).toMatchObject({
      content: 'yes',
      reasoning_details: [
        { type: 'reasoning.text', text: thinking.thinking, signature: 'EqQBCg==' },
        { type: 'reasoning.encrypted', data: 'Emwk' },
      ],
    })
    expect(reported(own)).toEqual([])
  })

  it('gives chat a search result as text, reported [msg.block.search_result:through]', () => {
    const hit = {
      type: 'search_result',
      source: 'https://example.com/a',
      title: 'A title',
      content: [{ type: 'text', text: 'found words' }],
      citations: { enabled: true },
      cache_control: { type: 'ephemeral' },
    }
    const { toChat, toMessages } = say(hit)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [hit] }])
    expect(reported(toMessages)).toEqual([])
    const written = JSON.stringify(turnsOf(toChat))
    for (const words of ['https://example.com/a', 'A title', 'found words']) expect(written).toContain(words)
    expect(reported(toChat)).toEqual(['changed messages.0.parts.0'])
  })

  it('keeps a block of an unknown kind whole, and reports it for others [tr.identity] [tr.losses]', () => {
    const odd = { type: 'hologram', depth: { a: 1 } }
    const { toChat, toMessages } = say({ type: 'text', text: 'a' }, odd)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a' }, odd] }])
    expect(reported(toChat)).toEqual(['dropped messages.0.parts.1'])
  })

  it('keeps extras inside blocks and reports them for others [tr.identity] [tr.losses]', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://a', foo: 1 }, bar: 2 }
    const { toChat, toMessages } = say(image)
    expect(turnsOf(toMessages)).toEqual([{ role: 'user', content: [image] }])
    expect(reported(toChat)).toEqual([
      'dropped messages.0.parts.0.extras.messages.source.foo',
      'dropped messages.0.parts.0.extras.messages.bar',
    ])
  })
})
