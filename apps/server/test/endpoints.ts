import { expect } from 'vitest'
import { at, type Endpoint } from './fields.ts'

export const chat: Endpoint = {
  protocol: 'chat',
  path: () => '/api/v1/chat/completions',
  headers: (key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' }),
  body: (model, stream) => ({
    model,
    messages: [{ role: 'user', content: 'Tell me about Paris' }],
    ...(stream ? { stream } : {}),
  }),
  complaint(body) {
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', message: expect.any(String) as string } })
    expect(Object.keys(at(body, 'error') as object).sort()).toEqual(['code', 'message', 'param', 'type'])
    return `${String(at(body, 'error', 'param'))}: ${String(at(body, 'error', 'message'))}`
  },
}

export const responses: Endpoint = {
  protocol: 'responses',
  path: () => '/api/v1/responses',
  headers: chat.headers,
  body: (model, stream) => ({ model, input: 'Tell me about Paris', ...(stream ? { stream } : {}) }),
  complaint: chat.complaint,
}

export const messages: Endpoint = {
  protocol: 'messages',
  path: () => '/api/anthropic/v1/messages',
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }),
  body: (model, stream) => ({
    model,
    max_tokens: 1000,
    messages: [{ role: 'user', content: 'Tell me about Paris' }],
    ...(stream ? { stream } : {}),
  }),
  complaint(body) {
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    expect(body['request_id']).toMatch(/^req_/)
    return String(at(body, 'error', 'message'))
  },
}

export const genai: Endpoint = {
  protocol: 'genai',
  path: (model, stream) =>
    `/api/vertex-ai/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  headers: (key) => ({ 'x-goog-api-key': key, 'content-type': 'application/json' }),
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Tell me about Paris' }] }] }),
  complaint(body) {
    expect(body).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    return String(at(body, 'error', 'message'))
  },
}
