import { protocols } from '@dragoman/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anthropic, anthropic0 } from './anthropic-client.ts'
import type { DeclaredTool, Delivery, Turn } from './client.ts'
import { genai } from './genai-client.ts'
import { openai } from './openai-client.ts'
import { startServer, type ServerProcess } from './process.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
}, 60_000)
afterAll(() => server.stop())

const CLIENTS = [openai, anthropic, anthropic0, genai]
const DELIVERIES: Delivery[] = ['streamed', 'whole']
const PAIRS = CLIENTS.flatMap((client) =>
  protocols.map((upstream) => ({
    client,
    model: `sim/${upstream.name}-1`,
    relayed: client.protocol === upstream.name,
  })),
)
const city = { type: 'string', description: 'a city' }
const TOOLS: DeclaredTool[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city.',
    schema: {
      type: 'object',
      properties: { city, unit: { type: 'string', enum: ['celsius', 'kelvin'] } },
      required: ['city', 'unit'],
    },
  },
  {
    name: 'get_time',
    description: 'The time in a city.',
    schema: { type: 'object', properties: { city }, required: ['city'] },
  },
]
const tokens = (text: string): number => Math.ceil(text.length / 4)

describe.each(PAIRS)('$client.name to $model', ({ client, model, relayed }) => {
  const expectHeaders = ({ headers }: Turn): void => {
    expect(headers.get('x-dragoman-path')).toBe(relayed ? 'relay' : 'translate')
    expect(headers.get('x-dragoman-model')).toBe(model)
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
  }

  it.each(DELIVERIES)(
    '[tr.3x3] [tr.signatures] [chat.stream] [chat.stream_options:in] [msg.stream.usage:in] [msg.block.tool_use:in] [msg.block.thinking:in] [genai.part.thought:in] [genai.part.functionCall:in] [genai.part.functionResponse:in] holds a tool-calling conversation with reasoning, %s',
    async (delivery) => {
      const conversation = client.converse(server, model, TOOLS, delivery)
      const first = await conversation.say('What is the weather in Paris?')
      expect(first).toMatchObject({ text: '', finish: client.callsFinish })
      expect(first.calls).toEqual([
        {
          id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
          name: 'get_weather',
          arguments: { city: 'Paris', unit: 'celsius' },
        },
      ])
      expect(first.reasoning).toBe('The user said 29 characters. I will make 1 tool calls.')
      expect(first.signatures).toHaveLength(1)
      const called = tokens('get_weather') + tokens('{"city":"Paris","unit":"celsius"}')
      expect(first.usage.output).toBe(tokens(first.reasoning) + called)
      expectHeaders(first)

      const second = await conversation.give(() => '21 degrees')
      expect(second.text).toBe('Here is what I found. get_weather says: 21 degrees')
      expect(second.reasoning).toContain('My earlier thoughts came back sealed.')
      expect(second.calls).toEqual([])
      expect(second.usage.output).toBe(tokens(second.text) + tokens(second.reasoning))
      expect(second.usage.input).toBeGreaterThan(first.usage.input)

      const third = await conversation.say('Please ask both in parallel about Rome.')
      expect(third.calls.map(({ name, arguments: given }) => [name, given])).toEqual([
        ['get_weather', { city: 'Rome', unit: 'celsius' }],
        ['get_time', { city: 'Rome' }],
      ])
      expect(new Set([...first.calls, ...third.calls].map(({ id }) => id)).size).toBe(3)

      const fourth = await conversation.give(({ name }) => `${name} of Rome`)
      expect(fourth.text).toBe(
        'Here is what I found. get_weather says: get_weather of Rome get_time says: get_time of Rome',
      )
      expect(fourth.reasoning).toContain('There are 2 tool results to report. My earlier thoughts came back sealed.')
      expectHeaders(fourth)
    },
  )

  it('lets the issuer see that a signature was damaged', async () => {
    const conversation = client.converse(server, model, TOOLS, 'streamed')
    await conversation.say('What is the weather in Paris?')
    conversation.tamper()
    await expect(conversation.give(() => 'warm')).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('signature that was not issued here'),
    })
  })
})
