import { isObject, type JsonObject } from '@dragoman/core'
import { protocols } from '@dragoman/core/protocols'
import { dialectOf, type Billed, type Card } from '@dragoman/core/provider'

/** What an upstream answers, as far as its price depends on it. */
export type Shape = (card: Card) => Billed

/** Anthropic: the usage of a message. Cached tokens are beside `input_tokens`. */
export const message = (usage: JsonObject): Shape =>
  decoded('messages', {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: 'end_turn',
    usage,
  })

/** OpenAI's chat completions, and everybody who copies them. */
export const completion = (usage: JsonObject, more: JsonObject = {}): Shape =>
  decoded('chat', { id: 'c', object: 'chat.completion', created: 0, model: 'm', choices: [], usage, ...more })

/** OpenAI's Responses, with the calls of its search tool. */
export const response = (usage: JsonObject, more: JsonObject = {}): Shape =>
  decoded('responses', {
    id: 'r',
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: 'm',
    output: [],
    usage,
    ...more,
  })

/** Gemini: the tokens of thinking and of tools are beside those of prompt and candidates. */
export const content = (usageMetadata: JsonObject, grounding: JsonObject = {}): Shape => {
  const candidate = { content: { role: 'model', parts: [{ text: 'a' }] }, finishReason: 'STOP', index: 0, ...grounding }
  return decoded('genai', { candidates: [candidate], usageMetadata, modelVersion: 'm' })
}

/** Tokens by modality, in the form of Gemini. */
export const details = (counts: { readonly [modality: string]: number }): JsonObject[] =>
  Object.entries(counts).map(([modality, tokenCount]) => ({ modality, tokenCount }))

/** OpenAI's images. */
export const image =
  (usage: JsonObject): Shape =>
  () => {
    const { usage: counted = {} } =
      protocolOf('chat').image?.answer.decode(
        { created: 0, data: [{ b64_json: 'AA==' }], usage },
        { issuer: 'test', operation: 'image' },
      ) ?? {}
    return counted
  }

/** A request for videos, which has no usage: its seconds are billed. */
export const film =
  (resolution: string, audioVideoSeconds: number): Shape =>
  () => ({ resolution, audioVideoSeconds })

function decoded(name: string, body: JsonObject): Shape {
  const { response: codec } = protocolOf(name)
  return (card) => {
    const dialect = dialectOf(card, name)
    const { usage } = codec.decode(body, { issuer: 'test', ...(isObject(dialect) ? { dialect } : {}) })
    return { ...usage, ...codec.terms?.(body) }
  }
}

function protocolOf(wanted: string): (typeof protocols)[number] {
  const found = protocols.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`There is no ${wanted}.`)
  return found
}
