import { describe, expect, it } from 'vitest'
import { askResponses, sendToResponses, type Target } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

/** What an upstream of each protocol gets. */
type Expected = Readonly<Partial<Record<Target, JsonObject>>>
/** A member without an equivalent: kept for Responses, and reported under its name elsewhere. */
type Kept = readonly [row: string, members: JsonObject, lost: readonly string[]]

const LOGPROBS = 'message.output_text.logprobs'
const ENCRYPTED = 'reasoning.encrypted_content'
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false }
const named = { name: 'count', schema, strict: true, description: 'A count.' }
const UNNAMED = ['name', 'strict', 'description'].map((member) => `dropped text.format.${member}`)
const generation = (generationConfig: JsonObject): JsonObject => ({ generationConfig })

const CARRIED: readonly (readonly [row: string, members: JsonObject, expected: Expected])[] = [
  ['[resp.model:through]', {}, { chat: { model: 'm' }, messages: { model: 'm' }, responses: { model: 'm' } }],
  [
    '[resp.instructions:through]',
    { instructions: 'Be brief.' },
    {
      chat: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
      messages: { system: 'Be brief.' },
      genai: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
      responses: { instructions: 'Be brief.', input: [{ role: 'user' }] },
    },
  ],
  [
    '[resp.max_output_tokens:through]',
    { max_output_tokens: 500 },
    {
      chat: { max_completion_tokens: 500 },
      messages: { max_tokens: 500 },
      genai: generation({ maxOutputTokens: 500 }),
      responses: { max_output_tokens: 500 },
    },
  ],
  [
    '[resp.temperature:through]',
    { temperature: 0 },
    {
      chat: { temperature: 0 },
      messages: { temperature: 0 },
      genai: generation({ temperature: 0 }),
      responses: { temperature: 0 },
    },
  ],
  [
    '[resp.top_p:through]',
    { top_p: 0.5 },
    { chat: { top_p: 0.5 }, messages: { top_p: 0.5 }, genai: generation({ topP: 0.5 }), responses: { top_p: 0.5 } },
  ],
  [
    '[resp.top_logprobs:through] [resp.include:through]',
    { top_logprobs: 3, include: [LOGPROBS] },
    {
      chat: { logprobs: true, top_logprobs: 3 },
      genai: generation({ responseLogprobs: true, logprobs: 3 }),
      responses: { top_logprobs: 3, include: [ENCRYPTED, LOGPROBS] },
    },
  ],
  [
    '[resp.metadata:through]',
    { metadata: { team: 'a' } },
    { chat: { metadata: { team: 'a' } }, responses: { metadata: { team: 'a' } } },
  ],
  ...['safety_identifier', 'user'].map(
    (member) =>
      [
        '[resp.safety_identifier:through]',
        { [member]: 'ann' },
        {
          chat: { safety_identifier: 'ann' },
          messages: { metadata: { user_id: 'ann' } },
          responses: { safety_identifier: 'ann' },
        },
      ] as const,
  ),
  [
    '[resp.text.format:through]',
    { text: { format: { type: 'json_object' } } },
    {
      chat: { response_format: { type: 'json_object' } },
      genai: generation({ responseMimeType: 'application/json' }),
      responses: { text: { format: { type: 'json_object' } } },
    },
  ],
  [
    '[resp.text.verbosity:through]',
    { text: { verbosity: 'low' } },
    { chat: { verbosity: 'low' }, responses: { text: { verbosity: 'low' } } },
  ],
  [
    '[resp.reasoning.effort:through]',
    { reasoning: { effort: 'none' } },
    {
      chat: { reasoning_effort: 'none' },
      messages: { thinking: { type: 'disabled' } },
      genai: generation({ thinkingConfig: { thinkingBudget: 0 } }),
      responses: { reasoning: { effort: 'none' } },
    },
  ],
]

