import type { Form } from './providers.ts'

/** What a caller wants. */
export interface Asked {
  /** `<provider>/<model>`, or an alias. */
  readonly model: string
  readonly prompt?: string
  readonly stream?: boolean
  readonly maxTokens?: number
  /** Members of the body. */
  readonly more?: object
  readonly headers?: { readonly [name: string]: string }
}

/** The request of a call. */
export function requestOf(url: string, secret: string, form: Form, asked: Asked): Request {
  const { prompt = 'Hello.', stream = false, maxTokens = 1000, more, headers } = asked
  const [path, body] = WRITE[form](asked.model, prompt, stream, maxTokens)
  return new Request(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      ...(form === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
      ...headers,
    },
    body: JSON.stringify({ ...body, ...more }),
  })
}

type Write = (model: string, prompt: string, stream: boolean, maxTokens: number) => readonly [string, object]

const WRITE: Readonly<Record<Form, Write>> = {
  chat: (model, content, stream, max_completion_tokens) => [
    '/api/v1/chat/completions',
    { model, messages: [{ role: 'user', content }], max_completion_tokens, stream },
  ],
  messages: (model, content, stream, max_tokens) => [
    '/api/anthropic/v1/messages',
    { model, messages: [{ role: 'user', content }], max_tokens, stream },
  ],
  genai(model, text, stream, maxOutputTokens) {
    const [publisher = '', ...name] = model.split('/')
    const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const body = { contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens } }
    return [`/api/vertex-ai/v1/publishers/${publisher}/models/${name.join('/')}:${action}`, body]
  },
  responses: (model, input, stream, max_output_tokens) => [
    '/api/v1/responses',
    { model, input, max_output_tokens, stream, store: false },
  ],
  rerank: (model, query) => ['/api/v1/rerank', { model, query, documents: ['The boats are in.'] }],
}

/** An answer that was read to its end. */
export interface Answered {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly requestId: string
}

/** Sends a call and reads its answer. Status 0: the connection was lost. */
export async function ask(url: string, secret: string, form: Form, asked: Asked): Promise<Answered> {
  return read(requestOf(url, secret, form, asked))
}

export async function read(request: Request): Promise<Answered> {
  try {
    const response = await fetch(request)
    const { status, headers } = response
    const text = await response.text().catch(() => '')
    return { status, text, headers, requestId: headers.get('x-request-id') ?? '' }
  } catch {
    return { status: 0, text: '', headers: new Headers(), requestId: '' }
  }
}
