import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../../../test/untyped.ts'
import type { JsonObject } from '../../lib/json.ts'
import { translate, type TranslateOptions, type Translation } from '../translate.ts'

const reported = ({ losses }: Translation): string[] => losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
const lost = (translation: Translation): string[] => reported(translation).filter((entry) => !entry.startsWith('added'))
const turnsOf = ({ body }: Translation): { role: string; parts: JsonObject[] }[] =>
  body['contents'] as { role: string; parts: JsonObject[] }[]
const hello = { role: 'user', content: 'hello' }

const call = (id: string, name = 'look', input: JsonObject = {}) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: string | JsonObject[] = `for ${id}`, more: JsonObject = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const fromMessages = (conversation: JsonObject[], options: TranslateOptions = {}) =>
  translate(messages, genai, { model: 'm', max_tokens: 99, messages: conversation }, options)
const fromChat = (conversation: JsonObject[], options: TranslateOptions = {}) =>
  translate(chat, genai, { model: 'm', messages: conversation }, options)
const fromGenai = (contents: JsonObject[], to = messages) => translate(genai, to, { contents }, { model: 'm' })

const asked = { parts: [{ text: 'a' }] }
const calling = (...parts: JsonObject[]) => ({ role: 'model', parts })
const answering = (...parts: JsonObject[]) => ({ role: 'user', parts })

describe('a function call', () => {
  it('keeps its id, name and arguments [genai.part.functionCall:through]', () => {
    const contents = [
      asked,
      calling({ functionCall: { id: 'c1', name: 'look', args: { a: 1 } } }),
      answering({ functionResponse: { id: 'c1', name: 'look', response: { b: 2 } } }),
    ]
    expect(fromGenai(contents).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '{"b":2}' }] },
    ])
    expect(fromGenai(contents, chat).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"b":2}' },
    ])
    expect(turnsOf(fromGenai(contents, genai))).toEqual([{ role: 'user', ...asked }, ...contents.slice(1)])
  })

  it('has no id if it had none, and gets a matching one if one is needed [genai.part.functionCall:through]', () => {
    const contents = [
      asked,
      calling({ functionCall: { name: 'look' } }, { functionCall: { name: 'find', args: {} } }),
      answering(
        { functionResponse: { name: 'find', response: {} } },
        { functionResponse: { name: 'look', response: {} } },
      ),
    ]
    expect(turnsOf(fromGenai(contents, genai))[1]?.parts).toEqual([
      { functionCall: { name: 'look', args: {} } },
      { functionCall: { name: 'find', args: {} } },
    ])
    const [, uses, results] = fromGenai(contents).body['messages'] as {
      content: { id: string; name: string; tool_use_id: string }[]
    }[]
    const [look, find] = uses?.content ?? []
    expect(results?.content.map(({ tool_use_id }) => tool_use_id)).toEqual([find?.id, look?.id])
  })

  it('has an object for arguments, whatever the input (traps 24 and 40)', () => {
    const calls = ['', '{"a":1}', 'no json'].map((text, index) => ({
      id: `c${index}`,
      type: 'function',
      function: { name: 'look', arguments: text },
    }))
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'x' }))
    const translation = fromChat([hello, { role: 'assistant', content: null, tool_calls: calls }, ...results])
    expect(turnsOf(translation)[1]?.parts.map(({ functionCall }) => (functionCall as JsonObject)['args'])).toEqual([
      {},
      { a: 1 },
      { text: 'no json' },
    ])
    expect(lost(translation)).toEqual(['changed messages.1.parts.2.arguments'])
  })

  it('keeps the names of tools that genai would refuse, mapped and mapped back (trap 29)', () => {
    const name = 'mcp:server/tool'
    const translation = fromMessages([
      hello,
      { role: 'assistant', content: [call('c1', name)] },
      { role: 'user', content: [result('c1')] },
    ])
    const [, calls, results] = turnsOf(translation)
    expect(calls?.parts[0]?.['functionCall']).toMatchObject({ name: 'mcp_server_tool' })
    expect(results?.parts[0]?.['functionResponse']).toMatchObject({ name: 'mcp_server_tool' })
    const { body } = translation.response({
      candidates: [
        { content: { parts: [{ functionCall: { name: 'mcp_server_tool', args: {} } }] }, finishReason: 'STOP' },
      ],
    })
    expect(body['content']).toMatchObject([{ type: 'tool_use', name }])
  })
})

