import Anthropic, * as classes from '@anthropic-ai/sdk'
import Anthropic0, * as classes0 from 'anthropic-sdk-0'
import {
  messageOf,
  recordHeaders,
  type Address,
  type ConversationOptions,
  type CalledTool,
  type Client,
  type Conversation,
  type Piece,
  type Raised,
  type Turn,
} from './client.ts'

type Params = Anthropic.MessageCreateParamsNonStreaming
type Message = Anthropic.Message
type Send = (params: Params) => Promise<Message>
type ErrorClass = new (...given: never[]) => unknown

export function createAnthropic({ url, key }: Address, send: typeof fetch = fetch): Anthropic {
  return new Anthropic({ baseURL: `${url}/api/anthropic`, apiKey: key, maxRetries: 0, fetch: send })
}

export function createAnthropic0({ url, key }: Address, send: typeof fetch = fetch): Anthropic0 {
  return new Anthropic0({ baseURL: `${url}/api/anthropic`, apiKey: key, maxRetries: 0, fetch: send })
}

const SHARED = {
  protocol: 'messages',
  finishOf: { end: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal', sequence: 'stop_sequence' },
  echoes: 'whole',
} as const

/** The current major version, which sends its key as a bearer token. */
export const anthropic: Client = {
  ...SHARED,
  name: '@anthropic-ai/sdk 1',
  converse(address, settings) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic(address, recorder.fetch)
    return converse(settings, recorder.headers, async (params) => {
      const { delivery, signal, onText } = settings
      const options = signal === undefined ? {} : { signal }
      if (delivery === 'whole') return messages.create(params, options)
      const stream = messages.stream(params, options)
      if (onText !== undefined) stream.on('text', onText)
      return stream.finalMessage()
    })
  },
  async count(address, model, content) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic(address, recorder.fetch)
    const { input_tokens: tokens } = await messages.countTokens({ model, messages: [{ role: 'user', content }] })
    return { tokens, headers: recorder.headers() }
  },
  raised: (thrown) =>
    raisedOf(thrown, classes, {
      408: classes.RequestTimeoutError,
      413: classes.ContentTooLargeError,
      503: classes.ServiceUnavailableError,
      504: classes.GatewayTimeoutError,
      529: classes.OverloadedError,
    }),
}

/** The previous major version, which sends it as x-api-key. */
export const anthropic0: Client = {
  ...SHARED,
  name: '@anthropic-ai/sdk 0',
  converse(address, settings) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic0(address, recorder.fetch)
    return converse(settings, recorder.headers, async (params) => {
      const { delivery, signal, onText } = settings
      const options = signal === undefined ? {} : { signal }
      if (delivery === 'whole') return messages.create(params, options)
      const stream = messages.stream(params, options)
      if (onText !== undefined) stream.on('text', onText)
      return stream.finalMessage()
    })
  },
  async count(address, model, content) {
    const recorder = recordHeaders()
    const { messages } = createAnthropic0(address, recorder.fetch)
    const { input_tokens: tokens } = await messages.countTokens({ model, messages: [{ role: 'user', content }] })
    return { tokens, headers: recorder.headers() }
  },
  raised: (thrown) => raisedOf(thrown, classes0, {}),
}

function raisedOf(
  thrown: unknown,
  named: typeof classes | typeof classes0,
  own: { readonly [status: number]: ErrorClass },
): Raised {
  if (!(thrown instanceof named.APIError))
    return { isNative: false, status: undefined, type: undefined, retryAfter: undefined, message: messageOf(thrown) }
  const { status, message, type, headers } = thrown as classes.APIError // of any status
  const classOf: { readonly [status: number]: ErrorClass } = {
    400: named.BadRequestError,
    401: named.AuthenticationError,
    403: named.PermissionDeniedError,
    404: named.NotFoundError,
    409: named.ConflictError,
    422: named.UnprocessableEntityError,
    429: named.RateLimitError,
    ...own,
  }
  const other = status !== undefined && status >= 500 ? named.InternalServerError : named.APIError
  const native = (status === undefined ? undefined : classOf[status]) ?? other
  const retryAfter = headers?.get('retry-after')
  return { isNative: thrown instanceof native, status, message, type: type ?? undefined, retryAfter }
}

function converse(options: ConversationOptions, headers: () => Headers, send: Send): Conversation {
  const settings = settingsOf(options)
  const messages: Params['messages'] = []
  let { model } = options
  let last: Message | undefined
  const ask = async (): Promise<Turn> => {
    last = await send({ ...settings, model, messages })
    messages.push({ role: 'assistant', content: last.content })
    const { content, stop_reason, usage } = last
    return {
      text: content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''),
      calls: callsOf(last),
      reasoning: content.flatMap((block) => (block.type === 'thinking' ? block.thinking : [])).join(''),
      finish: stop_reason ?? '',
      usage: {
        input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
        output: usage.output_tokens,
        cached: usage.cache_read_input_tokens ?? 0,
      },
      headers: headers(),
    }
  }
  return {
    send(...pieces) {
      messages.push({ role: 'user', content: pieces.map(blockOf) })
      return ask()
    },
    sendResults(output) {
      const results = (last === undefined ? [] : callsOf(last)).map((call) => ({
        type: 'tool_result' as const,
        tool_use_id: call.id,
        content: output(call),
      }))
      messages.push({ role: 'user', content: results })
      return ask()
    },
    switchTo(other) {
      model = other
    },
  }
}

function settingsOf({
  system,
  tools,
  thinks,
  maxTokens = 4096,
  stop,
  schema,
}: ConversationOptions): Omit<Params, 'model' | 'messages'> {
  return {
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map(({ name, description, schema: input }) => ({
            name,
            description,
            input_schema: { ...input },
          })),
        }),
    ...(thinks ? { thinking: { type: 'enabled' as const, budget_tokens: 2048 } } : {}),
    ...(stop === undefined ? {} : { stop_sequences: [stop] }),
    ...(schema === undefined
      ? {}
      : { output_config: { format: { type: 'json_schema' as const, schema: { ...schema } } } }),
  }
}

function blockOf(piece: Piece): Anthropic.ContentBlockParam {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  if ('imageUrl' in piece) return { type: 'image', source: { type: 'url', url: piece.imageUrl } }
  if ('image' in piece)
    return { type: 'image', source: { type: 'base64', media_type: piece.mime as 'image/png', data: piece.image } } // the only ones here
  const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: piece.pdf }
  return { type: 'document', title: piece.name, source }
}

function callsOf({ content }: Message): CalledTool[] {
  return content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  )
}
