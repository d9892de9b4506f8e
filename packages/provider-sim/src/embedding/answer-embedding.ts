import { createLosses, type Part } from '@dragoman/core'
import { fitEmbedding, type EmbeddingAnswer, type EmbeddingInput, type EmbeddingRequest } from '@dragoman/core/media'
import type { Card } from '@dragoman/core/provider'
import { textOf } from '../prompt.ts'
import { tokensOf, tokensOfPart } from '../usage.ts'
import { embedText } from './embed-text.ts'

/** Computes the embeddings of a request. An upstream does not tell what it leaves out. */
export function answerEmbedding(
  asked: EmbeddingRequest,
  { name, embedding: facts = {}, input }: Card,
): EmbeddingAnswer {
  const request = fitEmbedding(asked, {
    facts,
    accepts: input,
    takes: ['tokens', 'parts', 'dimensions'],
    losses: createLosses(),
    locate: (path) => path,
  })
  const { dimensions = facts.dimensions ?? 0, taskType, title, inputs } = request
  const embeddings = inputs.map((each) => {
    const text = contentOf(each, each.taskType ?? taskType, each.title ?? title)
    return { values: [...embedText(text, each.dimensions ?? dimensions)] }
  })
  return { model: name, embeddings, usage: { input: inputs.reduce((sum, each) => sum + countOf(each), 0) } }
}

/** What is embedded: a task and a title move the embedding a little. */
function contentOf(input: EmbeddingInput, taskType: string | undefined, title: string | undefined): string {
  return [bodyOf(input), title, taskType].filter((text) => text !== undefined).join('\n')
}

function bodyOf(input: EmbeddingInput): string {
  switch (input.type) {
    case 'text':
      return input.text
    case 'tokens':
      return input.tokens.map((token) => `t${token}`).join(' ')
    case 'parts':
      return [textOf(input.parts), ...input.parts.flatMap(mediaOf)].join('\n')
    default:
      return input satisfies never
  }
}

function mediaOf(part: Part): readonly string[] {
  return part.type === 'media' ? [JSON.stringify(part.source)] : []
}

function countOf(input: EmbeddingInput): number {
  if (input.type === 'tokens') return input.tokens.length
  if (input.type === 'text') return tokensOf(input.text)
  return input.parts.reduce((sum, part) => sum + tokensOfPart(part), 0)
}
