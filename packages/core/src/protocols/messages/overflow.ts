import type { OverflowWords } from '../context-length.ts'

/** Claude Code compacts the conversation after the second text, and lowers `max_tokens` after the first. */
export const OVERFLOW: OverflowWords = {
  own: /prompt is too long(?!: \d+,)|exceed context limit/,
  withOutput: (input, output, limit) =>
    `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`,
  withInput: (input, limit) => `prompt is too long: ${input} tokens > ${limit} maximum`,
  plain: 'prompt is too long',
}
