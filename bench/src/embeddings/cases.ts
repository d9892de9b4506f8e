import { mediaKinds, translateMediaAnswer, translateMediaRequest } from '@dragoman/core/media'
import type { JsonObject } from '@dragoman/core'
import { chat, genai } from '@dragoman/core/protocols'
import type { Work } from '../measure.ts'

const { embedding } = mediaKinds

/** A body that is translated, and the least that any converter does with it. */
export interface EmbeddingCase {
  readonly name: string
  /** JSON.parse of what comes in, JSON.stringify of what goes out. */
  readonly floor: Work
  readonly translate: () => string
  /** The size of what comes in, in bytes. */
  readonly bytes: number
}

export interface BatchSize {
  readonly inputs: number
  readonly dimensions: number
}

/** A full batch of texts, and its answer: as numbers, and as base64, which the official SDK asks for. */
export function createCases({ inputs, dimensions }: BatchSize): readonly EmbeddingCase[] {
  const texts = Array.from({ length: inputs }, (_, index) => `A sentence of a document, which is number ${index}.`)
  const values = texts.map((_, index) =>
    Array.from({ length: dimensions }, (_each, at) => Math.fround(Math.sin(index * dimensions + at))),
  )
  const request = { model: 'some/vectors', input: texts, encoding_format: 'base64' }
  const factsFor = (encoding_format: 'float' | 'base64') =>
    translateMediaRequest(embedding, chat, genai, { ...request, encoding_format }).facts
  const facts = { float: factsFor('float'), base64: factsFor('base64') }
  const { calls } = translateMediaRequest(embedding, chat, genai, request)
  const written = calls[0]?.body ?? {}
  const answer = { embeddings: values.map((each) => ({ values: each })), usageMetadata: { promptTokenCount: inputs } }
  const back = (text: string, encoding: 'float' | 'base64') =>
    JSON.stringify(translateMediaAnswer(embedding, chat, genai, [parse(text)], facts[encoding]).body)
  const requestText = JSON.stringify(request)
  const answerText = JSON.stringify(answer)
  return [
    {
      name: 'a request of chat for genai',
      floor: () => [parse(requestText), JSON.stringify(written)],
      translate: () => JSON.stringify(translateMediaRequest(embedding, chat, genai, parse(requestText)).calls[0]?.body),
      bytes: requestText.length,
    },
    ...(['float', 'base64'] as const).map((encoding): EmbeddingCase => {
      const translated = parse(back(answerText, encoding))
      return {
        name: `an answer of genai for chat, as ${encoding === 'float' ? 'numbers' : encoding}`,
        floor: () => [parse(answerText), JSON.stringify(translated)],
        translate: () => back(answerText, encoding),
        bytes: answerText.length,
      }
    }),
  ]
}

function parse(text: string): JsonObject {
  return JSON.parse(text) as JsonObject // written by this file
}
