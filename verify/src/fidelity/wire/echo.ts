import type { ProtocolName } from '../fact.ts'
import { listOf, objectOf, type JsonObject, type JsonValue } from '../json.ts'
import { ask } from './build.ts'

/** The next request of a client that sends back the whole response with the results of its calls, as the official clients do. */
export function echo(protocol: ProtocolName, answer: JsonObject): JsonObject {
  return ECHO[protocol](answer)
}

const RESULT = 'noon'

const ECHO: { readonly [Name in ProtocolName]: (answer: JsonObject) => JsonObject } = {
  chat(answer) {
    const message = objectOf(objectOf(listOf(answer['choices'])[0])['message'])
    const results = listOf(message['tool_calls']).map((call) => ({
      role: 'tool',
      tool_call_id: objectOf(call)['id'],
      content: RESULT,
    }))
    const next = results.length > 0 ? results : [{ role: 'user', content: 'Go on' }]
    return ask.chat({
      reasoning: { max_tokens: 2048 },
      max_completion_tokens: 32_000,
      messages: [{ role: 'user', content: 'Hello' }, message, ...next],
    })
  },
  messages(answer) {
    const content = listOf(answer['content'])
    const results = content
      .map(objectOf)
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: RESULT }))
    return ask.messages({
      thinking: { type: 'enabled', budget_tokens: 2048 },
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content },
        { role: 'user', content: orGoOn(results, { type: 'text', text: 'Go on' }) },
      ],
    })
  },
  genai(answer) {
    const content = objectOf(objectOf(listOf(answer['candidates'])[0])['content'])
    const results = listOf(content['parts'])
      .map((part) => objectOf(part)['functionCall'])
      .filter((call) => call !== undefined)
      .map((call) => {
        const { id, name } = objectOf(call)
        return { functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: RESULT } } }
      })
    return ask.genai({
      generationConfig: { thinkingConfig: { thinkingBudget: 2048 } },
      contents: [
        { role: 'user', parts: [{ text: 'Hello' }] },
        content,
        { role: 'user', parts: orGoOn(results, { text: 'Go on' }) },
      ],
    })
  },
  responses(answer) {
    const items = listOf(answer['output'])
    const results = items
      .map(objectOf)
      .filter(({ type }) => type === 'function_call')
      .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: RESULT }))
    return ask.responses({
      reasoning: { effort: 'low' },
      max_output_tokens: 32_000,
      store: false,
      input: [{ role: 'user', content: 'Hello' }, ...items, ...orGoOn(results, { role: 'user', content: 'Go on' })],
    })
  },
}

function orGoOn(results: readonly JsonValue[], words: JsonObject): readonly JsonValue[] {
  return results.length > 0 ? results : [words]
}