/** Where it cannot be expressed, by protocol. */
const LOST: readonly (readonly [row: string, members: JsonObject, lost: Readonly<Partial<Record<Target, string>>>])[] =
  [
    ['[resp.temperature:through]', { temperature: 1.7 }, { messages: 'changed temperature' }],
    ['[resp.top_logprobs:through]', { top_logprobs: 3, include: [LOGPROBS] }, { messages: 'dropped top_logprobs' }],
    ['[resp.metadata:through]', { metadata: { a: 'b' } }, { messages: 'dropped metadata', genai: 'dropped metadata' }],
    ['[resp.safety_identifier:through]', { safety_identifier: 'ann' }, { genai: 'dropped safety_identifier' }],
    [
      '[resp.text.format:through]',
      { text: { format: { type: 'json_object' } } },
      { messages: 'dropped text.format.type' },
    ],
    [
      '[resp.text.verbosity:through]',
      { text: { verbosity: 'low' } },
      { messages: 'dropped text.verbosity', genai: 'dropped text.verbosity' },
    ],
    [
      '[resp.reasoning.summary:through]',
      { reasoning: { effort: 'low', summary: 'detailed' } },
      { chat: 'dropped reasoning.summary', messages: 'dropped reasoning.summary', genai: 'dropped reasoning.summary' },
    ],
  ]

const KEPT: readonly Kept[] = [
  ['[resp.reasoning.other:through]', { reasoning: { context: 'all_turns' } }, ['reasoning.context']],
  ['[resp.reasoning.other:through]', { reasoning: { mode: 'pro' } }, ['reasoning.mode']],
  ['[resp.reasoning.other:through]', { reasoning: { generate_summary: 'auto' } }, ['reasoning.generate_summary']],
  ['[resp.top_logprobs:through]', { top_logprobs: 3 }, ['top_logprobs']],
  ['[resp.truncation:through]', { truncation: 'auto' }, ['truncation']],
  [
    '[resp.context_management:through]',
    { context_management: [{ type: 'compaction', compact_threshold: 1000 }] },
    ['context_management'],
  ],
  ['[resp.max_tool_calls:through]', { max_tool_calls: 3 }, ['max_tool_calls']],
  ['[resp.leftovers:through]', { access_programs: ['a'] }, ['access_programs']],
  ['[resp.leftovers:through]', { image: { size: 'a' } }, ['image.size']],
  ['[resp.leftovers:through]', { client_metadata: { thread: 'a' } }, ['client_metadata.thread']],
  [
    '[resp.leftovers:through]',
    { presence_penalty: 1, frequency_penalty: 1 },
    ['presence_penalty', 'frequency_penalty'],
  ],
  ['[resp.leftovers:through]', { of_the_future: 1 }, ['of_the_future']],
]

/** Members that chat has under the same name, and where messages and genai do not have them. */
const SHARED: readonly Kept[] = [
  ['[resp.prompt_cache_key:through]', { prompt_cache_key: 'key' }, ['prompt_cache_key']],
  ['[resp.prompt_cache_options:through]', { prompt_cache_options: { ttl: '30m' } }, ['prompt_cache_options']],
  ['[resp.prompt_cache_options:through]', { prompt_cache_retention: '24h' }, ['prompt_cache_retention']],
  ['[resp.service_tier:through]', { service_tier: 'scale' }, ['service_tier']],
  [
    '[resp.stream_options:through]',
    { stream: true, stream_options: { include_obfuscation: false } },
    ['stream_options.include_obfuscation'],
  ],
  ['[resp.leftovers:through]', { moderation: { model: 'a' } }, ['moderation']],
]

/** The words of each protocol for a tier. */
const TIERS: readonly (readonly [Record<Target, string | undefined>])[] = [
  [{ chat: 'default', responses: 'default', messages: 'standard_only', genai: 'standard' }],
  [{ chat: 'flex', responses: 'flex', messages: undefined, genai: 'flex' }],
  [{ chat: 'priority', responses: 'priority', messages: undefined, genai: 'priority' }],
]

