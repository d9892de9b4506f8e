import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import * as ai from 'ai'
import { drive, settings, weather } from './contract.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false
const { url, key, model, protocol } = settings

const PROVIDER_OF = {
  chat: () => createOpenAICompatible({ name: 'dragoman', baseURL: `${url}/api/v1`, apiKey: key })(model),
  messages: () => createAnthropic({ baseURL: `${url}/api/anthropic/v1`, apiKey: key })(model),
  genai: () => createGoogleGenerativeAI({ baseURL: `${url}/api/vertex-ai/v1beta`, apiKey: key })(model),
  responses: () => createOpenAI({ baseURL: `${url}/api/v1`, apiKey: key })(model),
}
const THINKING = {
  dragoman: { reasoningEffort: 'medium' },
  anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } },
  google: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } },
  openai: { forceReasoning: true, reasoningEffort: 'medium', reasoningSummary: 'auto' },
}

const { name, description, schema, run } = weather
const tools = { [name]: ai.tool({ description, inputSchema: ai.jsonSchema(schema), execute: run }) }
const stopWhen = (ai.stepCountIs ?? ai.isStepCount)(5)

await drive(({ tools: hasTools, stream, signal, onText }) => {
  const messages = []
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt })
    const params = {
      model: PROVIDER_OF[protocol](),
      messages,
      ...(hasTools ? { tools, stopWhen, providerOptions: THINKING } : {}),
      ...(signal === undefined ? {} : { abortSignal: signal }),
    }
    const result = stream ? await read(params, onText) : await ai.generateText(params)
    messages.push(...(result.responseMessages ?? result.response.messages))
    return result.text
  }
})

async function read(params, onText = () => {}) {
  const result = ai.streamText({ ...params, onError: () => {} })
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') onText(part.text)
  }
  const response = await result.response
  return { text: await result.text, response, responseMessages: await result.responseMessages }
}
