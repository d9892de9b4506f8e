import { describe, expect, it } from 'vitest'
import { messages } from './endpoints.ts'
import { at, describeFields, MODELS, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(messages)
const { answer, refused } = client

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const cache_control = { type: 'ephemeral', ttl: '1h' }
const says = (...turns: (string | Wire[])[]): Wire => ({
  messages: turns.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
})
const look = (block: Wire): Wire => says([{ type: 'text', text: 'Look' }, block])
const image = (source: Wire, more: Wire = {}): Wire => look({ type: 'image', source, ...more })
const file = (source: Wire, more: Wire = {}): Wire => look({ type: 'document', source, ...more })
const base64 = (media_type: string): Wire => ({ type: 'base64', media_type, data: PIXEL })
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }
const words = { type: 'text', media_type: 'text/plain', data: 'Words' }
const hit = {
  type: 'search_result',
  source: 'https://a.example',
  title: 'A',
  content: [{ type: 'text', text: 'Found' }],
}
const use = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } }
const result = (members: Wire): Wire =>
  says('Weather?', [use], [{ type: 'tool_result', tool_use_id: 'toolu_1', ...members }])
const path = 'messages.0.content.1'
const cited = (citation: Wire): Wire =>
  says('Why?', [{ type: 'text', text: 'So.', citations: [{ cited_text: 'So', ...citation }] }], 'Go on')
const document = { document_index: 0, document_title: 'A' }

