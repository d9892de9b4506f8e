import { describe, expect, it } from 'vitest'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'
import type { Protocol } from './protocol.ts'
import { translate } from './translate.ts'

/** The reasons of what is lost, by where it stands in the body. */
function reasons(from: Protocol, to: Protocol, body: object): { readonly [wirePath: string]: string } {
  const { losses } = translate(from, to, body as never)
  return Object.fromEntries(losses.map(({ wirePath = '', reason }) => [wirePath, reason]))
}

const USER = { role: 'user', content: 'Hi' }
const HI = { type: 'text', text: 'Hi' }

describe('what a protocol does not have', () => {
  it('is unknown: a misspelled member or role', () => {
    const body = {
      model: 'm',
      temprature: 1,
      messages: [
        { role: 'sytem', content: 'Hi' },
        {
          role: 'user',
          nmae: 'x',
          content: [{ type: 'text', text: 'Hi', txet: 1 }],
        },
      ],
      tools: [{ type: 'function', function: { name: 'f', descripton: 'x', parameters: {} } }],
    }
    for (const target of [messages, genai, responses]) {
      const found = reasons(chat, target, body)
      expect(found).toMatchObject({
        temprature: 'unknown',
        'messages[0].role': 'unknown',
        'messages[1].nmae': 'unknown',
        'messages[1].content[0].txet': 'unknown',
        'tools[0].function.descripton': 'unknown',
      })
    }
  })

  it.each([
    [messages, { model: 'm', max_tokens: 9, messages: [USER], temprature: 1 }, 'temprature'],
    [messages, { model: 'm', max_tokens: 9, messages: [{ role: 'usr', content: 'Hi' }] }, 'messages[0].role'],
    [
      genai,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { topPP: 1 } },
      'generationConfig.topPP',
    ],
    [genai, { contents: [{ role: 'usr', parts: [{ text: 'Hi' }] }] }, 'contents[0].role'],
    [responses, { model: 'm', input: 'Hi', instuctions: 'x' }, 'instuctions'],
  ] as const)('is unknown in every protocol: %#', (from, body, wirePath) => {
    expect(reasons(from, chat, body)[wirePath]).toBe('unknown')
  })

  it.each(['container_upload', 'mcp_tool_use', 'compaction', 'fallback', 'tool_removal', 'web_fetch_tool_result'])(
    'is not a block that only messages has: %s',
    (type) => {
      const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [HI, { type }] }] }
      for (const to of [chat, genai, responses])
        expect(reasons(messages, to, body)['messages[0].content[1]'], `toward ${to.name}`).toBe(
          'only messages has this',
        )
    },
  )

  it.each([
    [messages, { max_tokens: 9, messages: [USER] }, 'web_fetch_20260318'],
    [messages, { max_tokens: 9, messages: [USER] }, 'computer_toolset_20260801'],
    [messages, { max_tokens: 9, messages: [USER] }, 'mcp_toolset'],
    [responses, { input: 'Hi' }, 'computer_use_preview'],
    [responses, { input: 'Hi' }, 'mcp'],
  ] as const)('names a tool that only one protocol has by its kind: %#', (from, body, type) => {
    for (const to of [chat, messages, genai, responses].filter((other) => other !== from))
      expect(reasons(from, to, { model: 'm', ...body, tools: [{ type, name: 'x' }] })['tools[0]']).toBe(
        `${to.name} has no ${type} tool of ${from.name}`,
      )
  })

  it.each([
    [
      chat,
      { model: 'm', messages: [USER], prediction: { type: 'content', content: 'x' } },
      'prediction.type',
      messages,
    ],
    [messages, { model: 'm', max_tokens: 9, messages: [USER], speed: 'fast' }, 'speed', chat],
    [messages, { model: 'm', max_tokens: 9, messages: [USER], fallbacks: 'default' }, 'fallbacks', chat],
    [responses, { model: 'm', input: 'Hi', image: { context_compression: 'auto' } }, 'image.context_compression', chat],
    [responses, { model: 'm', input: 'Hi', multi_agent: true }, 'multi_agent', chat],
    [
      messages,
      { model: 'm', max_tokens: 9, messages: [USER], context_management: { edits: [] } },
      'context_management.edits',
      chat,
    ],
    [
      genai,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { mediaResolution: 'X' } },
      'generationConfig.mediaResolution',
      chat,
    ],
  ] as const)('is not what only one protocol has: %#', (from, body, wirePath, to) => {
    expect(reasons(from, to, body)[wirePath]).toBe(`only ${from.name} has this`)
  })
})
