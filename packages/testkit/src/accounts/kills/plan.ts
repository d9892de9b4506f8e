import * as fc from 'fast-check'

/** What the upstream does with a call. The client sends it along. */
export interface Plan {
  readonly do:
    | 'answer'
    | 'stream'
    /** Streams without an end: the client leaves. */
    | 'linger'
    /** Waits until the test lets it answer. */
    | 'hold'
    /** Refuses it as the client's fault, or as its own, which makes the gateway try another route. */
    | 'refuse'
    | 'fail'
    /** Breaks the connection. */
    | 'reset'
  readonly delayMs: number
  /** The tokens that it reports. */
  readonly input: number
  readonly output: number
}

/** Nano-dollars of one token: of the prompt, and of the answer. */
export const PRICE = { input: 1000, output: 10_000 }
/** What calls allow, and what they are expected to use. Plans use up to twice as much. */
export const EXPECTED_OUTPUT = 50

export const plans: fc.Arbitrary<Plan> = fc.record({
  do: fc.oneof(
    { weight: 6, arbitrary: fc.constant('answer' as const) },
    { weight: 6, arbitrary: fc.constant('stream' as const) },
    { weight: 1, arbitrary: fc.constantFrom('linger', 'refuse', 'fail', 'reset') },
  ),
  // Long enough that most instances are killed during a call, and that clients do not keep a machine busy.
  delayMs: fc.integer({ min: 20, max: 300 }),
  input: fc.integer({ min: 1, max: 100 }),
  output: fc.integer({ min: 0, max: 2 * EXPECTED_OUTPUT }),
})

export function costOf({ input, output }: Plan): number {
  return input * PRICE.input + output * PRICE.output
}

/** The body of a call with this plan. */
export function bodyOf(plan: Plan): string {
  return JSON.stringify({
    model: 'pool',
    messages: [{ role: 'user', content: 'Hello.' }],
    max_tokens: EXPECTED_OUTPUT,
    stream: plan.do === 'stream' || plan.do === 'linger',
    user: JSON.stringify(plan),
  })
}

export function planIn(body: string): Plan {
  const { user } = JSON.parse(body) as { user: string } // written by `bodyOf`
  return JSON.parse(user) as Plan // the same
}