const FIELDS: Field[] = [
  {
    title: '[msg.block.text:in] text with a cache mark',
    good: [says([{ type: 'text', text: 'Hello', cache_control, citations: null }])],
    bad: [
      [says([{ type: 'text' }]), 'messages.0.content.0.text'],
      [says([{ type: 'text', text: 5 }]), 'messages.0.content.0.text'],
    ],
  },
  {
    title: '[msg.citations:in] the five kinds of citation',
    good: [
      cited({ type: 'char_location', ...document, start_char_index: 0, end_char_index: 2 }),
      cited({ type: 'page_location', ...document, start_page_number: 1, end_page_number: 2 }),
      cited({ type: 'content_block_location', ...document, start_block_index: 0, end_block_index: 1 }),
      cited({ type: 'web_search_result_location', url: 'https://a.example', title: 'A', encrypted_index: 'abc' }),
      cited({
        type: 'search_result_location',
        source: 'https://a.example',
        title: null,
        search_result_index: 0,
        start_block_index: 0,
        end_block_index: 1,
      }),
    ],
    bad: [
      [says('Why?', [{ type: 'text', text: 'So.', citations: 'many' }], 'Go on'), 'messages.1.content.0.citations'],
      [
        cited({ type: 'char_location', ...document, start_char_index: 'a', end_char_index: 2 }),
        'messages.1.content.0.citations.0',
      ],
    ],
  },
  {
    title: '[msg.block.image:in] four media types, or a URL',
    good: [
      ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'].map((type) => image(base64(type))),
      image({ type: 'url', url: 'https://images.example/a.png' }, { cache_control }),
    ],
    bad: [
      [image({ type: 'base64', media_type: 5, data: PIXEL }), `${path}.source.media_type`],
      [image({ type: 'base64', media_type: 'image/png' }), `${path}.source.data`],
      [image({ type: 'url' }), `${path}.source.url`],
      [image({ type: 5, path: '/etc/passwd' }), `${path}.source`],
      [look({ type: 'image' }), `${path}.source`],
    ],
    unknown: [[image({ type: 'path', path: '/etc/passwd' }), 'messages[0].content[1]']],
  },
  {
    title: '[msg.block.document:in] PDF, text, content or a URL',
    good: [
      file(pdf, { title: 'A', context: 'B', citations: { enabled: true }, cache_control }),
      file(words),
      file({ type: 'content', content: 'Words' }),
      file({ type: 'content', content: [{ type: 'text', text: 'Words' }] }),
      file({ type: 'url', url: 'https://files.example/a.pdf' }),
    ],
    bad: [
      [file({ ...pdf, media_type: 5 }), `${path}.source.media_type`],
      [file({ ...words, data: 7 }), `${path}.source.data`],
      [file(pdf, { title: 7 }), `${path}.title`],
      [file(pdf, { citations: { enabled: 'yes' } }), `${path}.citations.enabled`],
    ],
    unknown: [
      [file({ type: 'path', path: '/etc/passwd' }), 'messages[0].content[1]'],
      [file({ ...words, media_type: 'text/rtf' }), 'messages[0].content[1]'],
    ],
  },
  {
    title: '[msg.block.search_result:in] a source, a title and content',
    good: [look({ ...hit, citations: { enabled: true }, cache_control }), look({ ...hit, source: null, title: null })],
    bad: [
      [look({ ...hit, content: 'Found' }), `${path}.content`],
      [look({ ...hit, title: 7 }), `${path}.title`],
    ],
  },
  {
    title: '[msg.block.tool_use:in] an id, a name and an input',
    bad: [
      [says('Weather?', [{ ...use, id: 7 }], 'Go on'), 'messages.1.content.0.id'],
      [says('Weather?', [{ ...use, name: undefined }], 'Go on'), 'messages.1.content.0.name'],
      [says('Weather?', [{ ...use, input: '{}' }], 'Go on'), 'messages.1.content.0.input'],
    ],
  },
  {
    title: '[msg.block.tool_result:in] a string or blocks, or an error',
    good: [
      result({ content: 'warm', cache_control }),
      result({}),
      result({
        content: [
          { type: 'text', text: 'warm' },
          { type: 'image', source: base64('image/png') },
        ],
      }),
      result({ content: [hit, { type: 'document', source: words }], is_error: true }),
    ],
    bad: [
      [result({ content: 7 }), 'messages.2.content.0.content'],
      [result({ is_error: 'yes' }), 'messages.2.content.0.is_error'],
      [result({ tool_use_id: undefined }), 'messages.2.content.0.tool_use_id'],
    ],
  },
  {
    title:
      '[msg.block.server_tool_use:in] [msg.block.web_search_tool_result:in] a search of the upstream and its result',
    bad: [
      [says('Why?', [{ type: 'server_tool_use', name: 'web_search', input: {} }], 'Go on'), 'messages.1.content.0.id'],
      [
        says('Why?', [{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: 'a' }], 'Go on'),
        'messages.1.content.0.content',
      ],
      [says('Why?', [{ type: 'web_search_tool_result', content: [] }], 'Go on'), 'messages.1.content.0.tool_use_id'],
    ],
  },
  {
    title: '[msg.block.thinking:in] [msg.block.redacted_thinking:in] thoughts',
    bad: [
      [says('Why?', [{ type: 'thinking', signature: 'abc' }], 'Go on'), 'messages.1.content.0.thinking'],
      [says('Why?', [{ type: 'thinking', thinking: 'So.', signature: 7 }], 'Go on'), 'messages.1.content.0.signature'],
      [says('Why?', [{ type: 'redacted_thinking' }], 'Go on'), 'messages.1.content.0.data'],
    ],
  },
]

