/** The prices of the audit's own models in nano-dollars per token, written by hand. */
export const PRICE = {
  /** 2 dollars per million tokens. */
  input: 2000n,
  /** 10 dollars per million tokens. */
  output: 10_000n,
}

/** The same prices in the words of the configuration: dollars per million tokens. */
export const CONFIGURED_PRICES = {
  prompt: [{ value: 2, unit: 'perMTokens', currency: 'USD' }],
  completion: [{ value: 10, unit: 'perMTokens', currency: 'USD' }],
}

/** What a call costs by the counts that the upstream bills. */
export function billOf({ input, output }: { readonly input: number; readonly output: number }): bigint {
  return BigInt(input) * PRICE.input + BigInt(output) * PRICE.output
}
