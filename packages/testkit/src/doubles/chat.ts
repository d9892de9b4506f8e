import { acceptChatRequest } from './chat-request.ts'
import { isWire } from './refuse.ts'
import { createSeals, DEFAULT_USAGE, tokensOf, type Answer, type AnswerPart, type Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const SEALS = createSeals('chat')

/** A chat upstream: `POST /chat/completions`, as strict as the real one, with signed reasoning. */
export function createChatDouble(script: Script): Promise<Double> {
  return createDouble(
    {
      paths: ['/chat/completions', '/v1/chat/completions'],
      accept({ headers, body }) {
        if (!String(headers['authorization']).startsWith('Bearer '))
          throw new UnknownKeyError('You did not provide an API key.')
        acceptChatRequest(body, { signed: SEALS.isSigned, issued: SEALS.isHidden })
      },
      answer: (call, answer) => (call.body['stream'] === true ? framesOf(call, answer) : bodyOf(call, answer)),
      error: (_status, { message, type, param = null, code = null }) => ({ error: { message, type, param, code } }),
      errorFrame: frame,
      ping: ': keep-alive\n\n',
      seal: SEALS.sign,
      hide: SEALS.hide,
    },
    script,
  )
}

function bodyOf(call: Received, answer: Answer): object {
  const { texts, calls, details } = sorted(answer.parts)
  const message = {
    role: 'assistant',
    content: texts.length === 0 ? null : texts.join(''),
    refusal: null,
    ...(details.length === 0 ? {} : { reasoning: viewOf(answer.parts), reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer) }]
  return { ...headOf(call), object: 'chat.completion', choices, usage: usageOf(answer) }
}

function framesOf(call: Received, answer: Answer): string[] {
  const chunk = (members: object) => frame({ ...headOf(call), object: 'chat.completion.chunk', ...members })
  const chunkOf = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const { calls, details } = sorted(answer.parts)
  const options = call.body['stream_options']
  return [
    chunkOf({ role: 'assistant', content: '' }),
    ...tokensOf(viewOf(answer.parts)).map((reasoning) => chunkOf({ reasoning })),
    ...(details.length === 0 ? [] : [chunkOf({ reasoning_details: details })]),
    ...answer.parts.flatMap((part) =>
      'text' in part ? tokensOf(part.text).map((content) => chunkOf({ content })) : [],
    ),
    ...calls.flatMap((one, index) => callDeltas(one, index).map((delta) => chunkOf({ tool_calls: [delta] }))),
    chunkOf({}, finishOf(answer)),
    ...(isWire(options) && options['include_usage'] === true ? [chunk({ choices: [], usage: usageOf(answer) })] : []),
    'data: [DONE]\n\n',
  ]
}

function headOf(call: Received): object {
  return { id: `chatcmpl-double-${call.number}`, created: 1_700_000_000, model: call.body['model'] }
}

function finishOf({ parts, stop }: Answer): string {
  return stop ?? (parts.some((part) => 'call' in part) ? 'tool_calls' : 'stop')
}

function usageOf({ usage = DEFAULT_USAGE }: Answer): object {
  const { input, output, cacheRead, reasoning } = usage
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }),
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}

interface Sorted {
  readonly texts: readonly string[]
  readonly calls: readonly WireCall[]
  readonly details: readonly object[]
}

interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

function sorted(parts: readonly AnswerPart[]): Sorted {
  return {
    texts: parts.flatMap((part) => ('text' in part ? [part.text] : [])),
    calls: parts.flatMap((part) =>
      'call' in part
        ? [
            {
              id: part.id,
              type: 'function' as const,
              function: { name: part.call, arguments: JSON.stringify(part.input) },
            },
          ]
        : [],
    ),
    details: parts.flatMap((part, index) => ('reasoning' in part ? [detailOf(part, index)] : [])),
  }
}

function detailOf(part: Extract<AnswerPart, { reasoning: string }>, index: number): object {
  if (part.hidden) return { type: 'reasoning.encrypted', data: SEALS.hide(part.reasoning), index }
  return { type: 'reasoning.text', text: part.reasoning, signature: SEALS.sign(part.reasoning), index }
}

function viewOf(parts: readonly AnswerPart[]): string {
  return parts.map((part) => ('reasoning' in part && part.hidden === undefined ? part.reasoning : '')).join('')
}

function callDeltas(call: WireCall, index: number): object[] {
  const open = { index, id: call.id, type: call.type, function: { name: call.function.name, arguments: '' } }
  return [open, ...tokensOf(call.function.arguments).map((piece) => ({ index, function: { arguments: piece } }))]
}

function frame(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