describe('a messages block', () => {
  describeFields(client, FIELDS)

  it.each(MODELS)('[msg.block.image:in] [msg.block.document:in] is seen by %s', async (model) => {
    for (const asked of [image(base64('image/png')), file(pdf)]) {
      expect(JSON.stringify(await answer(asked, { model }))).toContain('I also see one attachment')
    }
  })

  it.each(MODELS)(
    '[msg.block.image:in] [msg.block.document:in] of an unlisted type is seen by %s, or a loss',
    async (model) => {
      for (const asked of [image(base64('image/tiff')), file({ ...pdf, media_type: 'application/zip' })]) {
        const answered = await client.post(asked, { model })
        const lost = answered.headers.get('x-dragoman-losses')?.includes('dropped messages[0].content[1]') ?? false
        expect(lost).toBe(model === 'sim/genai-1') // chat takes data of any type
        expect((await answered.text()).includes('I also see one attachment')).toBe(!lost)
      }
    },
  )

  it.each(MODELS)('[msg.block.tool_result:in] tells %s whether the tool failed', async (model) => {
    const good = JSON.stringify(await answer(result({ content: 'warm' }), { model }))
    expect(good).toContain('get_weather says: warm')
    const bad = await client.post(result({ content: 'no network', is_error: true }), { model })
    // Chat and Responses cannot express it, and the loss must be reported.
    const told =
      model === 'sim/chat-1' || model === 'sim/responses-1' ? bad.headers.get('x-dragoman-losses') : await bad.text()
    expect(told).toMatch(/get_weather failed: no network|dropped \S+\.is_error/)
  })

  it.each(['sim/chat-1', 'sim/genai-1'])(
    '[msg.block.tool_result:in] must belong to a call, before %s',
    async (model) => {
      const lost = says('Weather?', [use], [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'warm' }])
      await refused(lost, 'messages', { model })
    },
  )

  it.each(MODELS)('[msg.block.redacted_thinking:in] comes back unchanged to %s', async (model) => {
    const members = {
      max_tokens: 5000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      tools: [{ name: 'get_weather', input_schema: { type: 'object', properties: {} } }],
    }
    const question = '[[redact]] Use get_weather'
    const first = await answer({ ...members, ...says(question) }, { model })
    const content = first['content'] as Wire[]
    expect(content.map(({ type }) => type)).toEqual(['redacted_thinking', 'tool_use'])
    const results = [{ type: 'tool_result', tool_use_id: at(content, 1, 'id'), content: 'warm' }]
    const back = async (thoughts: Wire): Promise<string> => {
      const told = await client.post(
        { ...members, ...says(question, [thoughts, content[1] ?? {}], results) },
        { model },
      )
      expect(await told.text()).toContain('get_weather says: warm')
      return told.headers.get('x-dragoman-losses') ?? ''
    }
    expect(await back(content[0] ?? {})).not.toContain('dropped messages[1].content[0]')
    // The issuer refuses a seal that is not its own, and is called again without it.
    expect(await back({ ...content[0], data: `${String(at(content, 0, 'data'))}AAAA` })).toContain(
      'dropped messages[1].content[0]',
    )
  })

  it('[msg.block.server_tool_use:in] [msg.block.web_search_tool_result:in] [msg.block.text:in] [msg.citations:in] comes back unchanged', async () => {
    const first = await answer(says('[[search]] Why?'))
    const content = first['content'] as Wire[]
    expect(content).toMatchObject([
      {
        type: 'server_tool_use',
        id: expect.stringMatching(/^srvtoolu_/) as string,
        name: 'web_search',
        input: { query: 'Why?' },
      },
      {
        type: 'web_search_tool_result',
        content: [{ type: 'web_search_result', encrypted_content: expect.stringMatching(/^simpage0/) as string }],
      },
      {
        type: 'text',
        citations: [
          { type: 'web_search_result_location', encrypted_index: expect.stringMatching(/^simpage0/) as string },
        ],
      },
    ])
    const back = async (turn: Wire[]): Promise<string | null> => {
      const told = await client.post(says('[[search]] Why?', turn, 'And then?'))
      expect(told.status).toBe(200)
      return told.headers.get('x-dragoman-losses')
    }
    expect(await back(content)).toBeNull()
    const forged = content.map((block) =>
      block['type'] === 'web_search_tool_result'
        ? {
            ...block,
            content: (block['content'] as Wire[]).map((hit) => ({ ...hit, encrypted_content: 'simpage0no' })),
          }
        : block,
    )
    // The issuer refuses a seal that is not its own, and is called again without it.
    expect(await back(forged)).toContain('dropped messages[1].content')
  })

  it.each(['sim/chat-1', 'sim/genai-1'])(
    '[msg.block.web_search_tool_result:in] does not keep %s from answering',
    async (model) => {
      const content = (await answer(says('[[search]] Why?')))['content'] as Wire[]
      const answered = await client.post(says('[[search]] Why?', content, 'And then?'), { model })
      expect(answered.status).toBe(200)
      expect(answered.headers.get('x-dragoman-losses')).toContain('dropped')
    },
  )

  it('[msg.websearch.error:in] [msg.block.web_search_tool_result:in] a failed search is not a failed request', async () => {
    const body = await answer(says('[[search fail]] Why?'))
    expect(at(body, 'content', 1)).toMatchObject({
      type: 'web_search_tool_result',
      content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
    })
    await answer(says('[[search fail]] Why?', body['content'] as Wire[], 'And then?'))
  })
})
