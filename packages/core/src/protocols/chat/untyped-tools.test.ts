import { describe, expect, it } from 'vitest'
import { gatherMessages, play } from '../../../test/streams.ts'
import { chat, genai, messages, responses } from '../../../test/untyped.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { translate } from '../translate.ts'

// Mistral's tools and the choices of Hugging Face need no type: `function` is the only one.

const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }
const asked: JsonObject = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const named = { function: { name: 'look' } }
const bodyOf = (members: JsonObject): JsonObject => ({ ...asked, tools: [{ function: look }], ...members })

const modes: Record<string, (body: JsonObject) => JsonObject> = {
  checked: (body) => chat.request.check(body),
  unchecked: (body) => body,
}

describe.each(Object.entries(modes))('tools without a type, %s', (_mode, read) => {
  it.each([[{}], [{ type: null }]])('are functions in every protocol: %j', (type) => {
    const body = read(bodyOf({ tools: [{ ...type, function: look }] }))
    const toChat = translate(chat, chat, body)
    expect(toChat.body['tools']).toEqual([{ type: 'function', function: look }])
    expect(toChat.losses).toEqual([])
    expect(translate(chat, messages, body).body['tools']).toEqual([
      { name: 'look', description: 'Looks.', input_schema: look.parameters },
    ])
    expect(translate(chat, genai, body).body['tools']).toEqual([
      {
        functionDeclarations: [{ name: 'look', description: 'Looks.', parametersJsonSchema: look.parameters }],
      },
    ])
    expect(translate(chat, responses, body).body['tools']).toMatchObject([{ type: 'function', name: 'look' }])
  })

  it('can be chosen without a type', () => {
    const body = read(bodyOf({ tool_choice: named }))
    const toChat = translate(chat, chat, body)
    expect(toChat.body['tool_choice']).toEqual({ type: 'function', ...named })
    expect(toChat.losses).toEqual([])
    expect(translate(chat, messages, body).body['tool_choice']).toEqual({ type: 'tool', name: 'look' })
    expect(translate(chat, responses, body).body['tool_choice']).toEqual({ type: 'function', name: 'look' })
  })

  it('can be among the allowed tools without a type', () => {
    const other = { function: { ...look, name: 'other' } }
    const allowed = { mode: 'required', tools: [named, { function: { name: 'other' } }] }
    const body = read(
      bodyOf({
        tools: [{ function: look }, other],
        tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
      }),
    )
    expect(translate(chat, genai, body).body['toolConfig']).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look', 'other'] },
    })
  })
})

it('a choice without a type does not name a custom tool', () => {
  const tools = [{ type: 'custom', custom: { name: 'look' } }]
  const { body } = translate(chat, chat, bodyOf({ tools, tool_choice: named }))
  expect(body['tool_choice']).toEqual(named)
})

it.each([
  [{ tools: [{ name: 'look' }] }, 'tools.0.function'],
  [{ tools: [{ type: 'custom', function: look }] }, 'tools.0.custom'],
  [{ tool_choice: { name: 'look' } }, 'tool_choice.function'],
])('a tool without a type and a function is an error: %j', (members, path) => {
  expect(() => chat.request.check(bodyOf(members))).toThrow(path)
})

describe('a body with tools without a type', () => {
  const obstacle = (members: JsonObject) => chat.relay.obstacle?.({ ...asked, ...members }, {})
  const typed = { type: 'function', function: look }
  const history = (tool_calls: Json): JsonObject => ({ messages: [{ role: 'assistant', content: null, tool_calls }] })
  const call = { id: 'c1', function: { name: 'look', arguments: '{}' } }

  it.each([
    [{ tools: [typed, { function: look }] }],
    [{ tools: [typed], tool_choice: named }],
    [{ tools: [typed], ...history([call]) }],
  ])('is not relayed: most upstreams refuse it, %j', (members) => {
    expect(obstacle(members)).toMatch(/refused/)
  })

  it.each([
    [{ tools: [typed], tool_choice: { type: 'function', ...named } }],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'auto' }],
    [{ tools: null, tool_choice: null }],
    [{ tools: [typed], ...history([{ ...call, type: 'function' }]) }],
  ])('is relayed if all have one: %j', (members) => {
    expect(obstacle(members)).toBeUndefined()
  })
})

describe('calls without a type in answers', () => {
  const call = { id: 'D681PevKs', function: { name: 'look', arguments: '{"at":1}' } }
  const block = { type: 'tool_use', id: 'D681PevKs', name: 'look', input: { at: 1 } }
  const translation = translate(messages, chat, {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'x' }],
  })

  it.each([[{}], [{ type: null }]])('are calls of functions, without a loss: %j', (type) => {
    const message = { role: 'assistant', content: '', tool_calls: [{ ...call, ...type }] }
    const { body, losses } = translation.response({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
    expect(body['content']).toEqual([block])
    expect(losses.filter(({ path }) => path.includes('parts'))).toEqual([])
  })

  it('are calls of functions in a stream, written with their type to chat', () => {
    const chunks = [
      { choices: [{ index: 0, delta: { tool_calls: [{ ...call, type: null }] }, finish_reason: 'tool_calls' }] },
    ]
    const sse = `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
    const out = play(translate(chat, chat, { ...asked, stream: true }), sse)
    expect(JSON.stringify(out)).toContain('"type":"function"')
    expect(gatherMessages(play(translation, sse))).toEqual([block])
  })
})
