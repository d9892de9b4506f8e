import OpenAI from 'openai'
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems'
import { drive, settings, weather } from './contract.mjs'

const { url, key, model } = settings
const client = new OpenAI({ baseURL: `${url}/api/v1`, apiKey: key })
const { name, description, schema, run } = weather
const tools = [{ type: 'function', name, description, parameters: schema, strict: true }]

await drive(({ tools: hasTools, stream, signal, onText }) => {
  const options = hasTools ? { tools, reasoning: { effort: 'medium', summary: 'auto' } } : {}
  const input = []
  return async (prompt) => {
    input.push({ role: 'user', content: prompt })
    for (;;) {
      const answer = await complete({ model, input, ...options }, stream, signal, onText)
      input.push(...toResponseInputItems(answer.output))
      const calls = answer.output.filter(({ type }) => type === 'function_call')
      if (calls.length === 0) return answer.output_text
      for (const { call_id, arguments: given } of calls)
        input.push({ type: 'function_call_output', call_id, output: run(JSON.parse(given)) })
    }
  }
})

async function complete(body, isStreamed, signal, onText) {
  const options = signal === undefined ? {} : { signal }
  if (!isStreamed) return client.responses.parse(body, options)
  const stream = client.responses.stream(body, options)
  if (onText !== undefined) stream.on('response.output_text.delta', ({ delta }) => onText(delta))
  return stream.finalResponse()
}
