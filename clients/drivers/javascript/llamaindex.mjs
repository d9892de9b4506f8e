import { Anthropic, AnthropicSession } from '@llamaindex/anthropic'
import { Gemini } from '@llamaindex/google'
import { OpenAI } from '@llamaindex/openai'
import { agent, agentStreamEvent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
import { drive, settings, weather } from './contract.mjs'

const { url, key: apiKey, model, protocol } = settings

const LLM_OF = {
  chat: (thinks) =>
    new OpenAI({ model, apiKey, baseURL: `${url}/api/v1`, ...(thinks ? { reasoningEffort: 'medium' } : {}) }),
  messages: (thinks) =>
    new Anthropic({
      model,
      apiKey,
      maxTokens: 8192,
      session: new AnthropicSession({ apiKey, baseURL: `${url}/api/anthropic` }),
      ...(thinks
        ? { temperature: 1, additionalChatOptions: { thinking: { type: 'enabled', budget_tokens: 2048 } } }
        : {}),
    }),
  genai: () => new Gemini({ model, apiKey, httpOptions: { baseUrl: `${url}/api/vertex-ai` } }),
}

const { name, description, schema, run } = weather
const tools = [tool(run, { name, description, parameters: schema })]

await drive(({ tools: hasTools, stream, onText }) => {
  if (onText !== undefined) return readFirst(LLM_OF[protocol](false), onText)
  // Its agents do not return thinking, which Anthropic requires once it is enabled.
  const llm = LLM_OF[protocol](hasTools && !(stream && protocol === 'messages'))
  // Which models can use tools is a list of names.
  return stream && llm.supportToolCall ? runAgent(llm, hasTools) : chat(llm, hasTools)
})

/** The agent keeps the conversation in its memory. */
function runAgent(llm, hasTools) {
  const workflow = agent({ llm, tools: hasTools ? tools : [], verbose: false })
  let state
  return async (prompt) => {
    let text = ''
    const events = workflow.runStream(prompt, state === undefined ? undefined : { state })
    for await (const event of events) {
      if (agentStreamEvent.include(event)) text += event.data.delta
      if (event.data?.state !== undefined) ({ state } = event.data)
    }
    return text
  }
}

/** The loop over calls of its documentation, without an agent. */
function chat(llm, hasTools) {
  const messages = []
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt })
    for (;;) {
      const { message } = await llm.chat({ messages, ...(hasTools ? { tools } : {}) })
      messages.push(message)
      const calls = message.options?.toolCall ?? []
      if (calls.length === 0) return textOf(message.content)
      for (const { id, input } of calls) {
        const result = run(typeof input === 'string' ? JSON.parse(input) : input)
        messages.push({ role: 'user', content: result, options: { toolResult: { id, result, isError: false } } })
      }
    }
  }
}

/** It has no signal for an abort: leaving the loop ends the stream. */
function readFirst(llm, onText) {
  return async (prompt) => {
    for await (const { delta } of await llm.chat({ messages: [{ role: 'user', content: prompt }], stream: true })) {
      if (delta === '') continue
      onText(delta)
      break
    }
    return ''
  }
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}
