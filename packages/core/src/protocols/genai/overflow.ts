import type { OverflowWords } from '../context-length.ts'

/** LiteLLM and agents search for these words. */
export const OVERFLOW: OverflowWords = {
  own: /exceeds the maximum number of tokens allowed/,
  withOutput: (input, output, limit) => OVERFLOW.withInput(input, limit - output),
  withInput: (input, limit) =>
    `The input token count (${input}) exceeds the maximum number of tokens allowed (${limit}).`,
  plain: 'The input token count exceeds the maximum number of tokens allowed.',
}
