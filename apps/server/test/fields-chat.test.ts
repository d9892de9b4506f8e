import { describe, expect, it } from 'vitest'
import { chat } from './endpoints.ts'
import { at, describeFields, MODELS, STOPPING, useEndpoint, type Field, type Wire } from './fields.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const user = { role: 'user', content: 'Tell me about Paris' }

const client = useEndpoint(chat)
const { answer, refused } = client

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = ['get_weather', 'get_time'].map((name) => ({ type: 'function', function: { name, parameters } }))
const says = (...messages: Wire[]): Wire => ({ messages })
const part = (content: Wire): Wire => says({ role: 'user', content: [{ type: 'text', text: 'Look' }, content] })
const called = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }
const text = (body: Wire): unknown => at(body, 'choices', 0, 'message', 'content')
const finish = (body: Wire): unknown => at(body, 'choices', 0, 'finish_reason')
const calls = (body: Wire): unknown =>
  ((at(body, 'choices', 0, 'message', 'tool_calls') ?? []) as Wire[]).map((call) => at(call, 'function', 'name'))
const pairs = (count: number): Wire =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']))

const FIELDS: Field[] = [
  {
    title: '[chat.max_completion_tokens:in] an integer or null',
    good: [{ max_completion_tokens: null }, { max_completion_tokens: 100 }, { max_completion_tokens: 10_000_000 }],
    bad: [
      [{ max_completion_tokens: 0 }, 'max_completion_tokens'],
      [{ max_completion_tokens: 1.5 }, 'max_completion_tokens'],
      [{ max_completion_tokens: '100' }, 'max_completion_tokens'],
    ],
  },
  {
    title: '[chat.temperature:in] a number of any size',
    good: [{ temperature: 0 }, { temperature: 2 }, { temperature: 7.5 }, { temperature: null }],
    bad: [[{ temperature: 'hot' }, 'temperature']],
  },
  { title: '[chat.top_p:in] a number', good: [{ top_p: 0.1 }, { top_p: 1 }], bad: [[{ top_p: '1' }, 'top_p']] },
  {
    title: '[chat.n] only 1',
    good: [{ n: 1 }, { n: null }],
    bad: [
      [{ n: 2 }, 'n'],
      [{ n: 0 }, 'n'],
      [{ n: '1' }, 'n'],
    ],
  },
  {
    title: '[chat.penalties:in] from -2 to 2',
    good: [
      { frequency_penalty: -2, presence_penalty: 2 },
      { frequency_penalty: null, presence_penalty: 0.5 },
    ],
    bad: [
      [{ frequency_penalty: 2.1 }, 'frequency_penalty'],
      [{ presence_penalty: -2.1 }, 'presence_penalty'],
      [{ presence_penalty: 'no' }, 'presence_penalty'],
    ],
  },
  {
    title: '[chat.stop:in] a string, null, or at most 4 strings',
    good: [{ stop: 'x' }, { stop: null }, { stop: ['a', 'b', 'c', 'd'] }],
    bad: [
      [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
      [{ stop: [1] }, 'stop'],
      [{ stop: 5 }, 'stop'],
    ],
  },
  {
    title: '[chat.logit_bias:in] values from -100 to 100',
    good: [{ logit_bias: { 50256: -100, 11: 100 } }, { logit_bias: null }],
    bad: [
      [{ logit_bias: { 50256: 101 } }, 'logit_bias'],
      [{ logit_bias: { 50256: -101 } }, 'logit_bias'],
      [{ logit_bias: [1] }, 'logit_bias'],
    ],
  },
  {
    title: '[chat.logprobs:in] with up to 20 alternatives',
    good: [{ logprobs: true, top_logprobs: 20 }, { logprobs: true, top_logprobs: 0 }, { logprobs: null }],
    bad: [
      [{ logprobs: true, top_logprobs: 21 }, 'top_logprobs'],
      [{ logprobs: true, top_logprobs: -1 }, 'top_logprobs'],
      [{ logprobs: 'yes' }, 'logprobs'],
    ],
  },
  {
    title: '[chat.verbosity:in] a word',
    good: ['low', 'medium', 'high'].map((verbosity) => ({ verbosity })),
    bad: [[{ verbosity: 3 }, 'verbosity']],
  },
  {
    title: '[chat.web_search_options:in] an object',
    good: [{ web_search_options: {} }, { web_search_options: { search_context_size: 'low' } }],
    bad: [[{ web_search_options: true }, 'web_search_options']],
  },
  {
    title: '[chat.metadata:in] up to 16 pairs',
    good: [{ metadata: pairs(16) }],
    bad: [
      [{ metadata: pairs(17) }, 'metadata'],
      [{ metadata: { key: 1 } }, 'metadata'],
    ],
  },
  {
    title: '[chat.usage] {include}',
    good: [{ usage: { include: true } }, { usage: { include: false } }],
    bad: [
      [{ usage: { include: 'yes' } }, 'usage'],
      [{ usage: true }, 'usage'],
    ],
  },
  {
    title: '[chat.role.system:in] [chat.role.developer:in] strings or text parts, with a name',
    good: ['system', 'developer'].flatMap((role) => [
      says({ role, content: 'Be brief.', name: 'boss' }, user),
      says({ role, content: [{ type: 'text', text: 'Be brief.' }] }, user),
    ]),
    bad: [
      [says({ role: 'system', content: 5 }, user), 'messages.0.content'],
      [says({ role: 'developer' }, user), 'messages.0.content'],
      [says({ role: 'system', content: [{ type: 'text', text: 5 }] }, user), 'messages.0.content'],
      [says({ role: 5, content: 'hi' }), 'messages.0.role'],
      [says({ role: 'boss', content: 5 }), 'messages.0.content'],
    ],
    unknown: [
      [
        says({ role: 'system', content: [{ type: 'image_url', image_url: { url: 'x' } }] }, user),
        'messages[0]',
        'sim/responses-1', // its instructions may have images
      ],
      [says({ role: 'boss', content: 'hi' }), 'messages[0].role'],
    ],
  },
  {
    title: '[chat.role.user:in] text, images, audio and files',
    good: [
      part({ type: 'image_url', image_url: { url: 'https://images.example/a.png', detail: 'low' } }),
      part({ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, detail: 'high' } }),
      part({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
      part({ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } }),
      says({ ...user, name: 'ann' }),
    ],
    bad: [
      [part({ type: 'image_url', image_url: {} }), 'messages.0.content.1.image_url.url'],
      [part({ type: 'input_audio', input_audio: { data: 'UklGRg==' } }), 'messages.0.content.1.input_audio.format'],
      [part({ type: 'file', file: { file_data: 7 } }), 'messages.0.content.1.file.file_data'],
      [says({ role: 'user' }), 'messages.0.content'],
    ],
  },
  {
    title: '[chat.role.assistant:in] needs content if it has no calls',
    good: [
      says(user, { role: 'assistant', content: 'Hello', name: 'bot' }, user),
      says(user, { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }, user),
      says(user, { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }, user),
      says(user, { role: 'assistant', content: null, refusal: 'No.' }, user),
      says(user, { role: 'assistant', tool_calls: [called] }, { role: 'tool', tool_call_id: 'call_1', content: 'x' }),
      says(user, { role: 'assistant', content: 'Hello', audio: null, reasoning: 'I thought.' }, user),
    ],
    bad: [
      [says(user, { role: 'assistant' }, user), 'messages.1.content'],
      [says(user, { role: 'assistant', content: 3 }, user), 'messages.1.content'],
      [says(user, { role: 'assistant', tool_calls: [{ type: 'function' }] }, user), 'messages.1.tool_calls.0'],
      [says(user, { role: 'assistant', content: 'a', reasoning_details: 'b' }, user), 'messages.1.reasoning_details'],
    ],
  },
  {
    title: '[chat.tools:in] [chat.tool_choice:in] of other kinds',
    unknown: [
      [{ tools: [{ type: 'levitation', levitation: { name: 'fly' } }] }, 'tools[0]'],
      [{ tools, tool_choice: 'maybe' }, 'tool_choice'],
      [{ tools, tool_choice: { type: 'levitation' } }, 'tool_choice.type'],
    ],
  },
]

describe('a field of chat', () => {
  describeFields(client, FIELDS)

  it.each(STOPPING)('[chat.stop:in] [chat.max_completion_tokens:in] ends the response of %s', async (model) => {
    const stopped = await answer({ stop: ['Paris'] }, { model })
    expect([text(stopped), finish(stopped)]).toEqual([expect.stringMatching(/"Tell me about $/), 'stop'])
    const short = await answer({ max_completion_tokens: 2 }, { model })
    expect([text(short), finish(short)]).toEqual(['Hello fr', 'length'])
  })

  it.each(MODELS)(
    '[chat.tools:in] [chat.tool_choice:in] [chat.parallel_tool_calls:in] decides what %s calls',
    async (model) => {
      const both = says({ role: 'user', content: 'Use both tools for Rome' })
      const named = async (members: Wire): Promise<unknown> =>
        calls(await answer({ ...both, tools, ...members }, { model }))
      expect(await named({})).toEqual(['get_weather', 'get_time'])
      expect(await named({ parallel_tool_calls: true })).toEqual(['get_weather', 'get_time'])
      const one = model === 'sim/genai-1' ? ['get_weather', 'get_time'] : ['get_weather'] // genai cannot request one at a time
      expect(await named({ parallel_tool_calls: false })).toEqual(one)
      expect(await named({ tool_choice: 'auto' })).toEqual(['get_weather', 'get_time'])
      expect(await named({ tool_choice: 'none' })).toEqual([])
      expect(await named({ tool_choice: { type: 'function', function: { name: 'get_time' } } })).toContain('get_time')
      const custom = { tools: [{ type: 'custom', custom: { name: 'run', description: 'Runs it.' } }] }
      const ran = await answer({ ...custom, tool_choice: 'required' }, { model })
      expect(at(ran, 'choices', 0, 'message', 'tool_calls', 0)).toMatchObject({ id: expect.any(String) as string })
    },
  )

  it('[chat.tools:in] [chat.tool_choice:in] [chat.parallel_tool_calls:in] is refused by name', async () => {
    await refused({ tools: [{ type: 'function', function: {} }] }, 'tools.0.function.name')
    await refused({ tools: [{ type: 'custom', custom: { name: '' } }] }, 'tools.0.custom.name')
    await refused({ tools: 'all' }, 'tools')
    await refused({ tools: [{ type: 5 }] }, 'tools.0.type')
    await refused({ tools, tool_choice: 5 }, 'tool_choice')
    await refused({ tools, tool_choice: { type: 5 } }, 'tool_choice')
    await refused({ tools, tool_choice: { type: 'function' } }, 'tool_choice')
    await refused({ tools, parallel_tool_calls: 'no' }, 'parallel_tool_calls')
  })
})
