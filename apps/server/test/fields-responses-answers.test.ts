import { acceptResponsesResponse, acceptResponsesStream } from '@dragoman/testkit'
import { describe, expect, it } from 'vitest'
import { responses } from './endpoints.ts'
import { at, MODELS, useEndpoint, type Wire } from './fields.ts'

const { answer, stream, post, key } = useEndpoint(responses)

const weather = 'Use get_weather for Rome.'
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', name: 'get_weather', parameters, strict: null }]
const custom = { tools: [{ type: 'custom', name: 'apply' }], tool_choice: { type: 'custom', name: 'apply' } }
const reasoning = { effort: 'low', summary: 'auto' }

/** The events of a stream that every client can read: the strict double has accepted it. */
function eventsOf(text: string): Wire[] {
  acceptResponsesStream(text)
  return text
    .split('\n\n')
    .flatMap((frame) => (frame === '' ? [] : [JSON.parse(frame.replace(/^.*\ndata: /, '')) as Wire]))
}
const itemsOf = (body: Wire): Wire[] => body['output'] as Wire[]
const typesOf = (events: readonly Wire[]): string[] => [
  ...new Set(events.map(({ type }) => String(type).replace('response.', ''))),
]

describe.each(MODELS)('an answer of %s to Responses', (model) => {
  const ask = async (members: Wire): Promise<Wire> => {
    const body = await answer(members, { model })
    acceptResponsesResponse(body)
    return body
  }
  const events = async (members: Wire): Promise<Wire[]> => eventsOf(await stream(members, { model }))

  it('[resp.res:in] [resp.res.echo:in] [resp.res.status:in] [resp.res.usage:in] [resp.out.message:in] has its members', async () => {
    const body = await ask({ input: 'Hello', temperature: 0.5, metadata: { a: 'b' } })
    expect(body).toMatchObject({
      id: expect.any(String) as string,
      object: 'response',
      created_at: expect.any(Number) as number,
      model: expect.stringContaining(model.slice(4)) as string,
      status: 'completed',
      error: null,
      incomplete_details: null,
      store: false,
    })
    // A relayed answer has the echo of its upstream, and the simulator repeats only defaults.
    const echo =
      model === 'sim/responses-1' ? { temperature: 1, metadata: {} } : { temperature: 0.5, metadata: { a: 'b' } }
    expect(body).toMatchObject({ ...echo, tool_choice: 'auto', tools: [] })
    expect(itemsOf(body)).toMatchObject([
      {
        type: 'message',
        id: expect.stringMatching(/^msg_/) as string,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: expect.stringContaining('"Hello"') as string, annotations: [] }],
      },
    ])
    const { input_tokens, output_tokens, total_tokens } = body['usage'] as Record<string, number>
    expect([input_tokens, total_tokens]).toEqual([2, 2 + (output_tokens ?? 0)])
  })

  it('[resp.res.incomplete:in] [resp.res.status:in] [resp.event.incomplete:in] says that it was cut', async () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    expect(await ask({ max_output_tokens: 16 })).toMatchObject({ ...cut, output: [{ status: 'incomplete' }] })
    const last = (await events({ max_output_tokens: 16 })).at(-1)
    expect(last).toMatchObject({
      type: 'response.incomplete',
      response: { ...cut, output: [{ status: 'incomplete' }] },
    })
  })

  it('[resp.out.reasoning:in] [resp.out.function_call:in] has thoughts and calls', async () => {
    const items = itemsOf(await ask({ input: weather, tools, reasoning, max_output_tokens: 20_000 }))
    expect(items).toMatchObject([
      {
        type: 'reasoning',
        id: expect.stringMatching(/^rs_/) as string,
        summary: [{ type: 'summary_text' }],
        encrypted_content: expect.any(String) as string,
      },
      {
        type: 'function_call',
        id: expect.stringMatching(/^fc_/) as string,
        name: 'get_weather',
        arguments: '{"city":"example"}',
      },
    ])
  })

  it('[resp.out.custom_tool_call:in] [resp.event.custom_tool_call_input:in] has calls of custom tools', async () => {
    const [call] = itemsOf(await ask(custom))
    expect(call).toMatchObject({
      type: 'custom_tool_call',
      id: expect.stringMatching(/^ctc_/) as string,
      name: 'apply',
    })
    const all = await events(custom)
    const input = all
      .filter(({ type }) => type === 'response.custom_tool_call_input.delta')
      .map(({ delta }) => String(delta))
    expect(at(itemsOf(at(all.at(-1), 'response') as Wire), 0, 'input')).toBe(input.join(''))
    expect(typesOf(all)).toContain('custom_tool_call_input.done')
  })

  it('[resp.out.refusal:in] [resp.event.refusal:in] shows that the model declined', async () => {
    const refused = { input: '[[refuse]] Hello' }
    // Genai filters instead of declining: its words are a text, and the answer is incomplete.
    const kind = model === 'sim/genai-1' ? 'output_text' : 'refusal'
    expect(JSON.stringify(itemsOf(await ask(refused)))).toContain(`{"type":"${kind}"`)
    expect(typesOf(await events(refused))).toEqual(expect.arrayContaining([`${kind}.delta`, `${kind}.done`]))
  })

  it('[resp.out.annotations:in] [resp.event.annotation:in] cites', async () => {
    const annotation = { type: 'url_citation', url: 'https://sim.invalid/handbook' }
    const [message] = itemsOf(await ask({ input: '[[cite]] Hello' }))
    expect(at(message, 'content', 0, 'annotations')).toMatchObject([annotation])
    const all = await events({ input: '[[cite]] Hello' })
    expect(all.filter(({ type }) => type === 'response.output_text.annotation.added')).toMatchObject([{ annotation }])
  })

  it('[resp.event.created:in] [resp.event.output_item:in] [resp.event.content_part:in] [resp.event.output_text:in] [resp.event.completed:in] [resp.stream.numbers:in] streams text', async () => {
    const all = await events({ input: 'Hello' })
    expect(typesOf(all)).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ])
    expect(all.map(({ sequence_number }) => sequence_number)).toEqual([...all.keys()])
    const whole = itemsOf(await ask({ input: 'Hello' }))
    expect(at(all.at(-1), 'response', 'output', 0, 'content')).toEqual(at(whole, 0, 'content'))
    expect(at(all.at(-1), 'response', 'usage', 'total_tokens')).toBeGreaterThan(10)
  })

  it('[resp.event.reasoning_summary:in] [resp.event.function_call_arguments:in] streams thoughts and arguments', async () => {
    const all = await events({ input: weather, tools, reasoning, max_output_tokens: 20_000 })
    expect(typesOf(all)).toEqual(
      expect.arrayContaining([
        'reasoning_summary_part.added',
        'reasoning_summary_text.delta',
        'reasoning_summary_text.done',
        'reasoning_summary_part.done',
        'function_call_arguments.delta',
        'function_call_arguments.done',
      ]),
    )
    const json = all
      .filter(({ type }) => type === 'response.function_call_arguments.delta')
      .map(({ delta }) => String(delta))
    expect(JSON.parse(json.join(''))).toEqual({ city: 'example' })
  })

  it('[resp.event.failed:in] [resp.stream.end:in] [err.midstream] ends a broken stream with both events', async () => {
    const broken = await stream({ input: '[[cut]] Tell me a long story' }, { model })
    expect(broken).toMatch(/event: error\ndata: [^\n]+\n\nevent: response\.failed\ndata: [^\n]+\n\n$/)
    expect(broken).not.toContain('response.completed')
  })

  it('[resp.res.error:in] [resp.errors] has the status of an error, and its shape', async () => {
    const failed = await post({ input: '[[error 429]] Hello' }, { model })
    const { error } = (await failed.json()) as { error: Wire }
    expect([failed.status, error['type']]).toEqual([429, 'rate_limit_error'])
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
  })
})

