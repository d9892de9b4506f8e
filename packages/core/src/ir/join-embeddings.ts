import { defined } from '../lib/defined.ts'
import type { EmbeddingAnswer } from './embedding.ts'
import { addUsage } from './usage.ts'

/** The answers of several calls as the answer of the request that they were split from. */
export function joinEmbeddings(answers: readonly EmbeddingAnswer[]): EmbeddingAnswer {
  const [first, ...others] = answers
  if (first === undefined || others.length === 0) return first ?? { vectors: [] }
  let offset = 0
  const truncated: number[] = []
  for (const answer of answers) {
    for (const index of answer.truncated ?? []) truncated.push(offset + index)
    offset += answer.vectors.length
  }
  return {
    ...first,
    ...defined({
      usage: answers.map(({ usage }) => usage).reduce(addUsage),
      tokens: joinTokens(answers),
      truncated: truncated.length === 0 ? undefined : truncated,
    }),
    vectors: answers.flatMap(({ vectors }) => vectors),
  }
}

/** Undefined if one of the calls did not count the tokens of each input. */
function joinTokens(answers: readonly EmbeddingAnswer[]): readonly number[] | undefined {
  const counts = answers.map(({ tokens, vectors, usage }) => {
    if (tokens !== undefined) return tokens
    return vectors.length === 1 && usage?.input !== undefined ? [usage.input] : undefined
  })
  const isCounted = answers.some(({ tokens }) => tokens !== undefined)
  return isCounted && counts.every((each) => each !== undefined) ? counts.flat() : undefined
}
