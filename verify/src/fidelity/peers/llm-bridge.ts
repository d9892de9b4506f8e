import { handleUniversalStreamRequest, parseProviderError, translateBetweenProviders, translateError } from 'llm-bridge'
import type { Converter, Task } from '../converter.ts'
import type { ProtocolName } from '../fact.ts'
import { objectOf, textOf, type JsonObject } from '../json.ts'

const PROVIDER_OF = {
  chat: 'openai',
  messages: 'anthropic',
  genai: 'google',
  responses: 'openai-responses',
} as const satisfies {
  readonly [Name in ProtocolName]: string
}

type Translate = (from: string, to: string, body: JsonObject) => unknown
const translate = translateBetweenProviders as Translate // its types come from packages that it does not depend on

/** Uses its documented functions. It has none for whole responses, and reports nothing. */
export const llmBridge: Converter = {
  name: 'llm-bridge',
  scope: 'no whole answers; no errors of Responses',
  takes: ({ kind }, from, to) =>
    kind !== 'response' && (kind !== 'error' || (from !== 'responses' && to !== 'responses')),
  async convert(task) {
    return { wire: await convert(task), report: [] }
  },
}

async function convert({ kind, from, to, wire }: Task): Promise<JsonObject> {
  const source = PROVIDER_OF[from]
  const target = PROVIDER_OF[to]
  if (kind === 'request') {
    return objectOf(translate(source, target, wire))
  }
  if (kind === 'stream') {
    const input = new Response(textOf(wire['text'])).body ?? new ReadableStream()
    return { text: await new Response(handleUniversalStreamRequest(input, source, target)).text() }
  }
  const answered = new Response(null, { status: Number(wire['status']) })
  const { statusCode, body } = translateError(parseProviderError(wire['body'], source, answered), target)
  return { status: statusCode, body }
}