describe('the result of a function', () => {
  it('has the name of its call, and as many as there were calls (trap 12) [genai.part.functionResponse:through]', () => {
    const translation = fromChat([
      hello,
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({
          id,
          type: 'function',
          function: { name: `tool_${id}`, arguments: '{}' },
        })),
      },
      { role: 'tool', tool_call_id: 'b', content: 'second' },
      { role: 'tool', tool_call_id: 'a', content: 'first' },
    ])
    expect(turnsOf(translation)[2]).toEqual({
      role: 'user',
      parts: [
        { functionResponse: { id: 'b', name: 'tool_b', response: { output: 'second' } } },
        { functionResponse: { id: 'a', name: 'tool_a', response: { output: 'first' } } },
      ],
    })
    expect(reported(translation)).toEqual(['added messages.2.parts.0.name', 'added messages.2.parts.1.name'])
  })

  it('is plain text, an error or an object, in both directions [genai.part.functionResponse:through]', () => {
    const contents = (response: JsonObject) => [
      asked,
      calling({ functionCall: { id: 'c', name: 'f' } }),
      answering({ functionResponse: { id: 'c', name: 'f', response } }),
    ]
    const there = (response: JsonObject) =>
      (fromGenai(contents(response)).body['messages'] as { content: JsonObject[] }[])[2]?.content[0]
    expect(there({ output: 'done' })).toEqual({ type: 'tool_result', tool_use_id: 'c', content: 'done' })
    expect(there({ error: 'no' })).toEqual({ type: 'tool_result', tool_use_id: 'c', content: 'no', is_error: true })
    expect(there({ output: 5 })).toEqual({ type: 'tool_result', tool_use_id: 'c', content: '{"output":5}' })
    for (const response of [
      { output: 'done' },
      { error: 'no' },
      { error: { code: 5 } },
      { output: '' },
      { a: 1, error: 'x' },
      {},
    ]) {
      expect(turnsOf(fromGenai(contents(response), genai))[2]?.parts).toEqual([
        { functionResponse: { id: 'c', name: 'f', response } },
      ])
    }
    const back = fromMessages([
      hello,
      { role: 'assistant', content: [call('c')] },
      { role: 'user', content: [result('c', 'broken', { is_error: true })] },
    ])
    expect(turnsOf(back)[2]?.parts[0]?.['functionResponse']).toMatchObject({ response: { error: 'broken' } })
  })

  it('keeps scheduling and its other members for genai [genai.part.functionResponse:through]', () => {
    const part = {
      functionResponse: {
        id: 'c',
        name: 'f',
        response: { a: 1 },
        scheduling: 'SILENT',
        willContinue: false,
        parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      },
    }
    const contents = [asked, calling({ functionCall: { id: 'c', name: 'f', args: {} } }), answering(part)]
    expect(turnsOf(fromGenai(contents, genai))[2]?.parts).toEqual([part])
    expect(lost(fromGenai(contents))).toEqual(
      expect.arrayContaining([
        'dropped messages.2.parts.0.extras.genai.functionResponse.scheduling',
        'dropped messages.2.parts.0.extras.genai.functionResponse.willContinue',
      ]),
    )
  })

  it('sends its images to the model (trap 20)', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const conversation = [
      hello,
      { role: 'assistant', content: [call('c')] },
      { role: 'user', content: [result('c', [{ type: 'text', text: 'see' }, image])] },
    ]
    const inside = fromMessages(conversation)
    expect(turnsOf(inside)[2]?.parts).toEqual([
      {
        functionResponse: {
          id: 'c',
          name: 'look',
          response: { output: 'see' },
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
      },
    ])
    expect(lost(inside)).toEqual([])
    const beside = fromMessages(conversation, { dialect: { resultMedia: 'turn' } })
    expect(turnsOf(beside)[2]?.parts).toEqual([
      { functionResponse: { id: 'c', name: 'look', response: { output: 'see' } } },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    ])
    expect(lost(beside)).toEqual(['moved messages.2.parts.0.output.parts.1'])
  })

  it('comes first in its turn, together with the others (traps 9 and 10)', () => {
    const translation = fromMessages([
      hello,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [{ type: 'text', text: 'so' }, result('a')] },
      { role: 'user', content: [result('b')] },
    ])
    expect(turnsOf(translation)[2]?.parts.map((part) => Object.keys(part)[0])).toEqual([
      'functionResponse',
      'functionResponse',
      'text',
    ])
  })

  it('of the deprecated function role is a normal result', () => {
    const body = genai.request.check({
      contents: [
        asked,
        calling({ functionCall: { name: 'f', args: {} } }),
        { role: 'function', parts: [{ functionResponse: { name: 'f', response: { a: 1 } } }] },
      ],
    })
    expect(translate(genai, chat, body, { model: 'm' }).body['messages']).toMatchObject([
      {},
      {},
      { role: 'tool', content: '{"a":1}' },
    ])
  })
})

