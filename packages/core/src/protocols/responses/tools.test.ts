import { describe, expect, it } from 'vitest'
import { askResponses, sendToResponses, type Target } from '../../../test/ask-responses.ts'
import type { JsonObject } from '../../lib/json.ts'

const parameters = {
  type: 'object',
  properties: { at: { type: 'string' } },
  required: ['at'],
  additionalProperties: false,
}
const look = { type: 'function', name: 'look', description: 'Looks.', parameters, strict: true }
const grammar = { syntax: 'lark', definition: 'start: "a"' }
const run = { type: 'custom', name: 'run', description: 'Runs.', format: { type: 'grammar', ...grammar } }
const called = (name: string): JsonObject => ({ type: 'function', function: { name } })
const input_schema = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
const OTHERS = ['chat', 'messages', 'genai'] as const

/** The tools that an upstream gets. */
function toolsFor(target: Target, ...tools: JsonObject[]): unknown {
  return askResponses({ tools })[target].body['tools']
}

describe('a function', () => {
  it('[resp.tool.function:through] is flat here, and declared everywhere', () => {
    const { type, ...members } = look
    expect(toolsFor('responses', look)).toEqual([look])
    expect(toolsFor('chat', look)).toEqual([{ type, function: members }])
    expect(toolsFor('messages', look)).toEqual([
      { name: 'look', description: 'Looks.', input_schema: parameters, strict: true },
    ])
    expect(toolsFor('genai', look)).toEqual([
      { functionDeclarations: [{ name: 'look', description: 'Looks.', parametersJsonSchema: parameters }] },
    ])
  })

  it.each(['defer_loading', 'async', 'allowed_callers', 'output_schema'])(
    '[resp.tool.function:through] keeps %s for Responses, and reports it elsewhere',
    (member) => {
      const sent = askResponses({ tools: [{ ...look, [member]: true }] })
      expect(sent.responses.body['tools']).toEqual([{ ...look, [member]: true }])
      for (const target of OTHERS) expect(sent[target].losses).toContain(`dropped tools[0].${member}`)
    },
  )

  it('[resp.tool.function:through] of another client is not enforced, unless it says so', () => {
    const declare = (strict?: boolean) => ({
      type: 'function',
      function: { name: 'look', parameters, ...(strict === undefined ? {} : { strict }) },
    })
    const loose = sendToResponses('chat', { tools: [declare()] })
    expect(loose.body['tools']).toEqual([{ type: 'function', name: 'look', parameters, strict: false }])
    const strict = sendToResponses('chat', { tools: [declare(true)] })
    expect(strict.body['tools']).toMatchObject([{ strict: true }])
    const genai = sendToResponses('genai', {
      tools: [{ functionDeclarations: [{ name: 'look', description: 'Looks.' }] }],
    })
    expect(genai.body['tools']).toEqual([{ type: 'function', name: 'look', description: 'Looks.', strict: false }])
  })
})

describe('a custom tool', () => {
  it('[resp.tool.custom:through] has a flat grammar here, and a nested one in chat', () => {
    expect(toolsFor('responses', run)).toEqual([run])
    const custom = { name: 'run', description: 'Runs.', format: { type: 'grammar', grammar } }
    expect(toolsFor('chat', run)).toEqual([{ type: 'custom', custom }])
    expect(sendToResponses('chat', { tools: [{ type: 'custom', custom }] }).body['tools']).toEqual([run])
  })

  it('[resp.tool.custom:through] is a function with one text elsewhere, with the grammar in its description (trap 114)', () => {
    const description = expect.stringMatching(/^Runs\.[^]*start: "a"/) as string
    expect(toolsFor('messages', run)).toEqual([{ name: 'run', description, input_schema }])
    expect(toolsFor('genai', run)).toEqual([
      { functionDeclarations: [{ name: 'run', description, parametersJsonSchema: input_schema }] },
    ])
    for (const target of ['messages', 'genai'] as const)
      expect(askResponses({ tools: [run] })[target].losses).toEqual(['changed tools[0]'])
  })

  it('[resp.tool.custom:through] of any text is the default', () => {
    const plain = { type: 'custom', name: 'run', format: { type: 'text' } }
    expect(toolsFor('chat', plain)).toEqual([{ type: 'custom', custom: { name: 'run' } }])
  })
})

