import { dollarsOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { recordOf } from '../server/settled.ts'
import { vendors } from '../server/vendors.ts'

/**
 * Google's words for Gemini 2.5 Pro (ai.google.dev/gemini-api/docs/pricing, 2026-11): $1.25 and $10 per million tokens for prompts up to 200k tokens, $2.50
 * and $15 above. The amounts are computed by hand, with 1,000 tokens of output.
 */
const EDGES = [
  { input: 199_999, nanos: 199_999n * 1250n + 10_000_000n },
  { input: 200_000, nanos: 260_000_000n },
  { input: 200_001, nanos: 515_002_500n },
]

export const tierEdges: Scenario = {
  name: 'tier-edges',
  attack: 'Prompts of exactly 200,000 tokens, and of one more, to a model whose price changes above 200,000.',
  rule: 'A tier "above 200,000" begins at 200,001: its conditions are gt and lte.',
  before: '200,000 tokens were charged as if they were more: $0.515 instead of $0.26',
  async run({ upstream, start, check }) {
    const server = await start({ environment: vendors(upstream.url) })
    const { secret } = await server.admin.createKey({ name: 'attacker' })
    for (const { input, nanos } of EDGES) {
      upstream.plan({ bills: { input, output: 1000 } }, 'gemini-2.5-pro')
      const { requestId } = await ask(server.url, secret, 'genai', { model: 'google/gemini-2.5-pro' })
      const record = await recordOf(server, requestId)
      check(`${input} tokens cost ${dollarsOf(nanos)}`, record.nanos === nanos, dollarsOf(record.nanos))
    }
    const response = await fetch(`${server.url}/api/v1/models/google%2Fgemini-2.5-pro`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const found = [...new Set((await response.text()).match(/"(gte|gt|lte|lt)":\d+/g))].toSorted().join()
    check('the model list has the conditions gt and lte', found === '"gt":200,"gte":0,"lte":200', found)
  },
}
