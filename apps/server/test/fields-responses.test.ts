import { describe, expect, it } from 'vitest'
import { responses } from './endpoints.ts'
import { at, describeFields, MODELS, useEndpoint, type Field, type Wire } from './fields.ts'

const client = useEndpoint(responses)
const { answer, post, refused } = client

const schema = { type: 'object', properties: { count: { type: 'integer', minimum: 5 } }, required: ['count'] }
const format = (members: Wire): Wire => ({ text: { format: { type: 'json_schema', ...members } } })
const each = (member: string, ...values: readonly unknown[]): Wire[] => values.map((value) => ({ [member]: value }))
const wrong = (member: string, ...values: readonly unknown[]): [Wire, string][] =>
  each(member, ...values).map((members) => [members, member])
const pairs = (count: number): Wire =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'value']))

const FIELDS: Field[] = [
  { title: '[resp.model:in] required', bad: wrong('model', undefined, null, '', 5) },
  {
    title: '[resp.instructions:in] a text or null',
    good: each('instructions', 'Be brief.', null),
    bad: wrong('instructions', 5, ['Be brief.']),
  },
  {
    title: '[resp.max_output_tokens:in] an integer or null',
    good: each('max_output_tokens', null, 100),
    bad: wrong('max_output_tokens', 0, 1.5, '100'),
  },
  {
    title: '[resp.temperature:in] from 0 to 2',
    good: each('temperature', 0, 2, null),
    bad: wrong('temperature', -0.1, 2.1, 'hot'),
  },
  { title: '[resp.top_p:in] a number', good: each('top_p', 0.1, 1, null), bad: wrong('top_p', '1') },
  {
    title: '[resp.top_logprobs:in] up to 20',
    good: each('top_logprobs', 0, null),
    bad: wrong('top_logprobs', 21, -1, 0.5, 'many'),
  },
  {
    title: '[resp.metadata:in] up to 16 pairs of texts',
    good: each('metadata', pairs(16), {}, null),
    bad: wrong('metadata', pairs(17), { key: 1 }, 'a', ['a']),
  },
  {
    title: '[resp.safety_identifier:in] a text, also as user',
    good: [...each('safety_identifier', 'ann', null), ...each('user', 'ann', null)],
    bad: [...wrong('safety_identifier', 5), ...wrong('user', 5)],
  },
  {
    title: '[resp.text.format:in] text, JSON, or JSON of a schema',
    good: [
      ...each('text', {}, null, { format: null }, { format: { type: 'text' } }, { format: { type: 'json_object' } }),
      format({ name: 'count_1-A', schema, strict: null, description: 'A count.' }),
      format({ name: 'a'.repeat(64), schema, strict: true }),
    ],
    bad: [
      ...wrong('text', 'json', { format: 'json' }, { format: { type: 5 } }),
      ...['a'.repeat(65), 'no spaces', '', 'dots.too', 5].map((name): [Wire, string] => [
        format({ name, schema }),
        'text.format.name',
      ]),
      [format({ schema }), 'text.format.name'],
      [format({ name: 'a', schema: 'any' }), 'text.format.schema'],
      [format({ name: 'a', schema, strict: 'yes' }), 'text.format.strict'],
    ],
    unknown: [[{ text: { format: { type: 'xml' } } }, 'text.format.type']],
  },
  {
    title: '[resp.text.verbosity:in] a word',
    good: ['low', 'medium', 'high', null].map((verbosity) => ({ text: { verbosity } })),
    bad: [[{ text: { verbosity: 3 } }, 'text.verbosity']],
  },
  {
    title: '[resp.reasoning.effort:in] a word',
    good: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', null].map((effort) => ({
      reasoning: { effort },
      max_output_tokens: 20_000,
    })),
    bad: [[{ reasoning: { effort: 3 } }, 'reasoning.effort'], ...wrong('reasoning', 'high')],
  },
  {
    title: '[resp.reasoning.summary:in] a word',
    good: ['auto', 'concise', 'detailed', null].map((summary) => ({ reasoning: { summary } })),
    bad: [[{ reasoning: { summary: true } }, 'reasoning.summary']],
  },
  {
    title: '[resp.reasoning.other:in] context, mode and the old summary',
    unknown: [
      [{ reasoning: { context: 'all_turns' } }, 'reasoning.context'],
      [{ reasoning: { mode: 'pro' } }, 'reasoning.mode'],
      [{ reasoning: { generate_summary: 'auto' } }, 'reasoning.generate_summary'],
    ],
  },
  {
    title: '[resp.include:in] words',
    good: each('include', [], null, ['reasoning.encrypted_content'], ['message.output_text.logprobs']),
    bad: wrong('include', 'reasoning.encrypted_content', [5]),
    unknown: [[{ include: ['file_search_call.results'] }, 'include']],
  },
  {
    title: '[resp.prompt_cache_key:in] a text',
    bad: wrong('prompt_cache_key', 5),
    unknown: [[{ prompt_cache_key: 'key' }, 'prompt_cache_key', 'sim/chat-1']],
  },
  {
    title: '[resp.prompt_cache_options:in] of two generations',
    unknown: [
      [{ prompt_cache_options: { ttl: '30m' } }, 'prompt_cache_options', 'sim/chat-1'],
      [{ prompt_cache_retention: '24h' }, 'prompt_cache_retention', 'sim/chat-1'],
    ],
  },
  {
    title: '[resp.service_tier:in] [resp.truncation:in] what changes nothing',
    good: [...each('service_tier', 'auto', null), ...each('truncation', 'disabled', null)],
    unknown: [
      [{ service_tier: 'scale' }, 'service_tier', 'sim/chat-1'],
      [{ truncation: 'auto' }, 'truncation'],
    ],
  },
  {
    title: '[resp.context_management:in] [resp.max_tool_calls:in] [resp.stream_options:in] for Responses',
    good: each('stream_options', { include_obfuscation: false }, {}, null),
    bad: [[{ stream_options: { include_obfuscation: 'no' } }, 'stream_options.include_obfuscation']],
    unknown: [
      [{ context_management: [{ type: 'compaction', compact_threshold: 1000 }] }, 'context_management'],
      [{ max_tool_calls: 3 }, 'max_tool_calls'],
    ],
  },
  {
    title: '[resp.leftovers:in] and unknown members',
    unknown: ['moderation', 'access_programs', 'image', 'client_metadata', 'presence_penalty', 'of_the_future'].map(
      (member): [Wire, string] => [{ [member]: 'a' }, member],
    ),
  },
]

