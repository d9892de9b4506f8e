import { describe, expect, it } from 'vitest'
import { chat, genai, messages } from '../untyped.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { translate, type Translation } from '../../src/protocols/translate.ts'

// What the types of the newest SDKs allow: a body that is accepted, kept for its own protocol, and reported toward others.
const hello = { role: 'user', content: 'hello' }
const reported = ({ losses }: Translation): string[] => losses.map(({ kind, wirePath }) => `${kind} ${wirePath}`)

function ask(members: JsonObject): { toChat: Translation; toGenai: Translation; toMessages: Translation } {
  const body = messages.request.check({ model: 'm', max_tokens: 4096, messages: [hello], ...members })
  return {
    toChat: translate(messages, chat, body),
    toGenai: translate(messages, genai, body),
    toMessages: translate(messages, messages, body),
  }
}

describe('thinking between tools', () => {
  const thinking = { type: 'between_tools' }

  it('is kept for messages, with its effort', () => {
    const { toMessages } = ask({ thinking, output_config: { effort: 'low' } })
    expect(toMessages.body).toMatchObject({ thinking, output_config: { effort: 'low' } })
    expect(reported(toMessages)).toEqual([])
  })

  it('is off in protocols that have only on and off, and reported', () => {
    const { toChat, toGenai } = ask({ thinking })
    expect(toChat.body['reasoning_effort']).toBe('none')
    expect(toChat.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)).toEqual(['changed reasoning.on'])
    expect(toGenai.body['generationConfig']).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } })
    expect(toGenai.losses.some(({ path }) => path[0] === 'reasoning')).toBe(true)
  })

  it('continues a tool loop whose call came without thinking', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
    const { toMessages } = ask({
      thinking,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      messages: [
        hello,
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sky' }] },
      ],
    })
    expect(toMessages.body['thinking']).toEqual(thinking)
  })

  it('is off where a tool must be called, and reported', () => {
    const { toMessages } = ask({
      thinking,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
    })
    expect(toMessages.body['thinking']).toEqual({ type: 'disabled' })
    expect(reported(toMessages)).toEqual(['changed thinking.type'])
  })
})

describe('the caller of a tool in a history', () => {
  const history = (caller: JsonObject): JsonObject => ({
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    messages: [
      hello,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {}, caller }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sky' }] },
    ],
  })

  it('is not a loss if it is the model itself, which is the default', () => {
    const { toChat, toGenai, toMessages } = ask(history({ type: 'direct' }))
    for (const translation of [toChat, toGenai, toMessages])
      expect(reported(translation).filter((loss) => loss.includes('caller'))).toEqual([])
  })

  it('is kept for messages and reported toward others if it is code', () => {
    const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' }
    const { toChat, toMessages } = ask(history(caller))
    expect(reported(toChat).some((loss) => loss.startsWith('dropped messages[1].content[0].caller'))).toBe(true)
    expect(JSON.stringify(toMessages.body)).toContain(JSON.stringify(caller))
  })
})

describe('a set of tools without a name', () => {
  const toolset = { type: 'browser_toolset_20260801', configs: { zoom: { enabled: false } } }

  it('is accepted, kept for messages, and reported toward chat', () => {
    const { toMessages, toChat } = ask({ tools: [toolset] })
    expect(toMessages.body['tools']).toEqual([toolset])
    expect(toChat.body).not.toHaveProperty('tools')
    expect(reported(toChat)).toEqual(['dropped tools[0]'])
  })

  it('is not a reason to accept an own tool without one', () => {
    expect(() => ask({ tools: [{ input_schema: { type: 'object' } }] })).toThrow('tools.0.name: is required')
  })
})

describe('a system turn without content', () => {
  const turn = { role: 'system', output_config: { effort: 'high' } }

  it('is accepted, and dropped with a report where a request is written anew', () => {
    const { toMessages } = ask({ messages: [hello, turn, { role: 'assistant', content: 'Hi' }, hello] })
    expect(toMessages.body['messages']).toHaveLength(3)
    expect(reported(toMessages)).toEqual(['dropped messages[1]'])
  })

  it('is not a reason to accept another turn without content', () => {
    expect(() => ask({ messages: [{ role: 'user' }] })).toThrow('messages.0.content')
  })
})

it('accepts video as a modality of genai', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  const body = genai.request.check({ contents, generationConfig: { responseModalities: ['VIDEO'] } })
  expect(translate(genai, genai, body, { model: 'm' }).body['generationConfig']).toEqual({
    responseModalities: ['VIDEO'],
  })
})