describe('a thought signature', () => {
  const signed = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'c2lnbmF0dXJl' }
  const answer = {
    candidates: [{ content: { role: 'model', parts: [{ text: 'hm', thought: true }, signed] }, finishReason: 'STOP' }],
  }

  it('returns on its call through a messages client that sends back everything (traps 5 and 6) [genai.part.thought:through]', () => {
    const first = translate(messages, genai, { model: 'm', max_tokens: 99, messages: [hello] })
    const { content } = first.response(answer).body as { content: JsonObject[] }
    const use = content.find(({ type }) => type === 'tool_use') as { id: string }
    const second = fromMessages([hello, { role: 'assistant', content }, { role: 'user', content: [result(use.id)] }])
    expect(turnsOf(second)[1]?.parts).toEqual([
      { text: 'hm', thought: true },
      { ...signed, functionCall: { ...signed.functionCall, id: expect.any(String) as string } },
    ])
  })

  it.each([
    ['messages', messages],
    ['chat', chat],
  ] as const)(
    'returns through a %s client that sends back only the id of the call (trap 5) [genai.part.thought:through]',
    (_name, protocol) => {
      const first = translate(protocol, genai, { model: 'm', max_tokens: 99, messages: [hello] })
      const { body } = first.response(answer)
      const id = /dg1_[\w-]+/.exec(JSON.stringify(body))?.[0] ?? ''
      const second =
        protocol === messages
          ? fromMessages([hello, { role: 'assistant', content: [call(id)] }, { role: 'user', content: [result(id)] }])
          : fromChat([
              hello,
              {
                role: 'assistant',
                content: null,
                tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
              },
              { role: 'tool', tool_call_id: id, content: 'x' },
            ])
      expect(turnsOf(second)[1]?.parts).toMatchObject([{ thoughtSignature: signed.thoughtSignature }])
    },
  )

  it('is plain in its own protocol, also beside an empty text [genai.part.thought:through] (trap 2)', () => {
    const parts = [
      { text: 'hm \ud83d', thought: true, thoughtSignature: 'YQ==' },
      { text: '', thoughtSignature: 'Yg==' },
      { text: '', thought: true, thoughtSignature: 'Yw==' },
    ]
    expect(turnsOf(fromGenai([asked, calling(...parts)], genai))[1]?.parts).toEqual(parts)
  })

  it('of another issuer passes through a genai client, and is sent only to its issuer (trap 3) [genai.part.thought:through]', () => {
    const first = translate(genai, messages, { contents: [asked] }, { model: 'm' })
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'text', text: 'yes' },
    ]
    const { candidates } = first.response({ content, stop_reason: 'end_turn' }).body as {
      candidates: { content: { parts: JsonObject[] } }[]
    }
    const history = [asked, candidates[0]?.content ?? {}, answering({ text: 'more' })]
    expect((fromGenai(history).body['messages'] as JsonObject[])[1]).toEqual({ role: 'assistant', content })
    const elsewhere = fromGenai(history, genai)
    expect(turnsOf(elsewhere)[1]?.parts).toEqual([{ text: 'yes' }])
    expect(reported(elsewhere)).toEqual(['dropped messages.1.parts.0', 'dropped messages.1.parts.1'])
    expect(genai.relay.obstacle({ contents: history }, {})).toBe('the history holds state of another model')
    expect(genai.relay.obstacle({ contents: [asked, calling(signed)] }, {})).toBeUndefined()
  })

  it('is found again for clients that keep the chunks of a stream as separate turns (traps 1 and 5) [genai.part.thought:through]', () => {
    const seal = btoa('dg1.anthropic.self.sig')
    const chunks = [
      { text: 'h', thought: true },
      { text: 'm', thought: true },
      { text: '', thought: true, thoughtSignature: seal },
      { text: 'ye' },
      { text: 's' },
      { functionCall: { id: 'a', name: 'f', args: {} } },
      { functionCall: { id: 'b', name: 'f', args: {} } },
      { text: '' },
    ]
    const results = ['a', 'b'].map((id) => ({ functionResponse: { id, name: 'f', response: { output: id } } }))
    const there = fromGenai([asked, ...chunks.map((chunk) => calling(chunk)), answering(...results)])
    expect((there.body['messages'] as JsonObject[])[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'yes' },
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
        { type: 'tool_use', id: 'b', name: 'f', input: {} },
      ],
    })
    expect(lost(there)).toEqual(['dropped messages.2.parts.0.name', 'dropped messages.2.parts.1.name'])
  })

  it('that was lost is replaced by the documented placeholder, if the card requires it (trap 5)', () => {
    const conversation = [
      hello,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a'), result('b')] },
    ]
    const required = fromMessages(conversation, { dialect: { signatures: 'required' } })
    const parts = turnsOf(required)[1]?.parts
    expect(parts?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ])
    expect(required.losses).toContainEqual({
      kind: 'added',
      path: ['messages', 1, 'parts', 0, 'extras'],
      to: { genai: { thoughtSignature: 'skip_thought_signature_validator' } },
      reason: expect.any(String) as string,
      code: 'added-vendor-member',
      wirePath: 'messages[1].content[0]',
    })
    expect(turnsOf(fromMessages(conversation))[1]?.parts[0]).not.toHaveProperty('thoughtSignature')
  })

  it('that a client replaced by a placeholder is not a seal, and is kept for genai', () => {
    const lostOne = { ...signed, thoughtSignature: 'skip_thought_signature_validator' }
    const contents = [asked, calling(lostOne), answering({ functionResponse: { name: 'look', response: {} } })]
    expect(turnsOf(fromGenai(contents, genai))[1]?.parts).toEqual([lostOne])
    expect(JSON.stringify(fromGenai(contents).body)).not.toContain('skip_thought')
  })
})