describe('a namespace', () => {
  const group = (name: string): JsonObject => ({ type: 'namespace', name, tools: [look, run] })

  it('[resp.tool.namespace:through] is part of the names elsewhere, and two may have one name', () => {
    const tools = [group('a'), group('b')]
    const names = ['a__look', 'a__run', 'b__look', 'b__run']
    expect(toolsFor('responses', ...tools)).toEqual(tools)
    expect(toolsFor('chat', ...tools)).toMatchObject([
      { function: { name: names[0] } },
      { custom: { name: names[1] } },
      { function: { name: names[2] } },
      { custom: { name: names[3] } },
    ])
    expect(toolsFor('messages', ...tools)).toMatchObject(names.map((name) => ({ name })))
    expect(toolsFor('genai', ...tools)).toMatchObject([{ functionDeclarations: names.map((name) => ({ name })) }])
  })

  it('[resp.tool.namespace:through] keeps its description for Responses, and reports it elsewhere', () => {
    const described = { ...group('a'), description: 'Files.' }
    const sent = askResponses({ tools: [described] })
    expect(sent.responses.body['tools']).toEqual([described])
    for (const target of OTHERS) expect(sent[target].losses).toContain('dropped tools[0].description')
  })
})

describe('a web search', () => {
  const rome = { city: 'Rome', country: 'IT' }
  const user_location = { type: 'approximate', ...rome }
  const filters = { allowed_domains: ['a.example'] }

  it.each(['web_search', 'web_search_2025_08_26', 'web_search_preview'])(
    '[resp.tool.web_search:through] by the name %s is the search of every upstream',
    (type) => {
      const search = { type, user_location }
      expect(toolsFor('responses', search)).toEqual([search])
      expect(toolsFor('genai', search)).toEqual([{ googleSearch: {} }])
      expect(toolsFor('messages', search)).toEqual([{ type: 'web_search_20250305', name: 'web_search', user_location }])
      const { body, losses } = askResponses({ tools: [search] }).chat
      expect(body['web_search_options']).toEqual({ user_location: { type: 'approximate', approximate: rome } })
      expect(losses).toEqual(['changed tools[0]'])
    },
  )

  it('[resp.tool.web_search:through] keeps to its domains where an upstream can', () => {
    const search = { type: 'web_search', filters }
    expect(toolsFor('messages', search)).toEqual([{ type: 'web_search_20250305', name: 'web_search', ...filters }])
    const messages = { type: 'web_search_20250305', name: 'web_search', user_location, ...filters }
    expect(sendToResponses('messages', { tools: [messages] }).body['tools']).toEqual([
      { type: 'web_search', user_location, filters },
    ])
  })

  it('[resp.tool.web_search:through] of chat and genai is one here', () => {
    const options = { web_search_options: { user_location: { type: 'approximate', approximate: rome } } }
    expect(sendToResponses('chat', options).body['tools']).toEqual([{ type: 'web_search', user_location }])
    expect(sendToResponses('genai', { tools: [{ googleSearch: {} }] }).body['tools']).toEqual([{ type: 'web_search' }])
  })
})

