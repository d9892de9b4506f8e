import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type Translation } from '../../src/protocols/translate.ts'

// Kinds and modes that a protocol may have tomorrow. What is kept and reported is a law (testkit); this is what the other side gets.
const hello = { role: 'user', content: 'hello' }
const look = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, wirePath }) => `${kind} ${wirePath}`)
const fromChat = (members: JsonObject) => {
  const body = chat.request.check({ model: 'm', max_completion_tokens: 99, messages: [hello], ...members })
  return { same: translate(chat, chat, body), other: translate(chat, messages, body) }
}
const fromMessages = (members: JsonObject) => {
  const body = messages.request.check({ model: 'm', max_tokens: 99, messages: [hello], ...members })
  return { same: translate(messages, messages, body), other: translate(messages, chat, body) }
}
const fromGenai = (members: JsonObject) => {
  const body = genai.request.check({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }], ...members })
  return { same: translate(genai, genai, body, { model: 'm' }), other: translate(genai, chat, body, { model: 'm' }) }
}

describe('toward another protocol', () => {
  it('a tool of an unknown kind is left out', () => {
    const tools = [look, { type: 'x_browser', x_browser: { size: 3 } }]
    const { same, other } = fromChat({ tools })
    expect(same.body['tools']).toEqual(tools)
    expect(same.losses).toEqual([])
    expect(other.body['tools']).toMatchObject([{ name: 'look' }])
    expect(reported(other)).toEqual(['dropped tools[1]'])
  })

  it.each(['x_mostly', { type: 'x_one_of', x_one_of: ['look'] }])(
    'the tool choice %j is left to the model',
    (choice) => {
      const { same, other } = fromChat({ tools: [look], tool_choice: choice })
      expect(same.body['tool_choice']).toEqual(choice)
      expect(other.body).not.toHaveProperty('tool_choice')
      expect(other.losses.map(({ kind }) => kind)).toContain('dropped')
      expect(reported(other).every((loss) => loss.startsWith('dropped tool_choice'))).toBe(true)
    },
  )

  it('the answer to a response format of an unknown kind is text', () => {
    const format = { type: 'x_grammar', x_grammar: 'root' }
    const { same, other } = fromChat({ response_format: format })
    expect(same.body['response_format']).toEqual(format)
    expect(other.body).toEqual({ model: 'm', max_tokens: 99, messages: [hello] })
    expect(reported(other).every((loss) => loss.startsWith('dropped response_format'))).toBe(true)
  })

  it('a part of an unknown kind is left out, in instructions and results too', () => {
    const part = { type: 'x_scene', x_scene: 1 }
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const history = [
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }, part] },
      { role: 'user', content: [{ type: 'text', text: 'hello' }, part] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'sky' }, part] },
    ]
    const { same, other } = fromChat({ tools: [look], messages: history })
    expect(same.body['messages']).toEqual(history)
    expect(other.body['system']).toBe('Be kind.')
    expect(JSON.stringify(other.body)).not.toContain('x_scene')
    expect(reported(other)).toEqual(
      expect.arrayContaining(
        ['messages[0].content[1]', 'messages[1].content[1]', 'messages[3].content[1]'].map((at) => `dropped ${at}`),
      ),
    )
  })

  it('a call of an unknown kind keeps its place before its result', () => {
    const call = { id: 'call_1', type: 'x_shell', function: { name: 'look', arguments: '{"at":"sky"}' } }
    const history = [
      hello,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'blue' },
    ]
    const { same, other } = fromChat({ messages: history })
    expect(same.body['messages']).toEqual(history)
    expect(other.body['messages']).toMatchObject([
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { at: 'sky' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1' }] },
    ])
    expect(reported(other)).toContain('dropped messages[1].tool_calls[0].type')
  })

  it.each([
    ['critic', 'user'],
    ['model', 'assistant'],
  ])('a turn of the role %s is one of the %s', (role, read) => {
    const turns = [hello, { role, content: 'Too short.' }, hello]
    const { same, other } = fromChat({ messages: turns })
    expect(same.body['messages']).toEqual(turns)
    expect(other.body['messages']).toMatchObject([hello, { role: read, content: 'Too short.' }, hello])
    expect(reported(other)).toContain('dropped messages[1].role')
    const back = fromMessages({ messages: turns })
    expect(back.same.body['messages']).toEqual(turns)
    expect(back.other.body['messages']).toMatchObject([hello, { role: read, content: 'Too short.' }, hello])
    expect(reported(back.other)).toContain('dropped messages[1].role')
  })

  it('thinking of an unknown kind is left out', () => {
    const thinking = { type: 'x_daydream', hours: 3 }
    const { same, other } = fromMessages({ thinking, output_config: { effort: 'low' } })
    expect(same.body).toMatchObject({ thinking, output_config: { effort: 'low' } })
    expect(same.losses).toEqual([])
    expect(other.body).not.toHaveProperty('reasoning_effort')
    expect(reported(other)).toContain('dropped thinking.type')
  })

  it('a tool choice of messages is left to the model', () => {
    const tools = [{ name: 'look', input_schema: { type: 'object' } }]
    const choice = { type: 'x_some', names: ['look'] }
    const { same, other } = fromMessages({ tools, tool_choice: choice })
    expect(same.body['tool_choice']).toEqual(choice)
    expect(other.body).not.toHaveProperty('tool_choice')
    expect(reported(other)).toContain('dropped tool_choice.type')
  })

  it('an image from an unknown source is left out, and one of another media type is not', () => {
    const stored = { type: 'image', source: { type: 'x_bucket', name: 'a' } }
    const heic = { type: 'image', source: { type: 'base64', media_type: 'image/heic', data: 'AAAA' } }
    const history = [{ role: 'user', content: [{ type: 'text', text: 'hello' }, stored, heic] }]
    const { same, other } = fromMessages({ messages: history })
    expect(same.body['messages']).toEqual(history)
    expect(other.body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          { type: 'image_url', image_url: { url: 'data:image/heic;base64,AAAA' } },
        ],
      },
    ])
    expect(reported(other)).toEqual(['dropped messages[0].content[1]'])
  })

  it('a cache mark of an unknown kind is left out', () => {
    const marked = { type: 'text', text: 'hello', cache_control: { type: 'x_forever' } }
    const { same, other } = fromMessages({ messages: [{ role: 'user', content: [marked] }] })
    expect(same.body['messages']).toEqual([{ role: 'user', content: [marked] }])
    expect(reported(other)).toEqual(['dropped messages[0].content[0].cache_control.type'])
  })

  it('modes, media types and safety settings of genai are left out', () => {
    const members = {
      tools: [{ functionDeclarations: [{ name: 'look' }], xHologram: { size: 3 } }],
      toolConfig: { functionCallingConfig: { mode: 'X_MOSTLY', allowedFunctionNames: ['look'] } },
      safetySettings: [{ category: 'HARM_CATEGORY_X', threshold: 'BLOCK_X', method: 'X' }],
      generationConfig: {
        responseMimeType: 'text/x.poem',
        responseJsonSchema: { type: 'object' },
        thinkingConfig: { thinkingLevel: 'X_HIGHEST' },
        mediaResolution: 'X_RESOLUTION',
        responseModalities: ['TEXT', 'X_SMELL'],
      },
    }
    const { same, other } = fromGenai(members)
    expect(same.body).toMatchObject({
      ...members,
      tools: expect.arrayContaining([{ xHologram: { size: 3 } }]) as unknown,
    })
    expect(same.losses).toEqual([])
    expect(other.body).toEqual({
      model: 'm',
      messages: [hello],
      tools: [{ type: 'function', function: { name: 'look' } }],
    })
    const lost = [
      'functionCallingConfig.mode',
      'responseMimeType',
      'thinkingLevel',
      'mediaResolution',
      'responseModalities',
    ]
    const unreported = [...lost, 'xHologram', 'safetySettings'].filter(
      (path) => !reported(other).some((loss) => loss.startsWith('dropped') && loss.includes(path)),
    )
    expect(unreported).toEqual([])
  })
})