describe('a member of a responses request', () => {
  it.each(SHARED)('%s is in chat too: %j', (_row, members, lost) => {
    const sent = askResponses(members)
    for (const target of ['chat', 'responses'] as const) {
      expect([target, sent[target].body]).toMatchObject([target, members])
      expect([target, sent[target].losses]).toEqual([target, []])
    }
    for (const target of ['messages', 'genai'] as const)
      expect([target, sent[target].losses]).toEqual([target, lost.map((path) => `dropped ${path}`)])
    expect(sendToResponses('chat', members)).toEqual({
      body: expect.objectContaining(members) as unknown,
      losses: [],
    })
  })

  it.each(SHARED)('%s is dropped for a chat upstream that does not know it: %j', (_row, members, lost) => {
    const { body, losses } = askResponses(members, { dialect: { serving: [] } }).chat
    expect(losses).toEqual(lost.map((path) => `dropped ${path}`))
    expect(JSON.stringify(body)).not.toMatch(/prompt_cache|service_tier|obfuscation|moderation/)
    const own = askResponses(members, { dialect: { serving: [...Object.keys(members), 'include_obfuscation'] } }).chat
    expect([own.body, own.losses]).toMatchObject([members, []])
  })

  it.each(TIERS)('[resp.service_tier:through] is the tier of other protocols: %j', (words) => {
    const sent = askResponses({ service_tier: words.responses ?? null })
    expect(sent.chat.body['service_tier']).toBe(words.chat)
    expect(sent.messages.body['service_tier']).toBe(words.messages)
    expect(sent.genai.body['serviceTier']).toBe(words.genai)
    expect(sent.messages.losses).toEqual(words.messages === undefined ? ['dropped service_tier'] : [])
    expect([...sent.chat.losses, ...sent.genai.losses]).toEqual([])
    const back = [sendToResponses('chat', { service_tier: words.chat ?? null })]
    if (words.messages !== undefined) back.push(sendToResponses('messages', { service_tier: words.messages }))
    if (words.genai !== undefined) back.push(sendToResponses('genai', { serviceTier: words.genai }))
    for (const { body, losses } of back)
      expect([body['service_tier'], losses.filter((loss) => /tier/i.test(loss))]).toEqual([words.responses, []])
  })

  it.each(CARRIED)('%s reaches upstreams: %j', (_row, members, expected) => {
    const sent = askResponses(members)
    for (const [target, body] of Object.entries(expected) as [Target, JsonObject][]) {
      expect([target, sent[target].body]).toMatchObject([target, body])
      expect([target, sent[target].losses]).toEqual([target, []])
    }
  })

  it('[resp.text.format:through] has its schema everywhere, and its name where names are (trap 117)', () => {
    const { chat, messages, genai, responses } = askResponses({ text: { format: { type: 'json_schema', ...named } } })
    expect(chat.body['response_format']).toEqual({ type: 'json_schema', json_schema: named })
    expect(responses.body['text']).toEqual({ format: { type: 'json_schema', ...named } })
    expect(messages.body['output_config']).toEqual({ format: { type: 'json_schema', schema } })
    expect(genai.body).toMatchObject(generation({ responseMimeType: 'application/json', responseJsonSchema: schema }))
    for (const { losses } of [chat, responses]) expect(losses).toEqual([])
    for (const { losses } of [messages, genai]) expect(losses).toEqual(UNNAMED)
  })

  it('[resp.reasoning.effort:through] [resp.reasoning.summary:through] shows thoughts where an upstream can', () => {
    const { chat, messages, genai, responses } = askResponses({ reasoning: { effort: 'low', summary: 'auto' } })
    expect(chat.body['reasoning_effort']).toBe('low')
    expect(chat.losses).toEqual(['dropped reasoning.summary'])
    expect(messages.body['thinking']).toMatchObject({ type: 'enabled', display: 'summarized' })
    expect(messages.losses).toEqual(['changed reasoning'])
    const thinkingConfig = { thinkingLevel: 'LOW', includeThoughts: true }
    expect([genai.body, genai.losses]).toMatchObject([generation({ thinkingConfig }), []])
    expect([responses.body['reasoning'], responses.losses]).toEqual([{ effort: 'low', summary: 'auto' }, []])
  })

  it.each(LOST)('%s is reported where an upstream has no equivalent: %j', (_row, members, lost) => {
    const sent = askResponses(members)
    for (const [target, loss] of Object.entries(lost) as [Target, string][])
      expect([target, sent[target].losses]).toEqual([target, expect.arrayContaining([loss])])
    expect(sent.responses.losses).toEqual([])
  })

  it.each(KEPT)('%s is for Responses alone: %j', (_row, members, lost) => {
    const sent = askResponses(members)
    expect(sent.responses.body).toMatchObject(members)
    expect(sent.responses.losses).toEqual([])
    for (const target of ['chat', 'messages', 'genai'] as const) {
      expect([target, sent[target].losses]).toEqual([target, lost.map((path) => `dropped ${path}`)])
      for (const member of Object.keys(members)) expect(sent[target].body).not.toHaveProperty(member)
    }
  })

  it.each([
    ['[resp.service_tier:through]', { service_tier: 'auto' }],
    ['[resp.truncation:through]', { truncation: 'disabled' }],
    ['[resp.include:through]', { include: [ENCRYPTED] }],
    ['[resp.text.format:through]', { text: { format: { type: 'text' } } }],
  ])('%s %j changes nothing, and so is no loss', (_row, members) => {
    for (const { losses } of Object.values(askResponses(members))) expect(losses).toEqual([])
  })

  it('[resp.include:through] asks for encrypted reasoning whatever the caller says, and keeps other words for Responses', () => {
    const sent = askResponses({ include: ['web_search_call.action.sources'] })
    expect(sent.responses.body['include']).toEqual([ENCRYPTED, 'web_search_call.action.sources'])
    expect(sent.messages.losses).toEqual(['dropped include'])
    expect(askResponses({ include: [] }).responses.body['include']).toEqual([ENCRYPTED])
  })

  it('[resp.include:through] asks for the outputs of code with code, for clients of all protocols', () => {
    const OUTPUTS = 'code_interpreter_call.outputs'
    const asked = sendToResponses('genai', { tools: [{ codeExecution: {} }] }).body
    expect(asked).toMatchObject({ tools: [{ type: 'code_interpreter' }], include: [ENCRYPTED, OUTPUTS] })
    expect(sendToResponses('genai', { tools: [{ googleSearch: {} }] }).body['include']).toEqual([ENCRYPTED])
    const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }]
    for (const include of [[OUTPUTS], []])
      expect(askResponses({ tools, include }).responses.body['include']).toEqual([ENCRYPTED, OUTPUTS])
    expect(askResponses({ tools, include: [OUTPUTS] }).genai.losses).not.toContain('dropped include')
    expect(askResponses({ include: [OUTPUTS] }).genai.losses).toContain('dropped include')
  })

  it('[resp.max_output_tokens:through] is at most the limit of the model, reported', () => {
    const { responses, chat } = askResponses({ max_output_tokens: 9000 }, { limits: { maxTokens: 8000 } })
    expect([responses.body['max_output_tokens'], chat.body['max_completion_tokens']]).toEqual([8000, 8000])
    expect(responses.losses).toEqual(['changed max_output_tokens'])
  })

  it.each([
    ['none', { effort: 'none' }],
    ['minimal', { effort: 'minimal' }],
    ['low', { effort: 'low' }],
    ['medium', { effort: 'medium' }],
    ['high', { effort: 'high' }],
    ['xhigh', { effort: 'xhigh' }],
    ['max', { effort: 'max' }],
  ])('[resp.reasoning.effort:through] %s is the same word in chat and Responses', (effort, reasoning) => {
    const sent = askResponses({ reasoning })
    expect([sent.chat.body['reasoning_effort'], sent.responses.body['reasoning']]).toEqual([effort, { effort }])
  })
})

