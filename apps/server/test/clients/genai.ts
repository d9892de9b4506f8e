import {
  ApiError,
  GoogleGenAI,
  type Chat,
  type GenerateContentConfig,
  type GenerateContentResponse,
  type Part,
} from '@google/genai'
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

/** Configured as in the specification. */
export function createGenAI({ url, key }: Address, send: typeof fetch = fetch): GoogleGenAI {
  return new GoogleGenAI({
    vertexai: true,
    apiKey: key,
    httpOptions: { baseUrl: `${url}/api/vertex-ai`, apiVersion: 'v1', fetch: send },
  })
}

export const genai: Client = {
  name: '@google/genai',
  protocol: 'genai',
  finishOf: { end: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY', sequence: 'STOP' },
  echoes: 'whole',
  converse(address, options) {
    const recorder = recordHeaders()
    const { chats } = createGenAI(address, recorder.fetch)
    const config = configOf(options)
    let chat = chats.create({ model: options.model, config })
    let calls: readonly CalledTool[] = []
    const ask = async (message: Part[]): Promise<Turn> => {
      const chunks = await send(chat, message, options)
      const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      const { usageMetadata: usage, candidates } = chunks.at(-1) ?? {}
      calls = callsOf(parts)
      return {
        text: parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
        calls,
        reasoning: parts.map(({ text = '', thought }) => (thought === true ? text : '')).join(''),
        finish: candidates?.[0]?.finishReason ?? '',
        usage: {
          input: usage?.promptTokenCount ?? -1,
          // Reasoning is counted separately here.
          output: (usage?.candidatesTokenCount ?? -1) + (usage?.thoughtsTokenCount ?? 0),
          cached: usage?.cachedContentTokenCount ?? 0,
          thought: usage?.thoughtsTokenCount ?? 0,
        },
        headers: recorder.headers(),
      }
    }
    return {
      send: (...pieces) => ask(pieces.map(partOf)),
      sendResults: (output) =>
        ask(
          calls.map((call) => ({
            functionResponse: { id: call.id, name: call.name, response: { output: output(call) } },
          })),
        ),
      switchTo(model) {
        chat = chats.create({ model, config, history: chat.getHistory(true) })
      },
    }
  },
  async count(address, model, contents) {
    const recorder = recordHeaders()
    const { totalTokens = -1 } = await createGenAI(address, recorder.fetch).models.countTokens({ model, contents })
    return { tokens: totalTokens, headers: recorder.headers() }
  },
  raised(thrown) {
    if (!(thrown instanceof ApiError))
      return { isNative: false, status: undefined, type: undefined, retryAfter: undefined, message: messageOf(thrown) }
    // Its message is the body as received, in streams after a status. The head is not kept.
    const body = thrown.message.slice(thrown.message.indexOf('{'))
    const { error } = JSON.parse(body) as { error: { message: string; status: string } }
    return { isNative: true, status: thrown.status, message: error.message, type: error.status, retryAfter: undefined }
  },
}

function configOf({
  system,
  tools,
  thinks,
  maxTokens,
  stop,
  schema,
  signal,
}: ConversationOptions): GenerateContentConfig {
  const declared = tools?.map(({ name, description, schema: parametersJsonSchema }) => ({
    name,
    description,
    parametersJsonSchema,
  }))
  return {
    ...(system === undefined ? {} : { systemInstruction: system }),
    ...(declared === undefined ? {} : { tools: [{ functionDeclarations: declared }] }),
    ...(thinks ? { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } } : {}),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(stop === undefined ? {} : { stopSequences: [stop] }),
    ...(schema === undefined ? {} : { responseMimeType: 'application/json', responseJsonSchema: schema }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  }
}

/** Uses the SDK's own chat, which keeps the history. */
async function send(
  chat: Chat,
  message: Part[],
  { delivery, onText = () => {} }: ConversationOptions,
): Promise<GenerateContentResponse[]> {
  if (delivery === 'whole') return [await chat.sendMessage({ message })]
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of await chat.sendMessageStream({ message })) {
    chunks.push(chunk)
    for (const { text = '' } of chunk.candidates?.[0]?.content?.parts ?? []) if (text !== '') onText(text)
  }
  return chunks
}

function partOf(piece: Piece): Part {
  if (typeof piece === 'string') return { text: piece }
  if ('imageUrl' in piece) return { fileData: { fileUri: piece.imageUrl, mimeType: 'image/png' } }
  if ('image' in piece) return { inlineData: { data: piece.image, mimeType: piece.mime } }
  return { inlineData: { data: piece.pdf, mimeType: 'application/pdf' } }
}

function callsOf(parts: readonly Part[]): CalledTool[] {
  return parts.flatMap(({ functionCall }) =>
    functionCall === undefined
      ? []
      : [{ id: functionCall.id ?? '', name: functionCall.name ?? '', arguments: functionCall.args }],
  )
}

/** All chunks of a stream. */
export async function gather(stream: AsyncIterable<GenerateContentResponse>): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}
