import Anthropic from '@anthropic-ai/sdk'
import Anthropic0 from 'anthropic-sdk-0'
import {
  damaged,
  recordHeaders,
  type Address,
  type Client,
  type Conversation,
  type DeclaredTool,
  type Turn,
} from './client.ts'

type Params = Anthropic.MessageCreateParamsNonStreaming
type Message = Anthropic.Message
type Send = (params: Params) => Promise<Message>

export function createAnthropic({ url, key }: Address, send: typeof fetch = fetch): Anthropic {
  return new Anthropic({ baseURL: `${url}/api/anthropic`, apiKey: key, maxRetries: 0, fetch: send })
}

export function createAnthropic0({ url, key }: Address, send: typeof fetch = fetch): Anthropic0 {
  return new Anthropic0({ baseURL: `${url}/api/anthropic`, apiKey: key, maxRetries: 0, fetch: send })
}

/** The current generation, which sends its key as a bearer token. */
export const anthropic: Client = {
  name: '@anthropic-ai/sdk 1',
  protocol: 'messages',
  callsFinish: 'tool_use',
  converse(address, model, tools, delivery) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic(address, recorder.fetch)
    const send: Send = (params) =>
      delivery === 'whole' ? messages.create(params) : messages.stream(params).finalMessage()
    return converse(send, recorder.headers, model, tools)
  },
}

/** The generation before, which sends it as x-api-key. */
export const anthropic0: Client = {
  name: '@anthropic-ai/sdk 0',
  protocol: 'messages',
  callsFinish: 'tool_use',
  converse(address, model, tools, delivery) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic0(address, recorder.fetch)
    const send: Send = (params) =>
      delivery === 'whole' ? messages.create(params) : messages.stream(params).finalMessage()
    return converse(send, recorder.headers, model, tools)
  },
}

function converse(send: Send, headers: () => Headers, model: string, declared: readonly DeclaredTool[]): Conversation {
  const tools = declared.map(({ name, description, schema }) => ({ name, description, input_schema: { ...schema } }))
  const messages: Params['messages'] = []
  let last: Message | undefined
  const ask = async (): Promise<Turn> => {
    last = await send({ model, messages, tools, max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } })
    messages.push({ role: 'assistant', content: last.content })
    const thoughts = last.content.filter((block) => block.type === 'thinking')
    return {
      text: last.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''),
      calls: last.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
      ),
      reasoning: thoughts.map(({ thinking }) => thinking).join(''),
      signatures: thoughts.map(({ signature }) => signature),
      finish: last.stop_reason ?? '',
      usage: { input: last.usage.input_tokens, output: last.usage.output_tokens },
      headers: headers(),
    }
  }
  return {
    say(text) {
      messages.push({ role: 'user', content: text })
      return ask()
    },
    give(output) {
      const results = (last?.content ?? []).flatMap((block) => {
        if (block.type !== 'tool_use') return []
        const content = output({ id: block.id, name: block.name, arguments: block.input })
        return [{ type: 'tool_result' as const, tool_use_id: block.id, content }]
      })
      messages.push({ role: 'user', content: results })
      return ask()
    },
    tamper() {
      const thought = last?.content.find((block) => block.type === 'thinking')
      if (thought?.type === 'thinking') thought.signature = damaged(thought.signature)
    },
  }
}