describe('a choice', () => {
  const tools = [look, run]
  const config = (functionCallingConfig: JsonObject): JsonObject => ({ functionCallingConfig })

  it.each<[string, JsonObject | string, Readonly<Record<Target, unknown>>]>([
    [
      '[resp.tool_choice.mode:through]',
      'none',
      { responses: 'none', chat: 'none', messages: { type: 'none' }, genai: config({ mode: 'NONE' }) },
    ],
    [
      '[resp.tool_choice.mode:through]',
      'auto',
      { responses: 'auto', chat: 'auto', messages: { type: 'auto' }, genai: config({ mode: 'AUTO' }) },
    ],
    [
      '[resp.tool_choice.mode:through]',
      'required',
      { responses: 'required', chat: 'required', messages: { type: 'any' }, genai: config({ mode: 'ANY' }) },
    ],
    [
      '[resp.tool_choice.named:through]',
      { type: 'function', name: 'look' },
      {
        responses: { type: 'function', name: 'look' },
        chat: called('look'),
        messages: { type: 'tool', name: 'look' },
        genai: config({ mode: 'ANY', allowedFunctionNames: ['look'] }),
      },
    ],
    [
      '[resp.tool_choice.named:through]',
      { type: 'custom', name: 'run' },
      {
        responses: { type: 'custom', name: 'run' },
        chat: { type: 'custom', custom: { name: 'run' } },
        messages: { type: 'tool', name: 'run' },
        genai: config({ mode: 'ANY', allowedFunctionNames: ['run'] }),
      },
    ],
    [
      '[resp.tool_choice.allowed_tools:through]',
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'function', name: 'look' },
          { type: 'custom', name: 'run' },
        ],
      },
      {
        responses: {
          type: 'allowed_tools',
          mode: 'required',
          tools: [
            { type: 'function', name: 'look' },
            { type: 'custom', name: 'run' },
          ],
        },
        chat: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [called('look'), { type: 'custom', custom: { name: 'run' } }] },
        },
        messages: { type: 'any' },
        genai: config({ mode: 'ANY', allowedFunctionNames: ['look', 'run'] }),
      },
    ],
  ])('%s %j is written in every protocol, and read again', (_row, tool_choice, expected) => {
    const sent = askResponses({ tools, tool_choice })
    expect(sent.responses.body['tool_choice']).toEqual(expected.responses)
    expect(sent.chat.body['tool_choice']).toEqual(expected.chat)
    expect(sent.messages.body['tool_choice']).toEqual(expected.messages)
    expect(sent.genai.body['toolConfig']).toEqual(expected.genai)
    const chatTools = [called('look'), { type: 'custom', custom: { name: 'run' } }]
    const again = sendToResponses('chat', { tools: chatTools, tool_choice: sent.chat.body['tool_choice'] ?? null })
    expect(again.body['tool_choice']).toEqual(tool_choice)
  })

  it('[resp.tool_choice.allowed_tools:through] among some is reported where an upstream has none', () => {
    const allowed = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'look' }] }
    const { chat, messages, genai } = askResponses({ tools, tool_choice: allowed })
    expect(chat.body['tool_choice']).toEqual({
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [called('look')] },
    })
    expect(messages.losses).toContain('dropped tool_choice.tools')
    expect(genai.losses).toContain('changed tool_choice.mode')
  })

  it.each(['web_search', 'file_search', 'mcp', 'apply_patch', 'of_the_future'])(
    '[resp.tool_choice.named:through] of a hosted tool is for Responses, and reported elsewhere: %s',
    (type) => {
      const sent = askResponses({ tools, tool_choice: { type } })
      expect(sent.responses.body['tool_choice']).toEqual({ type })
      for (const target of OTHERS) expect(sent[target].losses).toContain('dropped tool_choice.type')
    },
  )

  it('[resp.parallel_tool_calls:through] of one call at a time holds where an upstream can', () => {
    const { responses, chat, messages, genai } = askResponses({
      tools: [{ ...look, strict: null }],
      parallel_tool_calls: false,
    })
    expect([responses.body['parallel_tool_calls'], chat.body['parallel_tool_calls']]).toEqual([false, false])
    expect(messages.body['tool_choice']).toEqual({ type: 'auto', disable_parallel_tool_use: true })
    expect(genai.losses).toEqual(['dropped parallel_tool_calls'])
    const single = { tools: [{ name: 'f', input_schema: {} }], tool_choice: messages.body['tool_choice'] ?? null }
    expect(sendToResponses('messages', single).body).toMatchObject({ parallel_tool_calls: false, tool_choice: 'auto' })
  })
})
