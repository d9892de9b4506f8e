import type { OverflowWords } from '../context-length.ts'

/** Codex, opencode and others search for the code, others for the first sentence. */
export const OVERFLOW: OverflowWords = {
  own: /maximum context length|context window of this model|configured limit of/,
  withOutput: (input, output, limit) =>
    `This model's maximum context length is ${limit} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
  withInput: (input, limit) =>
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`,
  plain: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
}
