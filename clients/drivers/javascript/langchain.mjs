import { ChatAnthropic } from '@langchain/anthropic'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { drive, settings, weather } from './contract.mjs'

const { url, key, model, protocol } = settings

const MODEL_OF = {
  chat: (thinks) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: `${url}/api/v1` },
      ...(thinks ? { reasoning: { effort: 'medium' } } : {}),
      useResponsesApi: false,
    }),
  messages: (thinks) =>
    new ChatAnthropic({
      model,
      apiKey: key,
      anthropicApiUrl: `${url}/api/anthropic`,
      ...(thinks ? { maxTokens: 8192, thinking: { type: 'enabled', budget_tokens: 2048 } } : {}),
    }),
  genai: (thinks) =>
    new ChatGoogleGenerativeAI({
      model,
      apiKey: key,
      baseUrl: `${url}/api/vertex-ai`,
      ...(thinks ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } } : {}),
    }),
  responses: (thinks) =>
    new ChatOpenAI({
      model,
      apiKey: key,
      configuration: { baseURL: `${url}/api/v1` },
      ...(thinks ? { reasoning: { effort: 'medium', summary: 'auto' } } : {}),
      useResponsesApi: true,
    }),
}

const { name, description, schema, run } = weather
const tools = [tool(run, { name, description, schema })]

await drive(({ tools: hasTools, stream, signal, onText = () => {} }) => {
  const agent = createAgent({ model: MODEL_OF[protocol](hasTools), tools: hasTools ? tools : [] })
  let messages = []
  return async (prompt) => {
    const input = { messages: [...messages, { role: 'user', content: prompt }] }
    const config = signal === undefined ? {} : { signal }
    if (!stream) ({ messages } = await agent.invoke(input, config))
    else
      for await (const [mode, value] of await agent.stream(input, { ...config, streamMode: ['messages', 'values'] })) {
        if (mode === 'values') ({ messages } = value)
        else if (value[0].text !== '') onText(value[0].text)
      }
    return messages.at(-1).text
  }
})