describe('a search by the upstream', () => {
  it('[resp.out.web_search_call:in] [resp.event.web_search_call:in] is an item with its steps', async () => {
    const members = { input: '[[search]] Why?' }
    const [search] = itemsOf(await answer(members, { model: 'sim/messages-1' }))
    expect(search).toMatchObject({
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'Why?' },
    })
    const types = typesOf(eventsOf(await stream(members, { model: 'sim/messages-1' })))
    expect(types.filter((type) => type.startsWith('web_search_call.'))).toEqual([
      'web_search_call.in_progress',
      'web_search_call.searching',
      'web_search_call.completed',
    ])
  })
})

describe('the endpoint of Responses', () => {
  /** A call with the key of this server, at a path under the base that chat has too. */
  const call = async (path: string, body: Wire): Promise<{ readonly status: number; readonly answer: Wire }> => {
    const { url } = await post({})
    const answered = await fetch(url.replace(/\/responses$/, path), {
      method: 'POST',
      headers: responses.headers(key()),
      body: JSON.stringify(body),
    })
    return { status: answered.status, answer: (await answered.json()) as Wire }
  }
  const model = 'sim/messages-1'
  const messages = [{ role: 'user', content: 'Hello' }]

  it('[resp.base] is under the base of chat, and the most specific path gets the call', async () => {
    const ofResponses = await call('/responses', { model, input: 'Hello' })
    expect(ofResponses).toMatchObject({ status: 200, answer: { object: 'response', output: [{ type: 'message' }] } })
    const ofChat = await call('/chat/completions', { model, messages })
    expect(ofChat).toMatchObject({ status: 200, answer: { object: 'chat.completion', choices: [{ index: 0 }] } })
    const counted = await call('/responses/input_tokens', { model, input: 'Hello' })
    expect(counted).toMatchObject({ status: 200, answer: { object: 'response.input_tokens' } })
    expect(counted.answer).not.toHaveProperty('output')
  })

  it('[resp.base] takes its own bodies alone, and no other paths', async () => {
    expect(await call('/responses', { model, messages })).toMatchObject({
      status: 400,
      answer: { error: { param: 'input' } },
    })
    const other = await call('/chat/completions', { model, input: 'Hello' })
    expect(other).toMatchObject({ status: 400, answer: { error: { param: 'messages' } } })
    for (const path of ['/responses/nothing', '/responses/input_tokens/more', '/responsesx', '/chat/responses'])
      expect([path, (await call(path, { model, input: 'Hello' })).status]).toEqual([path, 404])
  })

  it.each<[string, Wire, number, Wire]>([
    ['an invalid member', { input: 5 }, 400, { type: 'invalid_request_error', param: 'input', code: null }],
    [
      'state',
      { previous_response_id: 'resp_1' },
      400,
      { type: 'invalid_request_error', param: 'previous_response_id' },
    ],
    ['an unknown model', { model: 'sim/none' }, 404, { code: 'model_not_found' }],
    ['a limit', { input: '[[error 429]]' }, 429, { type: 'rate_limit_error' }],
    ['a failure', { input: '[[error 500]]' }, 500, { type: 'server_error' }],
  ])(
    '[resp.errors] says %s with a status and the error of OpenAI, whole and streamed',
    async (_what, members, status, expected) => {
      for (const stream of [false, true]) {
        const failed = await post({ ...(members['model'] === undefined ? { model } : {}), ...members }, { stream })
        const { error, ...others } = (await failed.json()) as { error: Wire }
        expect([stream, failed.status, error]).toMatchObject([stream, status, expected])
        expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
        expect(others).toEqual({})
        expect(failed.headers.get('content-type')).toMatch(/^application\/json/)
      }
    },
  )

  it('[resp.errors] says 401 for a wrong key, as chat does', async () => {
    const headers = { ...responses.headers('sk-wrong') }
    const refused = await post({}, { headers })
    const chat = await fetch(refused.url.replace('/responses', '/chat/completions'), {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect([refused.status, chat.status]).toEqual([401, 401])
    const { error } = (await refused.json()) as { error: Wire }
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'type'])
    expect(await chat.json()).toEqual({ error })
  })
})
