import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
import { drive, settings, weather } from './contract.mjs'

const { url, key, model, protocol } = settings

const MODEL_OF = {
  chat: () => ({ id: `dragoman/${model}`, url: `${url}/api/v1`, apiKey: key }),
  messages: () => createAnthropic({ baseURL: `${url}/api/anthropic/v1`, apiKey: key })(model),
  genai: () => createGoogleGenerativeAI({ baseURL: `${url}/api/vertex-ai/v1beta`, apiKey: key })(model),
}
const THINKING = {
  dragoman: { reasoningEffort: 'medium' },
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } },
  google: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } },
}

const { name, description, run } = weather
const tool = createTool({
  id: name,
  description,
  inputSchema: z.object({ city: z.string() }),
  execute: async (input) => run(input.context ?? input),
})

await drive(({ tools: hasTools, stream, signal, onText = () => {} }) => {
  const agent = new Agent({
    id: 'weather',
    name: 'weather',
    instructions: 'You answer questions.',
    model: MODEL_OF[protocol](),
    tools: hasTools ? { [name]: tool } : {},
  })
  let messages = []
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt })
    const options = {
      ...(hasTools ? { providerOptions: THINKING, maxSteps: 5 } : {}),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    }
    const output = await (stream ? agent.stream(messages, options) : agent.generate(messages, options))
    if (stream) for await (const text of output.textStream) onText(text)
    const error = await output.error
    if (error !== undefined && error !== null) throw error
    const answered = (await output.messageList)?.get.all.db() ?? (await output.response).messages
    messages = answered
    return output.text
  }
})
