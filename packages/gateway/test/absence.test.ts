import { protocols } from '@dragoman/core/protocols'
import { describe, expect, it } from 'vitest'
import { absenceOf } from '../src/health/absence.ts'

const readings = protocols.map(
  (protocol) => [protocol.name, (status: number, body: string) => protocol.error.decode(status, body)] as const,
)

/** The form of OpenAI. */
function errorBody(message: string, more: object = {}): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null, ...more } })
}

// Each as the named server writes it.
const MISSING: readonly (readonly [server: string, status: number, body: string])[] = [
  ['OpenAI', 404, errorBody('Invalid URL (POST /v1/responses)')],
  [
    'Groq',
    404,
    errorBody('Unknown request URL: POST /openai/v1/responses. Please check the URL for typos.', {
      code: 'unknown_url',
    }),
  ],
  ['FastAPI', 404, '{"detail":"Not Found"}'],
  ['FastAPI', 405, '{"detail":"Method Not Allowed"}'],
  ['vLLM', 404, errorBody('Not Found', { type: 'NotFoundError', code: 404 })],
  ['llama.cpp', 404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'],
  ['Go', 404, '404 page not found\n'],
  ['Express', 404, '<!DOCTYPE html>\n<html><body>\n<pre>Cannot POST /v1/responses</pre>\n</body></html>'],
  [
    'nginx',
    404,
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body><center><h1>404 Not Found</h1></center></body></html>',
  ],
  ['nginx', 405, '<html>\r\n<head><title>405 Not Allowed</title></head>\r\n<body></body></html>'],
  ['Apache', 404, '<title>404 Not Found</title><p>The requested URL was not found on this server.</p>'],
  ['Spring', 404, '{"timestamp":"2026-08-01T00:00:00Z","status":404,"error":"Not Found","path":"/v1/responses"}'],
  ['Kong', 404, '{"message":"no Route matched with those values"}'],
  ['Azure', 404, '{"error":{"code":"404","message":"Resource not found"}}'],
  ['Azure API Management', 404, '{ "statusCode": 404, "message": "Resource not found" }'],
  ['LM Studio', 200, '{"error":"Unexpected endpoint or method. (POST /v1/responses)"}'],
  ['a server', 404, ''],
  ['a server', 501, 'Not Implemented'],
]

const ELSEWHERE: readonly (readonly [server: string, status: number, body: string])[] = [
  [
    'OpenAI',
    404,
    errorBody('This model is only supported in v1/responses and not in v1/chat/completions.', { param: 'model' }),
  ],
  [
    'OpenAI',
    404,
    errorBody(
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      {
        param: 'model',
      },
    ),
  ],
  [
    'OpenAI',
    400,
    errorBody("The requested model 'gpt-4o-search-preview' is not supported with the Responses API.", {
      param: 'model',
      code: 'model_not_found',
    }),
  ],
  [
    'Azure',
    400,
    errorBody('The chatCompletion operation does not work with the specified model, m.', {
      code: 'OperationNotSupported',
    }),
  ],
  [
    'GitHub',
    400,
    errorBody('model m is not accessible via the /chat/completions endpoint', { code: 'unsupported_api_for_model' }),
  ],
]

const OTHERS: readonly (readonly [what: string, status: number, body: string])[] = [
  [
    'a model of OpenAI',
    404,
    errorBody('The model `m` does not exist or you do not have access to it.', { code: 'model_not_found' }),
  ],
  [
    'a model of vLLM',
    404,
    errorBody('The model `m` does not exist.', { type: 'NotFoundError', param: 'model', code: 404 }),
  ],
  ['a model of Ollama', 404, errorBody('model "m" not found, try pulling it first', { type: 'api_error' })],
  ['a model in text', 404, 'model not found'],
  [
    'a deployment of Azure',
    404,
    '{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}',
  ],
  [
    'an item',
    404,
    errorBody("Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.", {
      param: 'input',
    }),
  ],
  ['a file', 404, errorBody('No such File object: file-abc', { param: 'id' })],
  ['a missing file', 404, errorBody('File file-abc was not found')],
  ['a plan', 405, '{ "error": "Coding Plan is currently only available for Coding Agents" }'],
  [
    'a parameter',
    400,
    errorBody("Unsupported value: 'minimal' is not supported with the 'm' model in the Responses API.", {
      param: 'reasoning.effort',
    }),
  ],
  ['a member', 400, errorBody('Unknown parameter: input.')],
  ['a fault', 500, errorBody('Invalid URL (POST /v1/responses)')],
  ['a key', 401, '{"detail":"Not Found"}'],
  ['an answer', 200, '{"error":{"message":"The model is busy.","type":"server_error"}}'],
]

describe.each(readings)('an error that %s reads', (_name, decode) => {
  it.each(MISSING)('says that there is no endpoint, as %s does with %i', (_server, status, body) => {
    expect(absenceOf(status, decode(status, body), body)).toBe('endpoint')
  })

  it.each(OTHERS)('is about something else: %s', (_what, status, body) => {
    expect(absenceOf(status, decode(status, body), body)).toBeUndefined()
  })
})

describe('an error about a model', () => {
  it.each(ELSEWHERE)('says that another endpoint serves it, as %s does with %i', (_server, status, body) => {
    for (const [, decode] of readings.filter(([name]) => name === 'chat' || name === 'responses'))
      expect(absenceOf(status, decode(status, body), body)).toBe('model')
  })
})
