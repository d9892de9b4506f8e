import { describe, expect, it } from 'vitest'
import { responses } from './endpoints.ts'
import { at, describeFields, MODELS, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(responses)
const { answer, refused } = client

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const user = { role: 'user', content: 'Use get_weather for Rome.' }
const next = { role: 'user', content: 'And then?' }
const items = (...input: Wire[]): Wire => ({ input })
const part = (content: Wire): Wire => items({ role: 'user', content: [{ type: 'input_text', text: 'Look' }, content] })
const spoken = (...content: Wire[]): Wire =>
  items(user, { type: 'message', role: 'assistant', id: 'msg_1', content }, next)
const tools = [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }]
const call = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'warm' }
const custom = { type: 'custom_tool_call', call_id: 'call_1', name: 'apply', input: 'a "b"' }
const applied = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'done' }
const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'Rome' } }
const inside = 'input.0.content.1'

const FIELDS: Field[] = [
  {
    title: '[resp.input:in] a text or items',
    good: [{ input: 'Hi' }, items(user)],
    bad: [
      [{ input: undefined }, 'input'],
      [{ input: 5 }, 'input'],
      [{ input: ['Hi'] }, 'input.0'],
      [items({ type: 5 }), 'input.0.type'],
    ],
  },
  {
    title: '[resp.item.message:in] of four roles',
    good: [
      ...['user', 'system', 'developer'].map((role) => items({ type: 'message', role, content: 'Hi' }, user)),
      items(user, { role: 'assistant', content: 'Hi' }, next),
      items({ ...user, id: 'msg_1', status: 'completed' }),
      spoken({ type: 'output_text', text: 'Hi', annotations: [] }),
    ],
    bad: [
      [items({ role: 'user' }), 'input.0.content'],
      [items({ role: 'user', content: 5 }), 'input.0.content'],
      [items({ type: 'message', content: 'Hi' }), 'input.0.role'],
      [items({ role: 5, content: 'Hi' }), 'input.0.role'],
    ],
    unknown: [[items({ role: 'boss', content: 'Hi' }), 'input[0].role']],
  },
  {
    title: '[resp.item.reasoning:in] with a summary or without',
    good: [items(user, { ...thought, content: null }, { role: 'assistant', content: 'Hi' }, next)],
    bad: [
      [items(user, { ...thought, summary: 'Hm.' }), 'input.1.summary'],
      [items(user, { ...thought, summary: [{ type: 'summary_text' }] }), 'input.1.summary.0.text'],
      [items(user, { ...thought, encrypted_content: 5 }), 'input.1.encrypted_content'],
    ],
  },
  {
    title: '[resp.item.function_call:in] [resp.call_id:in] a call and its arguments',
    good: [{ tools, ...items(user, { ...call, id: null, status: 'completed' }, output) }],
    bad: [
      [items(user, { ...call, call_id: undefined }, output), 'input.1.call_id'],
      [items(user, { ...call, name: '' }, output), 'input.1.name'],
      [items(user, { ...call, arguments: { city: 'Rome' } }, output), 'input.1.arguments'],
      [items(user, { ...call, namespace: 5 }, output), 'input.1.namespace'],
    ],
  },
  {
    title: '[resp.item.function_call_output:in] [resp.item.custom_tool_call_output:in] a text or parts',
    good: [
      { tools, ...items(user, call, { ...output, output: [{ type: 'input_text', text: 'warm' }] }) },
      { tools, ...items(user, call, { ...output, output: [{ type: 'input_image', image_url: PNG }] }) },
      items(user, custom, applied),
    ],
    bad: [
      [items(user, call, { ...output, output: 5 }), 'input.2.output'],
      [items(user, call, { ...output, output: undefined }), 'input.2.output'],
      [items(user, custom, { ...applied, output: [{ type: 'input_text' }] }), 'input.2.output.0.text'],
    ],
  },
  {
    title: '[resp.item.custom_tool_call:in] a call and its text',
    bad: [
      [items(user, { ...custom, input: { a: 1 } }, applied), 'input.1.input'],
      [items(user, { ...custom, name: undefined }, applied), 'input.1.name'],
    ],
  },
  {
    title: '[resp.item.additional_tools:in] tools in the middle',
    good: [
      items(user, { role: 'assistant', content: 'Hi' }, { type: 'additional_tools', role: 'developer', tools }, next),
    ],
    bad: [
      [items({ type: 'additional_tools', role: 'developer' }, user), 'input.0.tools'],
      [items({ type: 'additional_tools', tools: [{ type: 'function' }] }, user), 'input.0.tools.0.name'],
    ],
  },
  {
    title: '[resp.item.web_search_call:in] with its action',
    good: [items(user, search, { role: 'assistant', content: 'Hi' }, next)],
    bad: [[items(user, { ...search, action: 'search' }, next), 'input.1.action']],
    unknown: [[items(user, { ...search, action: { type: 'open_page', url: 'https://a.example' } }, next), 'input[1]']],
  },
  {
    title: '[resp.part.input_text:in] [resp.part.cache_breakpoint:in] a text with a cache mark',
    good: [part({ type: 'input_text', text: 'here', prompt_cache_breakpoint: { mode: 'explicit' } })],
    bad: [
      [part({ type: 'input_text' }), `${inside}.text`],
      [part({ type: 'input_text', text: 5 }), `${inside}.text`],
      [part({ type: 'input_text', text: 'a', prompt_cache_breakpoint: 'yes' }), `${inside}.prompt_cache_breakpoint`],
    ],
    unknown: [[part({ type: 'smell', of: 'roses' }), 'input[0].content[1]']],
  },
  {
    title: '[resp.part.input_image:in] a URL, data or a file',
    good: [
      part({ type: 'input_image', image_url: 'https://images.example/a.png', detail: 'low' }),
      part({ type: 'input_image', image_url: PNG, detail: 'original', file_id: null }),
      part({ type: 'input_image', file_id: 'file_1' }),
    ],
    bad: [
      [part({ type: 'input_image', image_url: { url: PNG } }), `${inside}.image_url`],
      [part({ type: 'input_image', file_id: 5 }), `${inside}.file_id`],
      [part({ type: 'input_image', image_url: PNG, detail: 5 }), `${inside}.detail`],
    ],
  },
  {
    title: '[resp.part.input_file:in] data, a URL or a file',
    good: [
      part({ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }),
      part({ type: 'input_file', file_url: 'https://files.example/a.pdf' }),
      part({ type: 'input_file', file_id: 'file_1' }),
    ],
    bad: [
      [part({ type: 'input_file', file_data: 7 }), `${inside}.file_data`],
      [part({ type: 'input_file', file_url: 7 }), `${inside}.file_url`],
    ],
  },
  {
    title: '[resp.part.input_audio:in] data of a format',
    good: [part({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } })],
    bad: [[part({ type: 'input_audio', input_audio: { data: 'UklGRg==' } }), `${inside}.input_audio.format`]],
  },
  {
    title: '[resp.part.output_text:in] [resp.part.refusal:in] of the assistant',
    good: [spoken({ type: 'output_text', text: 'Hi' }), spoken({ type: 'refusal', refusal: 'No.' })],
    bad: [
      [spoken({ type: 'output_text' }), 'input.1.content.0.text'],
      [spoken({ type: 'output_text', text: 'Hi', annotations: 'many' }), 'input.1.content.0.annotations'],
      [spoken({ type: 'refusal' }), 'input.1.content.0.refusal'],
    ],
  },
]

