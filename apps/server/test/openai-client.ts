import OpenAI from 'openai'
import { damaged, recordHeaders, type Address, type Client, type Turn } from './client.ts'

type Message = OpenAI.ChatCompletionMessageParam
/** What gateways add to the message, and the SDK hands on. */
type Extended = OpenAI.ChatCompletionMessage & { reasoning_details?: { text?: string; signature?: string }[] }

export function createOpenAI({ url, key }: Address, send: typeof fetch = fetch): OpenAI {
  return new OpenAI({ baseURL: `${url}/api/v1`, apiKey: key, maxRetries: 0, fetch: send })
}

export const openai: Client = {
  name: 'openai',
  protocol: 'chat',
  callsFinish: 'tool_calls',
  converse(address, model, declared, delivery) {
    const recorder = recordHeaders()
    const client = createOpenAI(address, recorder.fetch)
    const tools = declared.map(({ name, description, schema }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...schema } },
    }))
    const messages: Message[] = []
    let last: Extended | undefined
    const ask = async (): Promise<Turn> => {
      const asked = { model, messages, tools, reasoning_effort: 'medium' } as const
      const { choices, usage } =
        delivery === 'whole'
          ? await client.chat.completions.create(asked)
          : await client.chat.completions
              .stream({ ...asked, stream_options: { include_usage: true } })
              .finalChatCompletion()
      const [choice] = choices
      if (choice === undefined) throw new Error('The answer has no choice.')
      last = choice.message
      messages.push(last)
      const details = last.reasoning_details ?? []
      return {
        text: last.content ?? '',
        calls: (last.tool_calls ?? []).flatMap((call) =>
          call.type === 'function'
            ? [{ id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
            : [],
        ),
        reasoning: details.map(({ text = '' }) => text).join(''),
        signatures: details.flatMap(({ signature }) => signature ?? []),
        finish: choice.finish_reason,
        usage: { input: usage?.prompt_tokens ?? -1, output: usage?.completion_tokens ?? -1 },
        headers: recorder.headers(),
      }
    }
    return {
      say(text) {
        messages.push({ role: 'user', content: text })
        return ask()
      },
      give(output) {
        for (const call of last?.tool_calls ?? []) {
          if (call.type !== 'function') continue
          const { name, arguments: text } = call.function
          const content = output({ id: call.id, name, arguments: JSON.parse(text) as unknown })
          messages.push({ role: 'tool', tool_call_id: call.id, content })
        }
        return ask()
      },
      tamper() {
        const detail = last?.reasoning_details?.[0]
        if (detail?.signature !== undefined) detail.signature = damaged(detail.signature)
      },
    }
  },
}
