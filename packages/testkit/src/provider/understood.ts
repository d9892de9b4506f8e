import {
  createFold,
  createSseReader,
  type JsonObject,
  type Part,
  type Protocol,
  type ModelResponse,
  type StreamEvent,
} from '@dragoman/core'

/** What a client understands of the gateway's response. */
export interface Understood {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly finish: string | undefined
  readonly cites: readonly string[]
  /** The message of the error, if it is one. */
  readonly error: string | undefined
}

export function readAnswer(protocol: Protocol, status: number, contentType: string, text: string): Understood {
  if (status >= 400) return failed(protocol.error.decode(status, text).message)
  if (!contentType.startsWith('text/event-stream'))
    return understood(protocol.response.decode(JSON.parse(text) as JsonObject, { issuer: protocol.issuer })) // the gateway wrote it
  const events: StreamEvent[] = []
  const machine = protocol.stream.decode((event) => events.push(event), { issuer: protocol.issuer })
  const reader = createSseReader((data) => machine.push(data))
  reader.push(new TextEncoder().encode(text))
  reader.end()
  machine.end()
  const last = events.at(-1)
  if (last?.type === 'error') return failed(last.error.message)
  const fold = createFold()
  for (const event of events) fold.push(event)
  return understood(fold.response())
}

function failed(error: string): Understood {
  return { text: '', reasoning: '', calls: [], finish: undefined, cites: [], error }
}

function understood(response: ModelResponse): Understood {
  const [candidate] = response.candidates
  const parts = candidate?.parts ?? []
  return {
    text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    reasoning: parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.name, input: inputOf(part) }] : [])),
    finish: candidate?.finish.reason,
    cites: parts.flatMap(citedUrls),
    error: undefined,
  }
}

function inputOf(part: Extract<Part, { type: 'tool-call' }>): unknown {
  return typeof part.arguments === 'string' ? JSON.parse(part.arguments === '' ? '{}' : part.arguments) : part.arguments
}

function citedUrls(part: Part): string[] {
  const citations = part.type === 'text' ? (part.citations ?? []) : []
  return citations.flatMap(({ source }) => (source.kind === 'url' ? [source.url] : []))
}
