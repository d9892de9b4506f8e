import { describe, expect, it } from 'vitest'
import { DragomanError } from '../ir/error.ts'
import { chat } from './chat/index.ts'
import { genai } from './genai/index.ts'
import { messages } from './messages/index.ts'
import type { Protocol } from './protocol.ts'

/** What upstreams answered to a request that is too long, and the counts in it: input, limit, and the requested output. */
const RECORDED: readonly [vendor: string, text: string, counts?: readonly [number, number, number?]][] = [
  ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum', [213462, 200000]],
  [
    'Anthropic',
    'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    [178959, 200000, 64000],
  ],
  ['Bedrock', 'Input is too long for requested model.'],
  ['Fireworks', 'The prompt is too long: 131073, model maximum context length: 131071', [131073, 131071]],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
    [8545, 8192],
  ],
  [
    'OpenAI',
    "This model's maximum context length is 4096 tokens. However, you requested 4104 tokens (3104 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
    [3104, 4096, 1000],
  ],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (6683 in the messages, 730 in the functions, and 800 in the completion). Please reduce the length of the messages, functions, or completion.",
    [8213, 8192],
  ],
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  [
    'Azure',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.',
    [300123, 272000],
  ],
  [
    'DeepSeek',
    "This model's maximum context length is 65536 tokens. However, you requested 87731 tokens (87731 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    [87731, 65536],
  ],
  [
    'OpenRouter',
    'This endpoint\'s maximum context length is 40960 tokens. However, you requested about 42988 tokens (38892 of text input, 4096 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    [38892, 40960, 4096],
  ],
  [
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 2104 input tokens (2000 > 4096 - 2104).",
    [2104, 4096, 2000],
  ],
  [
    'vLLM',
    "This model's maximum context length is 2048 tokens. However, your request has 8 input tokens plus 2045 'max_tokens'. Please reduce one or the other. (parameter=input_tokens, max_tokens, value=(8, 2045))",
    [8, 2048, 2045],
  ],
  [
    'Google',
    'The input token count (1058724) exceeds the maximum number of tokens allowed (1048576).',
    [1058724, 1048576],
  ],
  ['Google', 'The input token count exceeds the maximum number of tokens allowed (1048576).'],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", [537812, 131072]],
  [
    'Mistral',
    'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    [65673, 32768],
  ],
  ['Together', "The input (40001 tokens) is longer than the model's context length (32768 tokens).", [40001, 32768]],
  [
    'SGLang',
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 131000 tokens from the input messages and 9000 tokens for the completion.",
    [131000, 131072, 9000],
  ],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
  [
    'llama.cpp',
    'request (65646 tokens) exceeds the available context size (65536 tokens), try increasing it',
    [65646, 65536],
  ],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
  ['GitHub Copilot', 'prompt token count of 128257 exceeds the limit of 128000', [128257, 128000]],
  [
    'Moonshot',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 290201)',
    [290201, 262144],
  ],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)'],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  [
    'Cerebras',
    'Please reduce the length of the messages or completion. Current length is 8500 while limit is 8192',
    [8500, 8192],
  ],
  ['DashScope', '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]'],
  [
    'TGI',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 100 `max_new_tokens`',
    [4000, 4096, 100],
  ],
]

interface Encoded {
  readonly message: string
  readonly code?: unknown
  readonly type?: string
  readonly status?: string
}

function encode(protocol: Protocol, error: DragomanError): Encoded {
  const { status, body } = protocol.error.encode(error, 'req_1')
  expect(status).toBe(400)
  return body['error'] as unknown as Encoded // every protocol has it there
}

function textOf(count: number | undefined): string | undefined {
  return count === undefined ? undefined : String(count)
}

