import { describe, expect, it } from 'vitest'
import { DragomanError } from '../../ir/error.ts'
import { chat } from '../chat/index.ts'
import { genai } from '../genai/index.ts'
import { responses } from '../responses/index.ts'
import { translateError } from '../translate.ts'
import { messages } from './index.ts'

const messageOf = (error: DragomanError): unknown =>
  (messages.error.encode(error, 'req_1').body['error'] as { readonly message?: unknown }).message // its shape

it.each([
  'thread_already_continued',
  'thread_continue_in_flight',
  'thread_fingerprint_mismatch',
  'thread_not_found',
  'thread_unsupported_request',
])('an error about a thread keeps its code, after which the SDK acts: %s', (error_code) => {
  const error = { type: 'invalid_request_error', message: 'No.', details: { error_visibility: 'user', error_code } }
  const body = JSON.stringify({ type: 'error', error })
  expect(translateError(messages, messages, 400, body).body).toMatchObject({ error: { details: { error_code } } })
  expect(messages.error.decode(200, body)).toMatchObject({ details: { error_code } })
})

const UNSUPPORTED = { error_code: 'thread_unsupported_request', unsupported: ['fallbacks'] }

it.each([
  [chat, {}],
  [responses, {}],
  [messages, { details: UNSUPPORTED }],
  [genai, { details: [{ metadata: { ...UNSUPPORTED, unsupported: 'fallbacks' } }] }],
] as const)(
  'an error about a thread says why to a client of another protocol, and of its own: %#',
  (caller, members) => {
    const details = { error_visibility: 'user', ...UNSUPPORTED }
    const error = { type: 'invalid_request_error', message: 'No fallbacks.', details }
    const { status, body } = translateError(caller, messages, 400, JSON.stringify({ type: 'error', error }))
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { message: 'No fallbacks.', ...members } })
  },
)

describe('a refusal of instructions in the middle of a conversation', () => {
  it('has the words after which Claude Code sends them in another way (trap 75)', () => {
    // vLLM with a template of Qwen.
    const body = '{"error":{"message":"System message must be at the beginning.","type":"BadRequestError","code":400}}'
    const { status } = messages.error.encode(chat.error.decode(400, body), 'req_1')
    expect(status).toBe(400)
    expect(messageOf(chat.error.decode(400, body))).toBe(
      "messages.role: Input should be 'user' or 'assistant' (System message must be at the beginning.)",
    )
  })

  it('of a messages upstream is forwarded as it is', () => {
    const body =
      '{"type":"error","error":{"type":"invalid_request_error","message":"messages.2.role: Input should be \'user\' or \'assistant\'"}}'
    expect(messageOf(messages.error.decode(400, body))).toBe("messages.2.role: Input should be 'user' or 'assistant'")
  })

  it('is not read into errors of a server', () => {
    const text = 'System message must be at the beginning.'
    expect(messageOf(new DragomanError('upstream-error', text))).toBe(text)
  })
})
