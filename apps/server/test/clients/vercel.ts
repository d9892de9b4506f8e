import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  streamText,
  tool,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  type UserContent,
} from 'ai'
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

// It would warn about every unknown model.
globalThis.AI_SDK_LOG_WARNINGS = false

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>

/** One provider of the Vercel AI SDK, set up as in its documentation. */
interface Provider {
  readonly name: string
  readonly protocol: Client['protocol']
  readonly echoes: Client['echoes']
  readonly thinking: ProviderOptions
  /** Requests a schema with the protocol's own field, which the SDK does not do for an unknown model. */
  readonly forming?: ProviderOptions
  /** The token limit that the SDK assumes for an unknown model, if its protocol requires one. */
  readonly maxTokens?: number
  model(address: Address, model: string, send: typeof fetch): LanguageModel
}

/** It does not know reasoning_details, and sends back text and ids. */
export const vercelChat = clientOf({
  name: '@ai-sdk/openai-compatible',
  protocol: 'chat',
  echoes: 'text and ids',
  thinking: { dragoman: { reasoningEffort: 'medium' } },
  model: ({ url, key }, model, send) =>
    createOpenAICompatible({
      name: 'dragoman',
      baseURL: `${url}/api/v1`,
      apiKey: key,
      includeUsage: true,
      supportsStructuredOutputs: true,
      fetch: send,
    })(model),
})

export const vercelMessages = clientOf({
  name: '@ai-sdk/anthropic',
  protocol: 'messages',
  echoes: 'whole',
  maxTokens: 4096,
  forming: { anthropic: { structuredOutputMode: 'outputFormat' } },
  thinking: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2048 } } },
  model: ({ url, key }, model, send) =>
    createAnthropic({ baseURL: `${url}/api/anthropic/v1`, apiKey: key, fetch: send })(model),
})

export const vercelGenai = clientOf({
  name: '@ai-sdk/google',
  protocol: 'genai',
  echoes: 'whole',
  thinking: { google: { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } } },
  model({ url, key }, model, send) {
    const [publisher, name = ''] = model.split('/')
    const baseURL = `${url}/api/vertex-ai/v1/publishers/${publisher}`
    return createGoogleGenerativeAI({ baseURL, apiKey: key, fetch: send })(name)
  },
})

/** The default of the OpenAI provider, without a memory. It shows the thoughts of models that it knows, or is told, to reason. */
export const vercelResponses = clientOf({
  name: '@ai-sdk/openai',
  protocol: 'responses',
  echoes: 'whole',
  forming: { openai: { store: false } },
  thinking: {
    openai: { store: false, forceReasoning: true, reasoningEffort: 'medium', reasoningSummary: 'auto' },
  },
  model: ({ url, key }, model, send) => createOpenAI({ baseURL: `${url}/api/v1`, apiKey: key, fetch: send })(model),
})

function clientOf(provider: Provider): Client {
  return {
    name: provider.name,
    protocol: provider.protocol,
    finishOf: { end: 'stop', calls: 'tool-calls', length: 'length', filter: 'content-filter', sequence: 'stop' },
    echoes: provider.echoes,
    converse(address, options) {
      const recorder = recordHeaders()
      const messages: ModelMessage[] = []
      let { model } = options
      let calls: readonly CalledTool[] = []
      const ask = async (): Promise<Turn> => {
        const answer = await complete(options, {
          ...settingsOf(options, provider),
          model: provider.model(address, model, recorder.fetch),
          messages,
        })
        messages.push(...answer.responseMessages)
        calls = answer.toolCalls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          name: toolName,
          arguments: input,
        }))
        return {
          text: answer.text,
          calls,
          reasoning: answer.reasoning.map((part) => ('text' in part ? part.text : '')).join(''),
          finish: answer.finishReason,
          usage: {
            input: answer.usage.inputTokens ?? -1,
            output: answer.usage.outputTokens ?? -1,
            cached: answer.usage.inputTokenDetails.cacheReadTokens ?? 0,
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
          messages.push({
            role: 'tool',
            content: calls.map((call) => ({
              type: 'tool-result',
              toolCallId: call.id,
              toolName: call.name,
              output: { type: 'text', value: output(call) },
            })),
          })
          return ask()
        },
        switchTo(other) {
          model = other
        },
      }
    },
    raised(thrown) {
      if (!(thrown instanceof APICallError))
        return {
          isNative: false,
          status: undefined,
          type: undefined,
          retryAfter: undefined,
          message: messageOf(thrown),
        }
      const { statusCode: status, message, responseHeaders } = thrown
      return { isNative: true, status, message, type: undefined, retryAfter: responseHeaders?.['retry-after'] }
    },
  }
}

type Params = Parameters<typeof generateText>[0]

interface Completed {
  readonly text: string
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[]
  readonly reasoning: readonly object[]
  readonly finishReason: string
  readonly usage: LanguageModelUsage
  readonly responseMessages: readonly ModelMessage[]
}

function settingsOf(options: ConversationOptions, { thinking, forming = {}, maxTokens: most }: Provider) {
  const { system, tools = [], thinks, maxTokens = most, stop, schema, signal } = options
  const declared = tools.map(({ name, description, schema: input }) => [
    name,
    tool({ description, inputSchema: jsonSchema({ ...input }) }),
  ])
  return {
    maxRetries: 0,
    ...(system === undefined ? {} : { instructions: system }),
    ...(declared.length === 0 ? {} : { tools: Object.fromEntries(declared) as NonNullable<Params['tools']> }), // entries lose their type
    providerOptions: thinks ? thinking : forming,
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(stop === undefined ? {} : { stopSequences: [stop] }),
    ...(schema === undefined ? {} : { output: Output.object({ schema: jsonSchema({ ...schema }), name: 'answer' }) }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  }
}

async function complete({ delivery, onText = () => {} }: ConversationOptions, params: Params): Promise<Completed> {
  if (delivery === 'whole') return generateText(params)
  const result = streamText({ ...params, onError: () => {} })
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The stream was aborted.', 'AbortError')
    if (part.type === 'text-delta') onText(part.text)
  }
  const { text, toolCalls, reasoning, finishReason, usage, responseMessages } = result
  return {
    text: await text,
    toolCalls: await toolCalls,
    reasoning: await reasoning,
    finishReason: await finishReason,
    usage: await usage,
    responseMessages: await responseMessages,
  }
}

function partOf(piece: Piece): Exclude<UserContent, string>[number] {
  if (typeof piece === 'string') return { type: 'text', text: piece }
  if ('imageUrl' in piece) return { type: 'file', data: new URL(piece.imageUrl), mediaType: 'image/png' }
  if ('image' in piece) return { type: 'file', data: piece.image, mediaType: piece.mime }
  return { type: 'file', data: piece.pdf, mediaType: 'application/pdf', filename: piece.name }
}
