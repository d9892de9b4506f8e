import { GoogleGenAI, type Content, type GenerateContentResponse, type Part } from '@google/genai'
import { damaged, recordHeaders, type Address, type CalledTool, type Client, type Turn } from './client.ts'

/** As the specification configures it. */
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
  callsFinish: 'STOP',
  converse(address, model, declared, delivery) {
    const recorder = recordHeaders()
    const { models } = createGenAI(address, recorder.fetch)
    const functionDeclarations = declared.map(({ name, description, schema }) => ({
      name,
      description,
      parametersJsonSchema: schema,
    }))
    const config = {
      tools: [{ functionDeclarations }],
      thinkingConfig: { thinkingBudget: 2048, includeThoughts: true },
    }
    const contents: Content[] = []
    let last: Part[] = []
    const ask = async (): Promise<Turn> => {
      const asked = { model, contents, config }
      const chunks =
        delivery === 'whole'
          ? [await models.generateContent(asked)]
          : await gather(await models.generateContentStream(asked))
      last = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
      contents.push({ role: 'model', parts: last })
      const thoughts = last.filter(({ thought }) => thought === true)
      const { usageMetadata, candidates } = chunks.at(-1) ?? {}
      return {
        text: last.map(({ text = '', thought }) => (thought === true ? '' : text)).join(''),
        calls: callsOf(last),
        reasoning: thoughts.map(({ text = '' }) => text).join(''),
        signatures: last.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
        finish: candidates?.[0]?.finishReason ?? '',
        usage: {
          input: usageMetadata?.promptTokenCount ?? -1,
          // Thoughts are counted beside the answer here.
          output: (usageMetadata?.candidatesTokenCount ?? -1) + (usageMetadata?.thoughtsTokenCount ?? 0),
        },
        headers: recorder.headers(),
      }
    }
    return {
      say(text) {
        contents.push({ role: 'user', parts: [{ text }] })
        return ask()
      },
      give(output) {
        const parts = callsOf(last).map((call) => ({
          functionResponse: { id: call.id, name: call.name, response: { output: output(call) } },
        }))
        contents.push({ role: 'user', parts })
        return ask()
      },
      tamper() {
        const signed = last.find(({ thoughtSignature }) => thoughtSignature !== undefined)
        if (signed?.thoughtSignature !== undefined) signed.thoughtSignature = damaged(signed.thoughtSignature)
      },
    }
  },
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
