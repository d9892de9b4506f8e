import { DragomanError, type ErrorKind } from '../ir/error.ts'
import { defined } from '../lib/members.ts'

/** The counts of tokens that an error names. */
interface Overflow {
  readonly input?: number
  /** The requested output, if the input alone would fit. */
  readonly output?: number
  readonly limit?: number
}

/**
 * How a vendor describes an overflow: a request that does not fit into the context window of its model. Clients search for these
 * words, to compact the conversation or to lower the limit of the answer.
 */
export interface OverflowWords {
  /** Matches a message that has these words already; it is kept. */
  readonly own: RegExp
  withOutput(input: number, output: number, limit: number): string
  withInput(input: number, limit: number): string
  readonly plain: string
}

/** Kinds of errors that can be an overflow. A rate limit counts tokens too. */
const KINDS: readonly ErrorKind[] = ['invalid-request', 'unprocessable', 'too-large']
const CODES: readonly unknown[] = ['context_length_exceeded', 'context_window_exceeded', 'exceed_context_size_error']

/** Vendors' messages are shorter. A limit, so that a long message costs no more. */
const LONGEST = 2000

/** The error in the words that clients of a protocol search for, if it is an overflow; otherwise the same error. */
export function inVendorWords(error: DragomanError, words: OverflowWords): DragomanError {
  const overflow = overflowOf(error)
  if (overflow === undefined) return error
  const message = messageOf(error.message.slice(0, LONGEST), overflow, words)
  return new DragomanError('invalid-request', message, { code: 'context_length_exceeded', cause: error.cause })
}

/** Whether an upstream refused a request that does not fit into the context window of its model. */
export function isOverflow(error: DragomanError): boolean {
  return overflowOf(error) !== undefined
}

function overflowOf({ kind, code, message }: DragomanError): Overflow | undefined {
  if (!KINDS.includes(kind)) return undefined
  const text = message.slice(0, LONGEST)
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text)
    if (found !== null) return countsOf(found.groups ?? {})
  }
  return CODES.includes(code) ? {} : undefined
}

function messageOf(message: string, { input, output, limit }: Overflow, words: OverflowWords): string {
  if (words.own.test(message)) return message
  if (input === undefined || limit === undefined) return `${words.plain} (${message})`
  return output === undefined ? words.withInput(input, limit) : words.withOutput(input, output, limit)
}

/** Counts that do not explain the refusal are left out. */
function countsOf(groups: { readonly [name: string]: string | undefined }): Overflow {
  const [input, output = 0, limit] = [groups['input'], groups['output'], groups['limit']].map(numberOf)
  if (limit === undefined || input === undefined || input + output <= limit) return defined({ limit })
  return input > limit ? { input, limit } : { input, output, limit }
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits)
}

/** How upstreams describe an overflow. The first match counts; all texts are recorded in the test. */
const PATTERNS: readonly RegExp[] = [
  // Anthropic; Fireworks
  /prompt is too long: (?<input>\d+) tokens > (?<limit>\d+)/i,
  /prompt is too long: (?<input>\d+), model maximum context length: (?<limit>\d+)/i,
  /prompt is too long/i,
  /exceed context limit: (?<input>\d+) \+ (?<output>\d+) > (?<limit>\d+)/i,
  // Bedrock
  /input is too long for requested model/i,
  // vLLM
  /is too large: (?<output>\d+)\. This model's maximum context length is (?<limit>\d+) tokens and your request has (?<input>\d+) input tokens/i,
  /maximum context length is (?<limit>\d+) tokens\D+(?<input>\d+) input tokens plus (?<output>\d+)/i,
  // OpenAI, Azure, DeepSeek, OpenRouter, older vLLM
  /maximum context length is (?<limit>\d+) tokens\D+\d+ tokens \((?<input>\d+)\D+(?<output>\d+) (?:in|for) the (?:completion|output)/i,
  /maximum context length is (?<limit>\d+) tokens(?:\D+(?<input>\d+))?/i,
  /input tokens exceed the configured limit of (?<limit>\d+) tokens(?:\D+(?<input>\d+))?/i,
  /exceeds the context window/i,
  // Google
  /input token count(?: \((?<input>\d+)\))? exceeds the maximum number of tokens allowed(?: \(?(?<limit>\d+))?/i,
  // xAI
  /maximum prompt length is (?<limit>\d+)(?:\D+(?<input>\d+))?/i,
  // Mistral
  /prompt contains (?<input>\d+) tokens\b.{0,80}too large for model with (?<limit>\d+) maximum context length/i,
  // SGLang, Together
  /maximum context length of (?<limit>\d+) tokens(?:\D+\d+ tokens: (?<input>\d+)\D+(?<output>\d+))?/i,
  /\((?<input>\d+) tokens\) is longer than the model's context length \((?<limit>\d+)/i,
  // llama.cpp, LM Studio
  /request \((?<input>\d+) tokens\) exceeds the available context size \((?<limit>\d+)/i,
  /exceeds the available context size|greater than the context length/i,
  // GitHub Copilot
  /prompt token count of (?<input>\d+) exceeds the limit of (?<limit>\d+)/i,
  // Moonshot, MiniMax
  /exceeded model token limit: (?<limit>\d+)(?: \(requested: (?<input>\d+))?/i,
  /context window exceeds limit/i,
  // Cerebras, Groq
  /current length is (?<input>\d+) while limit is (?<limit>\d+)/i,
  /reduce the length of the messages/i,
  // DashScope
  /range of input length should be \[\d+, (?<limit>\d+)\]/i,
  // Text Generation Inference
  /`max_new_tokens` must be <= (?<limit>\d+)\. Given: (?<input>\d+) `inputs` tokens and (?<output>\d+)/i,
]
