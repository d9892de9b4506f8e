import { expect, it } from 'vitest'
import type { ErrorKind } from '../../ir/error.ts'
import { chat } from '../chat/index.ts'
import { genai } from '../genai/index.ts'
import { messages } from '../messages/index.ts'
import { translateError, translateStream } from '../translate.ts'
import { responses } from './index.ts'

// The codes of a failed response, as the SDK lists them. What the caller sent is at fault, except for four.
const CODES: readonly (readonly [code: string, kind: ErrorKind, status: number])[] = [
  ['server_error', 'upstream-error', 500],
  ['rate_limit_exceeded', 'rate-limit', 429],
  ['vector_store_timeout', 'timeout', 504],
  ['invalid_prompt', 'invalid-request', 400],
  ['data_residency_mismatch', 'invalid-request', 400],
  ['bio_policy', 'invalid-request', 400],
  ['misalignment_policy_violation', 'invalid-request', 400],
  ['invalid_image', 'invalid-request', 400],
  ['invalid_image_format', 'invalid-request', 400],
  ['invalid_base64_image', 'invalid-request', 400],
  ['invalid_image_url', 'invalid-request', 400],
  ['image_too_large', 'invalid-request', 400],
  ['image_too_small', 'invalid-request', 400],
  ['image_parse_error', 'invalid-request', 400],
  ['image_content_policy_violation', 'invalid-request', 400],
  ['invalid_image_mode', 'invalid-request', 400],
  ['image_file_too_large', 'invalid-request', 400],
  ['unsupported_image_media_type', 'invalid-request', 400],
  ['empty_image_file', 'invalid-request', 400],
  ['failed_to_download_image', 'invalid-request', 400],
  ['image_file_not_found', 'invalid-request', 400],
]

it.each(CODES)('an answer that failed with %s is %s', (code, kind, status) => {
  const error = { code, message: 'No.', misalignment: { error_type: 'other' } }
  const body = JSON.stringify({ id: 'resp_1', object: 'response', status: 'failed', error, output: [] })
  expect(responses.error.decode(200, body)).toMatchObject({ kind, code, message: 'No.' })
  for (const caller of [chat, messages, genai, responses])
    expect(translateError(caller, responses, 200, body).status, `for ${caller.name}`).toBe(status)
})

it.each([chat, messages, genai])('a stream that fails with a new code says why to a client of $name', (caller) => {
  const response = { id: 'resp_1', status: 'failed', error: { code: 'misalignment_policy_violation', message: 'No.' } }
  let written = ''
  const stream = translateStream(caller, responses, (text) => (written += text))
  stream.push(new TextEncoder().encode(`data: ${JSON.stringify({ type: 'response.failed', response })}\n\n`))
  stream.end()
  expect(written).toContain('No.')
  expect(written).not.toContain('upstream')
})

it('keeps the code of a failed response for a client of responses', () => {
  const response = { id: 'resp_1', status: 'failed', error: { code: 'misalignment_policy_violation', message: 'No.' } }
  let written = ''
  const stream = translateStream(responses, responses, (text) => (written += text))
  const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } }
  stream.push(new TextEncoder().encode(`data: ${JSON.stringify(created)}\n\n`))
  stream.push(new TextEncoder().encode(`data: ${JSON.stringify({ type: 'response.failed', response })}\n\n`))
  stream.end()
  expect(written).toContain('"code":"misalignment_policy_violation"')
})