describe('an item of Responses', () => {
  describeFields(client, FIELDS)

  it.each(MODELS)('[resp.part.input_image:in] [resp.part.input_file:in] is seen by %s', async (model) => {
    for (const content of [
      { type: 'input_image', image_url: PNG },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    ])
      expect(JSON.stringify(await answer(part(content), { model }))).toContain('I also see one attachment')
  })

  it.each(MODELS)(
    '[resp.item.function_call:in] [resp.item.function_call_output:in] [resp.call_id:in] pair for %s',
    async (model) => {
      for (const call_id of ['call_1', `call_${'x'.repeat(100)}`]) {
        const told = await answer({ tools, ...items(user, { ...call, call_id }, { ...output, call_id }) }, { model })
        expect(JSON.stringify(told['output'])).toContain('get_weather says: warm')
      }
    },
  )

  it.each(MODELS)(
    '[resp.item.custom_tool_call:in] [resp.item.custom_tool_call_output:in] pair for %s',
    async (model) => {
      const told = await answer(
        { tools: [{ type: 'custom', name: 'apply' }], ...items(user, custom, applied) },
        { model },
      )
      expect(JSON.stringify(told['output'])).toContain('apply says: done')
    },
  )

  it.each(MODELS.filter((model) => model !== 'sim/responses-1'))(
    '[resp.item.function_call_output:in] needs its call, before %s',
    async (model) => {
      await refused(items(user, { ...output, call_id: 'call_9' }), 'input', { model })
    },
  )

  it.each(MODELS)('[resp.item.additional_tools:in] reach %s', async (model) => {
    const added = { type: 'additional_tools', role: 'developer', tools }
    const told = await answer({ ...items(added, user), tool_choice: 'required' }, { model })
    expect((told['output'] as Wire[]).map(({ name }) => name)).toContain('get_weather')
  })

  it.each(MODELS)('[resp.item.reasoning:in] comes back to %s as it was', async (model) => {
    const members = { tools, reasoning: { effort: 'low', summary: 'auto' }, max_output_tokens: 20_000 }
    const first = (await answer({ ...members, ...items(user) }, { model }))['output'] as Wire[]
    expect(first.map(({ type }) => type)).toEqual(['reasoning', 'function_call'])
    const results = { ...output, call_id: at(first, 1, 'call_id') }
    const lossesOf = async (history: Wire[]): Promise<string> => {
      const told = await client.post({ ...members, ...items(user, ...history, results) }, { model })
      expect(await told.text()).toContain('get_weather says: warm')
      return told.headers.get('x-dragoman-losses') ?? ''
    }
    expect(await lossesOf(first)).not.toContain('dropped input[1].summary')
  })
})