describe.each(RECORDED)('a request that is too long for %s: %s', (_vendor, text, counts) => {
  const error = new DragomanError('invalid-request', text, { code: '400' })
  const [input, limit, output] = counts ?? []

  it('is what Claude Code searches for (trap 75)', () => {
    const { type, message } = encode(messages, error)
    expect(type).toBe('invalid_request_error')
    // The expressions of Claude Code 2.1.
    const [, tokens, most] = /prompt is too long[^0-9]*(\d+)\s*tokens?\s*>\s*(\d+)/i.exec(message) ?? []
    const [, both = tokens, requested, window = most] =
      /input length and `max_tokens` exceed context limit: (\d+) \+ (\d+) > (\d+)/.exec(message) ?? []
    expect(message).toMatch(/prompt is too long|exceed context limit/)
    expect([both, window, requested]).toEqual([input, limit, output].map(textOf))
  })

  it('has the code and the words of OpenAI (trap 75)', () => {
    const { code, type, message } = encode(chat, error)
    expect({ code, type }).toEqual({ code: 'context_length_exceeded', type: 'invalid_request_error' })
    expect(message).toMatch(/maximum context length|context window of this model|configured limit/)
    expect(message.match(/\d+/g) ?? []).toEqual(expect.arrayContaining((counts ?? []).map(String)))
  })

  it('has the words of Google (trap 75)', () => {
    const { status, message } = encode(genai, error)
    expect(status).toBe('INVALID_ARGUMENT')
    expect(message).toMatch(/^The input token count( \(\d+\))? exceeds the maximum number of tokens allowed/)
    const [, tokens, allowed] = /\((\d+)\) exceeds .* \((\d+)\)/.exec(message) ?? []
    expect([tokens, allowed]).toEqual([input, limit === undefined ? undefined : limit - (output ?? 0)].map(textOf))
  })
})

describe('a request that is too long', () => {
  const long = 'the request exceeds the available context size'

  it('keeps the message of an upstream of the same vendor', () => {
    for (const [protocol, text] of [
      [chat, "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens."],
      [messages, 'prompt is too long: 213462 tokens > 200000 maximum'],
      [genai, 'The input token count (9) exceeds the maximum number of tokens allowed (8).'],
    ] as const)
      expect(encode(protocol, new DragomanError('invalid-request', text)).message).toBe(text)
  })

  it('keeps the message beside the words of the protocol if it has no counts', () => {
    expect(encode(messages, new DragomanError('invalid-request', long)).message).toBe(`prompt is too long (${long})`)
  })

  it('is found by its code, by a status of 413 or 422, and behind the error of a router', () => {
    const coded = chat.error.decode(400, '{"error":{"message":"Too much.","code":"context_length_exceeded"}}')
    const raw = JSON.stringify({ error: { message: long } })
    const nested = { error: { message: 'Provider returned error', code: 400, metadata: { raw } } }
    const routed = chat.error.decode(400, JSON.stringify(nested))
    expect(routed.message).toBe(`Provider returned error: ${long}`)
    for (const error of [
      coded,
      routed,
      new DragomanError('too-large', long),
      new DragomanError('unprocessable', long),
    ]) {
      expect(encode(messages, error).message).toContain('prompt is too long')
      expect(encode(chat, error).code).toBe('context_length_exceeded')
    }
  })

  it.each([
    [
      'rate-limit',
      'Request too large for model: tokens per minute (TPM): Limit 6000, Requested 7000. Please reduce the length of the messages.',
    ],
    ['invalid-request', 'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.'],
    ['invalid-request', "Invalid 'user': string too long. Expected a string with maximum length 64."],
    ['too-large', 'Request exceeds the maximum size'],
    ['unavailable', long],
  ] as const)('is not every refusal: %s, %s', (kind, text) => {
    const { message, type } = messages.error.encode(new DragomanError(kind, text), '').body['error'] as never
    expect({ message, type }).toEqual({ message: text, type: expect.any(String) as unknown })
  })

  it('costs no more for a long message', () => {
    const words = RECORDED.map(([, text]) => text.replace(/\d+/g, '1').slice(0, 40)).join(' ')
    const hostile = new DragomanError('invalid-request', 'input token count ('.repeat(20_000) + words.repeat(1000))
    const started = performance.now()
    for (const protocol of [chat, messages, genai]) protocol.error.encode(hostile, '')
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