describe('tools', () => {
  const schema = { type: 'object', properties: { a_b: { type: 'string' } }, $schema: 'x', additionalProperties: false }
  const send = (members: JsonObject, to = genai, options: TranslateOptions = {}) =>
    translate(genai, to, genai.request.check({ contents: [{ parts: [{ text: 'a' }] }], ...members }), {
      model: 'm',
      ...options,
    })

  it('are declared in either dialect, and reach every upstream [genai.tools:through]', () => {
    const tools = [
      {
        functionDeclarations: [
          { name: 'f', description: 'd', parametersJsonSchema: schema },
          { name: 'g', parameters: { type: 'OBJECT', properties: { a_b: { type: 'STRING' } } } },
        ],
      },
    ]
    expect(send({ tools }).body['tools']).toEqual(tools)
    expect(send({ tools }, messages).body['tools']).toEqual([
      { name: 'f', description: 'd', input_schema: schema },
      { name: 'g', input_schema: { type: 'object', properties: { a_b: { type: 'string' } } } },
    ])
    expect(send({ tools }, chat).body['tools']).toMatchObject([
      { function: { name: 'f', parameters: schema } },
      { function: { name: 'g' } },
    ])
    expect(lost(send({ tools }, chat))).toEqual(['changed tools.1.schema'])
  })

  it('of the upstream are kept, converted, or reported [genai.tools:through]', () => {
    const tools = [
      { googleSearch: {} },
      { codeExecution: {} },
      { urlContext: {} },
      { retrieval: { vertexAiSearch: { datastore: 'd' } } },
    ]
    expect(send({ tools }).body['tools']).toEqual(tools)
    const there = send({ tools }, messages)
    expect(there.body['tools']).toEqual([{ type: 'web_search_20250305', name: 'web_search' }])
    expect(lost(there)).toEqual(['changed tools.0', 'dropped tools.1', 'dropped tools.2', 'dropped tools.3'])
    const back = translate(messages, genai, {
      model: 'm',
      max_tokens: 9,
      messages: [hello],
      tools: [
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124', name: 'bash' },
      ],
    })
    expect(back.body['tools']).toEqual([{ googleSearch: {} }])
    expect(reported(back)).toEqual(['changed tools.0', 'dropped tools.1'])
  })

  it('have schemas that an older upstream accepts: equivalents if possible, the rest reported (trap 21) [genai.tools:through]', () => {
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        $ref: { type: 'string' },
        count: { type: 'integer', exclusiveMinimum: 0 },
        kind: { const: 'a' },
        maybe: { type: ['string', 'null'], default: 'x' },
        tree: { $ref: '#/$defs/node' },
      },
      additionalProperties: false,
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const translation = translate(
      chat,
      genai,
      { model: 'm', messages: [hello], tools: [{ type: 'function', function: { name: 'f', parameters } }] },
      { dialect: { schema: 'openapi' } },
    )
    expect(translation.body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            parameters: {
              type: 'OBJECT',
              properties: {
                $ref: { type: 'STRING' },
                count: { type: 'INTEGER', minimum: 1 },
                kind: { type: 'STRING', enum: ['a'] },
                maybe: { type: 'STRING', nullable: true },
                tree: { type: 'OBJECT', properties: { next: { type: 'OBJECT' } } },
              },
            },
          },
        ],
      },
    ])
    const [loss] = translation.losses
    for (const keyword of ['$schema', 'additionalProperties', 'properties.maybe.default', '$ref #/$defs/node'])
      expect(loss?.reason).toContain(keyword)
  })

  it('are chosen in four modes, some of them by name [genai.toolConfig:through]', () => {
    const tools = [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }]
    const choose = (functionCallingConfig: JsonObject, to = genai) =>
      send({ tools, toolConfig: { functionCallingConfig } }, to)
    for (const mode of ['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']) {
      expect(choose({ mode }).body['toolConfig']).toEqual({ functionCallingConfig: { mode } })
    }
    const named = { mode: 'ANY', allowedFunctionNames: ['f'] }
    expect(choose(named).body['toolConfig']).toEqual({ functionCallingConfig: named })
    expect(choose(named, messages).body['tool_choice']).toEqual({ type: 'tool', name: 'f' })
    expect(choose(named, chat).body['tool_choice']).toEqual({ type: 'function', function: { name: 'f' } })
    expect(choose({ mode: 'NONE' }, messages).body['tool_choice']).toEqual({ type: 'none' })
    expect(lost(choose({ mode: 'VALIDATED' }, chat))).toEqual(['changed toolChoice.mode'])
    expect(lost(choose({ mode: 'ANY', allowedFunctionNames: ['f', 'g'] }, messages))).toEqual([
      'dropped toolChoice.names',
    ])
    const forced = translate(chat, genai, {
      model: 'm',
      messages: [hello],
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: 'required',
      parallel_tool_calls: false,
    })
    expect(forced.body['toolConfig']).toEqual({ functionCallingConfig: { mode: 'ANY' } })
    expect(reported(forced)).toEqual(['dropped toolChoice.parallel'])
  })
})
