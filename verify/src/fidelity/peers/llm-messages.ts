import { convert, normalizeResponse, type ConversationOf, type Provider, type Warning } from 'llm-messages'
import type { Converted, Converter, Task } from '../converter.ts'
import type { ProtocolName } from '../fact.ts'
import { objectOf, type JsonObject } from '../json.ts'

const PROVIDER_OF: { readonly [Name in ProtocolName]?: Provider } = {
  chat: 'openai',
  messages: 'anthropic',
  genai: 'gemini',
}
/** It converts only conversations, not settings. */
const REQUESTS: ReadonlySet<string> = new Set(['turns', 'media', 'documents', 'calls'])
const ANSWERS: ReadonlySet<string> = new Set(['answers', 'endings', 'usage'])

/** Uses its documented functions. Its responses are chat messages with a finish reason and counts. */
export const llmMessages: Converter = {
  name: 'llm-messages',
  scope: 'conversations; answers to chat',
  takes: ({ kind, area }, from, to) =>
    kind === 'request'
      ? REQUESTS.has(area) && from !== 'responses' && to !== 'responses'
      : kind === 'response' && to === 'chat' && ANSWERS.has(area),
  convert: (task) => (task.kind === 'request' ? convertRequest(task) : convertResponse(task)),
}

function convertRequest({ from, to, wire }: Task): Converted {
  const report: string[] = []
  const onWarning = ({ code, message }: Warning) => report.push(`${code}: ${message}`)
  const given = (from === 'chat' ? wire['messages'] : wire) as ConversationOf<Provider> // a body of that protocol
  const route = { from: PROVIDER_OF[from], to: PROVIDER_OF[to] }
  if (route.from === undefined || route.to === undefined) throw new Error('not a conversation that it converts')
  const converted: unknown = convert(given, { from: route.from, to: route.to }, { onWarning })
  return { wire: Array.isArray(converted) ? { messages: converted } : objectOf(converted), report }
}

function convertResponse({ from, wire }: Task): Converted {
  const report: string[] = []
  const { message, finishReason, usage } = normalizeResponse(
    wire,
    { from: PROVIDER_OF[from] ?? 'openai-responses' },
    { onWarning: ({ code, message: text }) => report.push(`${code}: ${text}`) },
  )
  const counts = { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }
  const body: JsonObject = {
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage: { ...counts, total_tokens: usage.inputTokens + usage.outputTokens },
  }
  return { wire: body, report }
}
