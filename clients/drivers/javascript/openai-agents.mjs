import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { z } from 'zod'
import { drive, settings, weather } from './contract.mjs'

const { url, key, model } = settings
const modelProvider = new OpenAIProvider({ baseURL: `${url}/api/v1`, apiKey: key, useResponses: true })
const runner = new Runner({ modelProvider, tracingDisabled: true })
const { name, description, run } = weather
const tools = [tool({ name, description, parameters: z.object({ city: z.string() }), execute: run })]

await drive(({ tools: hasTools, stream, signal, onText = () => {} }) => {
  const agent = new Agent({
    name: 'assistant',
    instructions: 'Answer briefly.',
    model,
    ...(hasTools ? { tools, modelSettings: { reasoning: { effort: 'medium', summary: 'auto' } } } : {}),
  })
  let history = []
  return async (prompt) => {
    const input = [...history, { role: 'user', content: prompt }]
    const result = await runner.run(agent, input, { stream, ...(signal === undefined ? {} : { signal }) })
    if (stream) {
      for await (const piece of result.toTextStream()) onText(piece)
      await result.completed
    }
    history = result.history
    return result.finalOutput ?? ''
  }
})