describe('a field of Responses', () => {
  describeFields(client, FIELDS)

  it.each(MODELS)('[resp.text.format:in] [resp.reasoning.effort:in] decides what %s answers', async (model) => {
    const json = await answer(format({ name: 'count', schema, strict: true }), { model })
    expect(texts(json)).toEqual(['{"count":5}'])
    const thoughts = async (reasoning: Wire): Promise<boolean> =>
      JSON.stringify((await answer({ reasoning, max_output_tokens: 20_000 }, { model }))['output']).includes(
        'summary_text',
      )
    expect(await thoughts({ effort: 'low', summary: 'auto' })).toBe(true)
    expect(await thoughts({ effort: 'none' })).toBe(false)
  })

  it.each(MODELS)('[resp.max_output_tokens:in] cuts the answer of %s', async (model) => {
    const cut = await answer({ max_output_tokens: 16 }, { model })
    expect(cut).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  })

  it.each(MODELS)('[resp.instructions:in] [resp.model:in] are read by %s', async (model) => {
    const tokens = async (members: Wire): Promise<number> => {
      const answered = await answer(members, { model })
      expect(answered['model']).toContain(model.slice(4))
      return Number(at(answered, 'usage', 'input_tokens'))
    }
    expect((await tokens({ instructions: 'Be brief. '.repeat(20) })) - (await tokens({}))).toBeGreaterThan(40)
  })

  it('[resp.model:in] of an unknown name is not found', async () => {
    const unknown = await post({ model: 'sim/nobody-1' })
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { message: expect.stringContaining('sim/nobody-1') as string, code: 'model_not_found' } },
    ])
  })

  it('[resp.nulls] takes null for every member that is not required', async () => {
    const members = Object.fromEntries(NULLABLE.map((member) => [member, null]))
    for (const model of MODELS) {
      const answered = await post({ ...members, text: {}, include: [], tools: [], metadata: {} }, { model })
      expect([model, answered.status]).toEqual([model, 200])
    }
    await refused({ input: null }, 'input')
  })
})

const NULLABLE = [
  'instructions',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'reasoning',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'stream_options',
  'prompt_cache_key',
  'prompt_cache_options',
  'safety_identifier',
  'user',
  'service_tier',
  'store',
  'previous_response_id',
  'conversation',
  'background',
  'prompt',
  'truncation',
  'context_management',
]

function texts(body: Wire): unknown[] {
  return (body['output'] as Wire[]).flatMap((item) => at(item, 'content', 0, 'text') ?? [])
}
