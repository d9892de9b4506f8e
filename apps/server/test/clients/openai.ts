import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from 'openai'
import {
  messageOf,
  recordHeaders,
  type Address,
  type ConversationOptions,
  type CalledTool,
  type Client,
  type Piece,
  type Turn,
} from './client.ts'

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming
type Completion = OpenAI.ChatCompletion
/** Members that gateways add to the message. The SDK keeps them. */
type Extended = OpenAI.ChatCompletionMessage & {
  reasoning_details?: { text?: string; summary?: string; signature?: string }[]
}

export function createOpenAI({ url, key }: Address, send: typeof fetch = fetch): OpenAI {
  return new OpenAI({ baseURL: `${url}/api/v1`, apiKey: key, maxRetries: 0, fetch: send })
}

export const openai: Client = {
  name: 'openai',
  protocol: 'chat',
  finishOf: { end: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter', sequence: 'stop' },
  echoes: 'whole',
  converse(address, options) {
    const recorder = recordHeaders()
    const client = createOpenAI(address, recorder.fetch)
    const settings = settingsOf(options)
    const messages: Params['messages'] = []
    if (options.system !== undefined) messages.push({ role: 'system', content: options.system })
    let { model } = options
    let last: Extended | undefined
    const ask = async (): Promise<Turn> => {
      const { choices, usage } = await complete(client, { ...settings, model, messages }, options)
      const [choice] = choices
      if (choice === undefined) throw new Error('The answer has no choice.')
      last = choice.message
      messages.push(last)
      return {
        text: last.content ?? '',
        calls: callsOf(last),
        reasoning: (last.reasoning_details ?? []).map(({ text, summary = '' }) => text ?? summary).join(''),
        finish: choice.finish_reason,
        usage: {
          input: usage?.prompt_tokens ?? -1,
          output: usage?.completion_tokens ?? -1,
          cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
          thought: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
        },
        headers: recorder.headers(),
      }
    }
    return {
      send(...pieces) {
        messages.push({ role: 'user', content: pieces.map(partOf) })
        return ask()
      },
      sendResults(output) {
        for (const call of last === undefined ? [] : callsOf(last))
          messages.push({ role: 'tool', tool_call_id: call.id, content: output(call) })
        return ask()
      },
      switchTo(other) {
        model = other
      },
    }
  },
  raised(thrown) {
    if (!(thrown instanceof APIError)) return { ...NOTHING, message: messageOf(thrown) }
    const { status, type, code, param, message, headers } = thrown as APIError // of any status
    const native =
      status === undefined ? APIError : (CLASS_OF[status] ?? (status >= 500 ? InternalServerError : APIError))
    return {
      isNative: thrown instanceof native,
      status,
      message,
      type,
      code,
      param,
      retryAfter: headers?.get('retry-after'),
    }
  },
}

const NOTHING = { isNative: false, status: undefined, type: undefined, retryAfter: undefined }

const CLASS_OF: { readonly [status: number]: new (...given: never[]) => unknown } = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableEntityError,
  429: RateLimitError,
}

function settingsOf({
  tools,
  thinks,
  maxTokens,
  stop,
  schema,
}: ConversationOptions): Omit<Params, 'model' | 'messages'> {
  return {
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map(({ name, description, schema: parameters }) => ({
            type: 'function' as const,
            function: { name, description, parameters: { ...parameters } },
          })),
        }),
    ...(thinks ? { reasoning_effort: 'medium' as const } : {}),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(stop === undefined ? {} : { stop: [stop] }),
    ...(schema === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: 'answer', strict: true, schema: { ...schema } },
          },
        }),
  }
}

function complete(
  client: OpenAI,
  params: Params,
  { delivery, signal, onText }: ConversationOptions,
): Promise<Completion> {
  const options = signal === undefined ? {} : { signal }
  if (delivery === 'whole') return client.chat.completions.create(params, options)
  const asked = { ...params, stream: true as const, stream_options: { include_usage: true } }
  const stream = client.chat.completions.stream(asked, options)
  if (onText !== undefined) stream.on('content', onText)
  return stream.finalChatCompletion()
}

function partOf(piece: Piece): OpenAI.ChatCompletionContentPart {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  if ('imageUrl' in piece) return { type: 'image_url', image_url: { url: piece.imageUrl } }
  if ('image' in piece) return { type: 'image_url', image_url: { url: `data:${piece.mime};base64,${piece.image}` } }
  return { type: 'file', file: { filename: piece.name, file_data: `data:application/pdf;base64,${piece.pdf}` } }
}

function callsOf({ tool_calls = [] }: OpenAI.ChatCompletionMessage): CalledTool[] {
  return tool_calls.flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
      : [],
  )
}
