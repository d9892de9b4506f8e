import type OpenAI from 'openai'
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems'
import {
  recordHeaders,
  type CalledTool,
  type Client,
  type ConversationOptions,
  type Piece,
  type Turn,
} from './client.ts'
import { createOpenAI, openai } from './openai.ts'

type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming
type Items = OpenAI.Responses.ResponseInputItem[]
type Answer = OpenAI.Responses.Response

/** The official client with its Responses API. It sends the items of an answer back as they are. */
export const openaiResponses: Client = {
  name: 'openai responses',
  protocol: 'responses',
  finishOf: {
    end: 'completed',
    calls: 'completed',
    length: 'max_output_tokens',
    filter: 'content_filter',
    sequence: 'completed',
  },
  echoes: 'whole',
  converse(address, options) {
    const recorder = recordHeaders()
    const client = createOpenAI(address, recorder.fetch)
    const settings = settingsOf(options)
    const input: Items = []
    let { model } = options
    let calls: readonly CalledTool[] = []
    const ask = async (): Promise<Turn> => {
      const answer = await complete(client, { ...settings, model, input }, options)
      const { output, usage } = answer
      input.push(...toResponseInputItems(output))
      calls = callsOf(output)
      return {
        text: answer.output_text,
        calls,
        reasoning: reasoningOf(output),
        finish: answer.incomplete_details?.reason ?? (output.some(isRefused) ? 'refusal' : (answer.status ?? '')),
        usage: {
          input: usage?.input_tokens ?? -1,
          output: usage?.output_tokens ?? -1,
          cached: usage?.input_tokens_details.cached_tokens ?? 0,
          thought: usage?.output_tokens_details.reasoning_tokens ?? 0,
        },
        headers: recorder.headers(),
      }
    }
    return {
      send(...pieces) {
        input.push({ role: 'user', content: pieces.map(partOf) })
        return ask()
      },
      sendResults(output) {
        for (const call of calls) input.push({ type: 'function_call_output', call_id: call.id, output: output(call) })
        return ask()
      },
      switchTo(other) {
        model = other
      },
    }
  },
  async count(address, model, text) {
    const recorder = recordHeaders()
    const client = createOpenAI(address, recorder.fetch)
    const { input_tokens: tokens } = await client.responses.inputTokens.count({ model, input: text })
    return { tokens, headers: recorder.headers() }
  },
  raised: (thrown) => openai.raised(thrown),
}

function settingsOf({ system, tools, thinks, maxTokens, schema }: ConversationOptions): Partial<Params> {
  return {
    store: false,
    ...(system === undefined ? {} : { instructions: system }),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map(({ name, description, schema: parameters }) => ({
            type: 'function' as const,
            name,
            description,
            parameters: { ...parameters },
            strict: null,
          })),
        }),
    ...(thinks
      ? {
          reasoning: { effort: 'medium' as const, summary: 'auto' as const },
          include: ['reasoning.encrypted_content' as const],
        }
      : {}),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(schema === undefined
      ? {}
      : { text: { format: { type: 'json_schema' as const, name: 'answer', strict: true, schema: { ...schema } } } }),
  }
}

function complete(client: OpenAI, params: Params, { delivery, signal, onText }: ConversationOptions): Promise<Answer> {
  const options = signal === undefined ? {} : { signal }
  if (delivery === 'whole') return client.responses.create(params, options)
  const stream = client.responses.stream({ ...params, stream: true }, options)
  if (onText !== undefined) stream.on('response.output_text.delta', ({ delta }) => onText(delta))
  return stream.finalResponse()
}

function partOf(piece: Piece): OpenAI.Responses.ResponseInputContent {
  if (typeof piece === 'string') return { type: 'input_text', text: piece }
  if ('imageUrl' in piece) return { type: 'input_image', image_url: piece.imageUrl, detail: 'auto' }
  if ('image' in piece)
    return { type: 'input_image', image_url: `data:${piece.mime};base64,${piece.image}`, detail: 'auto' }
  return { type: 'input_file', filename: piece.name, file_data: `data:application/pdf;base64,${piece.pdf}` }
}

function callsOf(output: Answer['output']): CalledTool[] {
  return output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
      : [],
  )
}

function isRefused(item: Answer['output'][number]): boolean {
  return item.type === 'message' && item.content.some(({ type }) => type === 'refusal')
}

function reasoningOf(output: Answer['output']): string {
  return output.flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [])).join('')
}
