import {
  HumanMessage,
  ToolMessage,
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
} from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, it } from 'vitest'
import { CITY, expectWholeTurn, LOOP, THOUGHT } from './responses-scene.ts'
import { DELIVERIES, UPSTREAMS, useStage, type Upstream } from './stage.ts'

const stage = useStage()
const { server, double } = stage
const weather = tool(() => '21 degrees', { name: 'get_weather', description: 'The weather in a city.', schema: CITY })

/** A model of LangChain, and the bodies that it sent. */
function connect({ model }: Upstream, zdrEnabled: boolean) {
  const sent: unknown[] = []
  const chat = new ChatOpenAI({
    model,
    apiKey: server().key,
    useResponsesApi: true,
    zdrEnabled,
    maxRetries: 0,
    reasoning: { effort: 'medium', summary: 'auto' },
    configuration: {
      baseURL: `${server().url}/api/v1`,
      fetch: (input, init) => {
        if (typeof init?.body === 'string') sent.push(JSON.parse(init.body))
        return fetch(input, init)
      },
    },
  })
  return { sent, bound: chat.bindTools([weather]) }
}

describe.each(UPSTREAMS)('@langchain/openai with useResponsesApi, to $protocol', (upstream) => {
  describe.each([true, false])('zdrEnabled: %s', (zdrEnabled) => {
    it.each(DELIVERIES)(
      '[tr.4x4] [tr.signatures] [resp.store] keeps words and seals over a loop of tools, %s',
      async (delivery) => {
        double(upstream).play(...LOOP)
        const { bound, sent } = connect(upstream, zdrEnabled)
        const history: BaseMessage[] = [new HumanMessage('How is the weather?')]
        const ask = async (): Promise<AIMessage> => {
          if (delivery === 'whole') return bound.invoke(history)
          let message: AIMessageChunk | undefined
          for await (const chunk of await bound.stream(history)) message = message?.concat(chunk) ?? chunk
          if (message === undefined) throw new Error('The stream is empty.')
          return message
        }
        const first = await ask()
        expect(first.text).toBe('Let me see.')
        expect(JSON.stringify(first.additional_kwargs['reasoning'])).toContain(THOUGHT.reasoning)
        const calls = first.tool_calls ?? []
        expect(calls.map(({ name }) => name)).toEqual(['get_weather'])
        history.push(first, ...calls.map(({ id = '' }) => new ToolMessage('21 degrees', id)))
        const second = await ask()
        expect(second.text).toBe('Warm.')
        expect(second.usage_metadata).toMatchObject({
          input_tokens: 30,
          output_tokens: 9,
          input_token_details: { cache_read: 10 },
        })
        // The spellings of this client that others do not have.
        expect(sent).toHaveLength(2)
        for (const body of sent)
          expect(body).toMatchObject({ text: {}, tools: [{ strict: null }], ...(zdrEnabled ? { store: false } : {}) })
        expectWholeTurn(stage, upstream)
      },
    )
  })
})
