import type { OverflowWords } from '../context-length.ts'

/** OpenAI's words for this protocol; codex goes by the code. */
export const OVERFLOW: OverflowWords = {
  own: /exceeds the context window|maximum context length/,
  withOutput: (input, output, limit) =>
    `Your input exceeds the context window of this model: ${input} tokens of input and ${output} of output, with a limit of ${limit}. Please adjust your input and try again.`,
  withInput: (input, limit) =>
    `Your input exceeds the context window of this model: ${input} tokens, with a limit of ${limit}. Please adjust your input and try again.`,
  plain: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
