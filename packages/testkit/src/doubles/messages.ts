import { acceptMessagesRequest } from './messages-request.ts'
import { isWire, list, refuse } from './refuse.ts'
import { createSeals, DEFAULT_USAGE, tokensOf, type Answer, type AnswerPart, type Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const SEALS = createSeals('messages')
/** Models that accept instructions in the middle of a conversation. */
const SYSTEM_TURNS = /^claude-(opus-4-8|[a-z]+-5)/
const VERSIONS = ['2023-06-01', '2026-10-21']

/** A messages upstream: `POST /v1/messages` and its token count, as strict as the real one. One model accepts system turns. */
export function createMessagesDouble(script: Script): Promise<Double> {
  return createDouble(
    {
      paths: ['/v1/messages', '/v1/messages/count_tokens'],
      accept,
      answer(call, answer) {
        if (call.path.endsWith('/count_tokens')) return { input_tokens: JSON.stringify(call.body).length }
        const shown = asShown(call, answer)
        return call.body['stream'] === true ? framesOf(call, shown) : bodyOf(call, shown)
      },
      error: (_status, { type, message }) => ({ type: 'error', error: { type, message }, request_id: 'double' }),
      errorFrame: (body) => `event: error\ndata: ${JSON.stringify(body)}\n\n`,
      ping: frame('ping', {}),
      seal: SEALS.sign,
      hide: SEALS.hide,
    },
    script,
  )
}

function accept({ path, headers, body }: Received): void {
  if (headers['x-api-key'] === undefined && headers['authorization'] === undefined)
    throw new UnknownKeyError('x-api-key header is required')
  const version = headers['anthropic-version']
  if (version === undefined) refuse('anthropic-version', 'header is required')
  if (!VERSIONS.includes(String(version))) refuse('anthropic-version', `"${String(version)}" is not a valid version`)
  const counting = path.endsWith('/count_tokens')
  acceptMessagesRequest(counting ? { max_tokens: 100_000, ...body } : body, {
    // An omitted block has the same signature as one with its text, so a block whose text is gone is an omitted one.
    signed: (signature, text) => SEALS.isSigned(signature, text) || (text === '' && SEALS.isOwn(signature)),
    issued: SEALS.isHidden,
    systemTurns: SYSTEM_TURNS.test(String(body['model'])),
    betas: String(headers['anthropic-beta'] ?? '').split(/, */),
  })
}

/**
 * With `display: "omitted"`, thinking has an empty text, and is to be sent back like that. Anthropic documents that its signature is the same
 * as with a text, and contains the reasoning (platform.claude.com, "Controlling thinking display").
 */
function asShown({ body }: Received, answer: Answer): Answer {
  const { thinking } = body
  if (!isWire(thinking) || thinking['display'] !== 'omitted') return answer
  return { ...answer, parts: answer.parts.map((part) => ('reasoning' in part ? { ...part, omitted: true } : part)) }
}

function bodyOf(call: Received, answer: Answer): object {
  return { ...headOf(call), content: answer.parts.map(blockOf), ...stopOf(call, answer), usage: usageOf(answer) }
}

function framesOf(call: Received, answer: Answer): string[] {
  const usage = usageOf(answer)
  const start = {
    ...headOf(call),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  return [
    frame('message_start', { message: start }),
    ...answer.parts.flatMap(blockFrames),
    frame('message_delta', { delta: stopOf(call, answer), usage: { output_tokens: usage.output_tokens } }),
    frame('message_stop', {}),
  ]
}

function headOf(call: Received): object {
  return { id: `msg_double_${call.number}`, type: 'message', role: 'assistant', model: call.body['model'] }
}

/** It stops at the first of the given stop sequences. */
function stopOf({ body }: Received, { parts, stop }: Answer): object {
  const called = parts.some((part) => 'call' in part)
  const [met = null] = stop === 'stop_sequence' ? list(body['stop_sequences'], 'stop_sequences') : []
  return { stop_reason: stop ?? (called ? 'tool_use' : 'end_turn'), stop_sequence: met }
}

function usageOf({ usage = DEFAULT_USAGE }: Answer) {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage
  return {
    input_tokens: input - cacheRead - cacheWrite,
    output_tokens: output,
    ...(usage.cacheRead === undefined ? {} : { cache_read_input_tokens: cacheRead }),
    ...(usage.cacheWrite === undefined ? {} : { cache_creation_input_tokens: cacheWrite }),
  }
}

function blockOf(part: AnswerPart): object {
  if ('text' in part) return { type: 'text', text: part.text }
  if ('call' in part) return { type: 'tool_use', id: part.id, name: part.call, input: part.input }
  if (part.hidden) return { type: 'redacted_thinking', data: SEALS.hide(part.reasoning) }
  return { type: 'thinking', thinking: part.omitted ? '' : part.reasoning, signature: SEALS.sign(part.reasoning) }
}

function blockFrames(part: AnswerPart, index: number): string[] {
  const { shell, deltas } = cut(part)
  return [
    frame('content_block_start', { index, content_block: shell }),
    ...deltas.map((delta) => frame('content_block_delta', { index, delta })),
    frame('content_block_stop', { index }),
  ]
}

function cut(part: AnswerPart): { readonly shell: object; readonly deltas: readonly object[] } {
  if ('text' in part) {
    return {
      shell: { type: 'text', text: '' },
      deltas: tokensOf(part.text).map((text) => ({ type: 'text_delta', text })),
    }
  }
  if ('call' in part) {
    const pieces = tokensOf(JSON.stringify(part.input))
    return {
      shell: { type: 'tool_use', id: part.id, name: part.call, input: {} },
      deltas: pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    }
  }
  if (part.hidden) return { shell: blockOf(part), deltas: [] }
  const thoughts = tokensOf(part.omitted ? '' : part.reasoning).map((thinking) => ({
    type: 'thinking_delta',
    thinking,
  }))
  return {
    shell: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...thoughts, { type: 'signature_delta', signature: SEALS.sign(part.reasoning) }],
  }
}

function frame(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}