describe('a member for an upstream that speaks Responses', () => {
  it.each<readonly [string, 'chat' | 'messages' | 'genai', JsonObject, JsonObject]>([
    ['[resp.model:through]', 'chat', { model: 'gpt' }, { model: 'gpt' }],
    [
      '[resp.instructions:through]',
      'messages',
      { system: 'Be brief.' },
      { instructions: 'Be brief.', input: [{ role: 'user' }] },
    ],
    ['[resp.max_output_tokens:through]', 'chat', { max_completion_tokens: 500 }, { max_output_tokens: 500 }],
    ['[resp.temperature:through]', 'genai', { generationConfig: { temperature: 1.5 } }, { temperature: 1.5 }],
    ['[resp.top_p:through]', 'messages', { top_p: 0.5 }, { top_p: 0.5 }],
    [
      '[resp.top_logprobs:through] [resp.include:through]',
      'chat',
      { logprobs: true, top_logprobs: 3 },
      { top_logprobs: 3, include: [ENCRYPTED, LOGPROBS] },
    ],
    ['[resp.metadata:through]', 'chat', { metadata: { a: 'b' } }, { metadata: { a: 'b' } }],
    ['[resp.safety_identifier:through]', 'messages', { metadata: { user_id: 'ann' } }, { safety_identifier: 'ann' }],
    [
      '[resp.text.format:through]',
      'chat',
      { response_format: { type: 'json_schema', json_schema: named } },
      { text: { format: { type: 'json_schema', ...named } } },
    ],
    [
      '[resp.text.format:through]',
      'chat',
      { response_format: { type: 'json_object' } },
      { text: { format: { type: 'json_object' } } },
    ],
    ['[resp.text.verbosity:through]', 'chat', { verbosity: 'high' }, { text: { verbosity: 'high' } }],
    ['[resp.reasoning.effort:through]', 'chat', { reasoning_effort: 'xhigh' }, { reasoning: { effort: 'xhigh' } }],
    [
      '[resp.reasoning.effort:through] [resp.reasoning.summary:through]',
      'genai',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW', includeThoughts: true } } },
      { reasoning: { effort: 'low', summary: 'auto' } },
    ],
    [
      '[resp.reasoning.effort:through]',
      'messages',
      { thinking: { type: 'disabled' } },
      { reasoning: { effort: 'none' } },
    ],
  ])('%s is written for %s %j', (_row, from, members, expected) => {
    const { body, losses } = sendToResponses(from, members)
    expect(body).toMatchObject({ ...expected, store: false })
    expect(losses).toEqual([])
  })

  it.each<readonly [string, JsonObject, JsonObject, string]>([
    [
      '[resp.max_output_tokens:through]',
      { max_completion_tokens: 5 },
      { max_output_tokens: 16 },
      'max_completion_tokens',
    ],
    ['[resp.temperature:through]', { temperature: 7.5 }, { temperature: 2 }, 'temperature'],
  ])('%s is within what OpenAI takes: %j', (_row, members, expected, path) => {
    const { body, losses } = sendToResponses('chat', members)
    expect(body).toMatchObject(expected)
    expect(losses).toEqual([`changed ${path}`])
  })

  it('[resp.safety_identifier:through] is hashed if OpenAI would refuse it, reported', () => {
    const { body, losses } = sendToResponses('messages', { metadata: { user_id: 'a'.repeat(65) } })
    expect(body['safety_identifier']).toMatch(/^[0-9a-f]{1,64}$/)
    expect(losses).toEqual(['changed metadata.user_id'])
  })
})
