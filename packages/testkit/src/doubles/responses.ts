import { isWire, list, refuse, type Wire } from './refuse.ts'
import { withoutNulls } from './responses-items.ts'
import { itemsOf, type AnswerItem } from './responses-output.ts'
import { acceptResponsesRequest } from './responses-request.ts'
import { createSeals, DEFAULT_USAGE, tokensOf, type Answer, type Script } from './script.ts'
import { createDouble, UnknownKeyError, type Double, type Received } from './server.ts'

const SEALS = createSeals('responses')
/** Seconds since 1970. */
const CREATED_AT = 1_700_000_000
const PATHS = ['/responses', '/responses/input_tokens']

/** A Responses upstream: `POST /responses` and its token count, as strict as the real one, without a memory. */
export function createResponsesDouble(script: Script): Promise<Double> {
  let latest: Received | undefined
  return createDouble(
    {
      paths: PATHS.flatMap((path) => [path, `/v1${path}`]),
      accept,
      answer(call, answer) {
        if (call.path.endsWith('/input_tokens'))
          return { object: 'response.input_tokens', input_tokens: JSON.stringify(call.body).length }
        latest = call
        return call.body['stream'] === true ? framesOf(call, answer) : bodyOf(call, answer)
      },
      error: (_status, { message, type, param = null, code = null }) => ({ error: { message, type, param, code } }),
      errorFrame: (body) => failureFrames(latest, body),
      ping: 'event: keepalive\ndata: {"type":"keepalive"}\n\n',
      seal: SEALS.sign,
      hide: SEALS.hide,
    },
    script,
  )
}

function accept({ path, headers, body }: Received): void {
  if (!String(headers['authorization']).startsWith('Bearer '))
    throw new UnknownKeyError('You did not provide an API key.')
  const given = withoutNulls(body)
  // A count has no sampling, stores nothing, and answers no reasoning.
  const counting = { store: false, include: ['reasoning.encrypted_content'], ...given }
  acceptResponsesRequest(path.endsWith('/input_tokens') ? counting : given)
  if (Array.isArray(given['input'])) for (const [index, item] of given['input'].entries()) acceptSeal(item, index)
}

/** Reasoning is sent back as it was issued: its summary unchanged, or none if it was hidden. */
function acceptSeal(item: unknown, index: number): void {
  if (!isWire(item) || item['type'] !== 'reasoning') return
  const path = `input[${index}]`
  const seal = String(item['encrypted_content'])
  const texts = list(item['summary'], `${path}.summary`).map((part) => (isWire(part) ? part['text'] : ''))
  const isOwn = texts.length === 0 ? SEALS.isHidden(seal) : SEALS.isSigned(seal, texts.join(''))
  if (!isOwn) refuse(`${path}.encrypted_content`, 'the encrypted content could not be verified')
}

function bodyOf(call: Received, answer: Answer): object {
  const items = itemsOf(call, answer, SEALS)
  return endOf(
    call,
    answer,
    items.map(({ whole }) => whole),
  )
}

function endOf(call: Received, { stop = 'completed', usage = DEFAULT_USAGE }: Answer, output: readonly object[]): Wire {
  const { input, output: written, cacheRead = 0, reasoning = 0 } = usage
  return {
    ...headOf(call),
    status: stop === 'completed' ? stop : 'incomplete',
    completed_at: stop === 'completed' ? CREATED_AT + 1 : null,
    incomplete_details: stop === 'completed' ? null : { reason: stop },
    output,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + written,
    },
  }
}

/** What an answer has from the start: it repeats most of the request, and has the defaults for the rest. OpenAI sends all of these members. */
function headOf({ number, body }: Received): Wire {
  return {
    id: `resp_double_${number}`,
    object: 'response',
    created_at: CREATED_AT,
    status: 'in_progress',
    background: false,
    completed_at: null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    model: body['model'],
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...membersOf(body['reasoning']) },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: 'default',
    store: false,
    temperature: body['temperature'] ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...membersOf(body['text']) },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: Array.isArray(body['tools']) ? body['tools'].map(repeatTool) : [],
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: 'disabled',
    usage: null,
    user: body['user'] ?? null,
    metadata: body['metadata'] ?? {},
  }
}

/** Functions are strict unless the request says otherwise. */
function repeatTool(tool: unknown): unknown {
  const isFunction = isWire(tool) && tool['type'] === 'function'
  return isFunction ? { description: null, parameters: null, ...tool, strict: tool['strict'] ?? true } : tool
}

function membersOf(value: unknown): Wire {
  return isWire(value) ? withoutNulls(value) : {}
}

function framesOf(call: Received, answer: Answer): string[] {
  const items = itemsOf(call, answer, SEALS)
  const options = call.body['stream_options']
  const isPadded = !isWire(options) || options['include_obfuscation'] !== false
  const end = endOf(
    call,
    answer,
    items.map(({ whole }) => whole),
  )
  const events: Wire[] = [
    { type: 'response.created', response: headOf(call) },
    { type: 'response.in_progress', response: headOf(call) },
    ...items.flatMap((item, index) => itemEvents(item, index, isPadded)),
    { type: `response.${String(end['status'])}`, response: end },
  ]
  return events.map((event, index) => frame({ ...event, sequence_number: index }))
}

function itemEvents({ shell, whole, slots }: AnswerItem, index: number, isPadded: boolean): Wire[] {
  const at = { item_id: whole['id'], output_index: index }
  return [
    { type: 'response.output_item.added', output_index: index, item: shell },
    ...slots.flatMap(({ event, member, text, position, part }) => {
      const where = { ...at, ...position }
      const deltas = tokensOf(text).map((delta, piece) => ({
        type: `response.${event}.delta`,
        ...where,
        delta,
        ...(event === 'output_text' ? { logprobs: [] } : {}),
        ...(isPadded ? { obfuscation: 'x'.repeat(piece % 7) } : {}),
      }))
      const done = {
        type: `response.${event}.done`,
        ...where,
        [member]: text,
        ...(event === 'output_text' ? { logprobs: [] } : {}),
      }
      if (part === undefined) return [...deltas, done]
      const { name, empty, full } = part
      return [
        { type: `response.${name}.added`, ...where, part: empty },
        ...deltas,
        done,
        { type: `response.${name}.done`, ...where, part: full },
      ]
    }),
    { type: 'response.output_item.done', output_index: index, item: whole },
  ]
}

/** OpenAI sends both: an error with its members flat, and the response as failed. */
function failureFrames(call: Received | undefined, body: object): string {
  const error = (body as { readonly error: Wire }).error // made by `error` above
  const code = error['code'] ?? CODE_OF[String(error['type'])] ?? 'server_error'
  const head = call === undefined ? {} : headOf(call)
  const failed = {
    ...head,
    status: 'failed',
    error: { code, message: error['message'] },
  }
  return (
    frame({ ...error, type: 'error', code, sequence_number: 1000 }) +
    frame({ type: 'response.failed', response: failed, sequence_number: 1001 })
  )
}

/** Errors in a stream have a code instead of a type. */
const CODE_OF: { readonly [type: string]: string } = { rate_limit_error: 'rate_limit_exceeded' }

function frame(event: Wire): string {
  return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`
}
