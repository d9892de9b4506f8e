import {
  DEFAULT_POLICIES,
  openaiChatDefaultProfile,
  translate,
  type ApiFormat,
  type ProviderProfile,
} from 'llm-protocol'
import type { Converted, Converter, Task } from '../converter.ts'
import type { ProtocolName } from '../fact.ts'
import { objectOf, parse, textOf, type JsonObject } from '../json.ts'
import { ask } from '../wire/build.ts'

const FORMAT_OF: { readonly [Name in ProtocolName]?: ApiFormat } = {
  chat: 'openai-chat',
  messages: 'anthropic-messages',
}
const PATH_OF: { readonly [format: string]: string } = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
}

/** A chat upstream that sends its reasoning, as in the specification. */
const PROFILE: ProviderProfile = {
  ...openaiChatDefaultProfile,
  capabilities: { ...openaiChatDefaultProfile.capabilities, thinking: true, reasoningField: 'reasoning_content' },
}

/** Uses its factory with our own fetch: it sends the translated request, and returns the translated response. */
export const llmProtocol: Converter = {
  name: 'llm-protocol',
  scope: 'chat and messages',
  takes: (_fixture, from, to) => FORMAT_OF[from] !== undefined && FORMAT_OF[to] !== undefined,
  convert: (task) => (task.kind === 'request' ? convertRequest(task) : convertAnswer(task)),
}

async function convertRequest({ from, to, wire }: Task): Promise<Converted> {
  let sent: JsonObject | undefined
  const report: string[] = []
  const { response } = await forward(FORMAT_OF[from], FORMAT_OF[to], wire, report, async (request) => {
    sent = objectOf(await request.json())
    return Response.json({ error: { type: 'api_error', message: 'unused' } }, { status: 500 })
  })
  if (sent === undefined) throw new Error(`refused: ${await response.text()}`)
  return { wire: sent, report }
}

async function convertAnswer({ kind, from, to, wire }: Task): Promise<Converted> {
  const report: string[] = []
  const asked = { ...(to === 'genai' ? {} : ask[to]()), ...(kind === 'stream' ? { stream: true } : {}) }
  const { response } = await forward(FORMAT_OF[to], FORMAT_OF[from], asked, report, () => {
    if (kind === 'stream')
      return new Response(textOf(wire['text']), { headers: { 'content-type': 'text/event-stream' } })
    return kind === 'error' ? Response.json(wire['body'], { status: Number(wire['status']) }) : Response.json(wire)
  })
  const text = await response.text()
  if (kind === 'stream') return { wire: { text }, report }
  const body = objectOf(parse(text))
  return { wire: kind === 'error' ? { status: response.status, body } : body, report }
}

async function forward(
  from: ApiFormat | undefined,
  to: ApiFormat | undefined,
  body: JsonObject,
  report: string[],
  upstream: (request: Request) => Response | Promise<Response>,
): Promise<{ readonly response: Response }> {
  if (from === undefined || to === undefined) throw new Error('not a format that it supports')
  const handle = translate({
    from,
    to,
    fetch: async (input, init) => upstream(new Request(input, init)),
    policies: { ...DEFAULT_POLICIES, reasoning: 'provider_metadata' },
    profiles: { 'openai-chat': PROFILE },
    trace: ({ warnings }) =>
      report.push(...warnings.map(({ code, field, message }) => `${code} ${field ?? ''}: ${message}`)),
  })
  const url = `https://upstream.example${PATH_OF[from] ?? ''}`
  const headers = { authorization: 'Bearer key', 'x-api-key': 'key', 'content-type': 'application/json' }
  return { response: await handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) })) }
}
