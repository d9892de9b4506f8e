import { describe, expect, it } from 'vitest'
import { chat } from './endpoints.ts'
import { at, describeFields, MODELS, useEndpoint, type Wire } from './fields.ts'

const client = useEndpoint(chat)
const { answer, refused, post, stream } = client

const user = { role: 'user', content: 'Use get_weather for Rome.' }
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]
const schema = { type: 'object', properties: { count: { type: 'integer', minimum: 5 } }, required: ['count'] }
const format = (members: Wire): Wire => ({ response_format: { type: 'json_schema', json_schema: members } })
const message = (body: Wire): Wire => at(body, 'choices', 0, 'message') as Wire
const finish = (body: Wire): unknown => at(body, 'choices', 0, 'finish_reason')
const says = (...messages: Wire[]): Wire => ({ messages })

describe.each(MODELS)('a response of %s to chat', (model) => {
  it('[chat.response_format:in] has the requested format', async () => {
    const json = await answer(format({ name: 'count_1-A', schema, strict: true, description: 'A count.' }), { model })
    expect(message(json)['content']).toBe('{"count":5}')
    const any = await post({ response_format: { type: 'json_object' } }, { model })
    const content = String(message((await any.json()) as Wire)['content'])
    // A protocol that cannot request JSON without a schema must report that.
    const told = model === 'sim/messages-1' ? any.headers.get('x-dragoman-losses') : content
    expect(told).toMatch(/^\{"answer":".*\}$|dropped response_format/)
    const plain = await answer({ response_format: { type: 'text' } }, { model })
    expect(message(plain)['content']).toMatch(/^Hello from/)
    await answer(format({ name: 'a'.repeat(64), schema }), { model })
  })

  it('[chat.reasoning_effort:in] [chat.reasoning:in] shows its reasoning if requested', async () => {
    const thoughts = async (members: Wire): Promise<unknown> =>
      message(await answer({ max_completion_tokens: 20_000, ...members }, { model }))['reasoning']
    for (const reasoning_effort of ['minimal', 'low', 'medium', 'high', 'xhigh'])
      expect(await thoughts({ reasoning_effort })).toMatch(/^The user said/)
    for (const reasoning of [{ enabled: true }, { effort: 'low' }, { max_tokens: 2000 }])
      expect(await thoughts({ reasoning })).toMatch(/^The user said/)
    expect(await thoughts({ reasoning_effort: 'none' })).toBeUndefined()
    expect(await thoughts({ reasoning: { enabled: false } })).toBeUndefined()
    expect(await thoughts({ reasoning: { effort: 'high', exclude: true } })).toBeUndefined()
    expect(await thoughts({})).toBeUndefined()
  })

  it('[chat.res:in] has the members that the SDK types, and the reasoning twice', async () => {
    const body = await answer({ reasoning_effort: 'low' }, { model })
    expect(body).toMatchObject({
      id: expect.any(String) as string,
      object: 'chat.completion',
      created: expect.any(Number) as number,
      model: expect.stringContaining(model.slice(4)) as string,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant' } }],
    })
    expect(message(body)['reasoning']).toBe(message(body)['reasoning_content'])
    const { prompt_tokens, completion_tokens, total_tokens } = body['usage'] as Record<string, number>
    expect(total_tokens).toBe((prompt_tokens ?? 0) + (completion_tokens ?? 0))
    expect(finish(await answer({ max_completion_tokens: 2 }, { model }))).toBe('length')
    expect(finish(await answer({ ...says(user), tools }, { model }))).toBe('tool_calls')
    const declined = await answer(says({ role: 'user', content: '[[refuse]] Hello' }), { model })
    expect(finish(declined)).toBe('content_filter')
    expect(JSON.stringify(message(declined))).toContain('I would rather not')
  })

  it('[err.moderation] reports that the prompt was blocked', async () => {
    const blocked = says({ role: 'user', content: '[[block]] Hello' })
    expect(finish(await answer(blocked, { model }))).toBe('content_filter')
    expect(await stream(blocked, { model })).toContain('"finish_reason":"content_filter"')
  })

  it('[chat.role.tool:in] [chat.role.assistant:in] accepts results by the id of their call', async () => {
    const asked = await answer({ ...says(user), tools, reasoning_effort: 'low' }, { model })
    const id = at(message(asked), 'tool_calls', 0, 'id')
    const history = (result: Wire): Wire => ({
      ...says(user, message(asked), { role: 'tool', ...result }),
      tools,
      reasoning_effort: 'low',
    })
    for (const content of ['warm', [{ type: 'text', text: 'warm' }]]) {
      const told = message(await answer(history({ tool_call_id: id, content, name: 'get_weather' }), { model }))
      expect(told['content']).toBe('Here is what I found. get_weather says: warm')
      expect(told['reasoning']).toContain('came back sealed')
    }
    const [first] = at(message(asked), 'reasoning_details') as Wire[]
    const forged = { ...message(asked), reasoning_details: [{ ...first, signature: 'simseal0forged00' }] }
    const answered = await post(
      { ...says(user, forged, { role: 'tool', tool_call_id: id, content: 'warm' }), tools, reasoning_effort: 'low' },
      { model },
    )
    // A signature without an issuer belongs to this protocol. Its issuer refuses it and is called again without it; others never see it.
    expect(answered.status).toBe(200)
    expect(answered.headers.get('x-dragoman-losses')).toContain('dropped messages[1].reasoning_details[0]')
  })

  it('[chat.role.function:in] [chat.role.assistant:in] accepts the result of an old function call by its name', async () => {
    const function_call = { name: 'get_weather', arguments: '{"city":"Rome"}' }
    const told = await answer(
      {
        ...says(
          user,
          { role: 'assistant', content: null, function_call },
          { role: 'function', name: 'get_weather', content: 'warm' },
        ),
        tools,
      },
      { model },
    )
    expect(message(told)['content']).toBe('Here is what I found. get_weather says: warm')
  })
})

describe('a request to chat', () => {
  describeFields(client, [
    {
      title: '[chat.response_format:in] of another kind',
      unknown: [[{ response_format: { type: 'xml' } }, 'response_format.type']],
    },
  ])

  it('[chat.response_format:in] is refused for an invalid format', async () => {
    await refused({ response_format: { type: 5 } }, 'response_format')
    await refused({ response_format: 'json' }, 'response_format')
    for (const name of ['a'.repeat(65), 'no spaces', '', 'dots.too'])
      await refused(format({ name, schema }), 'response_format.json_schema.name')
    await refused(format({ name: 'a', schema: 'any' }), 'response_format.json_schema.schema')
    await refused(format({ name: 'a', schema, strict: 'yes' }), 'response_format.json_schema.strict')
  })

  it('[chat.reasoning_effort:in] [chat.reasoning:in] is refused for invalid reasoning options', async () => {
    await refused({ reasoning_effort: 3 }, 'reasoning_effort')
    await refused({ reasoning: 'high' }, 'reasoning')
    await refused({ reasoning: { enabled: 'yes' } }, 'reasoning.enabled')
    await refused({ reasoning: { max_tokens: 'many' } }, 'reasoning.max_tokens')
    await refused({ reasoning: { exclude: 1 } }, 'reasoning.exclude')
  })

  it.each(['sim/messages-1', 'sim/genai-1'])(
    '[chat.role.tool:in] [chat.role.function:in] is refused for a result without its call, before %s',
    async (model) => {
      await refused(says(user, { role: 'tool', tool_call_id: 'call_9', content: 'warm' }), 'messages', { model })
    },
  )

  it('[chat.role.tool:in] [chat.role.function:in] is refused for an invalid result', async () => {
    await refused(says(user, { role: 'tool', content: 'warm' }), 'messages.1.tool_call_id')
    await refused(says(user, { role: 'tool', tool_call_id: 'call_1', content: 5 }), 'messages.1.content')
    await refused(says(user, { role: 'function', content: 'warm' }), 'messages.1.name')
  })
})
