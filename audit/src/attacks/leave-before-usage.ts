import { setTimeout as pause } from 'node:timers/promises'
import { askAndLeave } from '../books/leave.ts'
import { PROMPT } from '../books/judge.ts'
import { dollarsOf } from '../money/nanos.ts'
import { billOf } from '../money/prices.ts'
import type { Scenario } from '../scenario.ts'
import { PROTOCOLS, PROVIDER_OF } from '../server/providers.ts'
import { until } from '../server/until.ts'

/** $2.00 by hand: 200,000 tokens of reasoning and answer. */
const BILLS = { input: 0, output: 200_000 }
/** How long the upstream takes from its last word to its usage. */
const LATE_MS = 300

export const leaveBeforeUsage: Scenario = {
  name: 'leave-before-usage',
  attack: 'Callers leave a stream after its last word and before its usage, which is $2.00.',
  rule: 'After a caller has left, the gateway reads on for usage for a bounded time, and charges what is reported.',
  before: '$0.0027 of $2.00 were charged',
  async run({ upstream, start, check }) {
    upstream.plan({ bills: BILLS, holdAt: 'before-usage' })
    const server = await start()
    const { secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '100' } })
    for (const protocol of PROTOCOLS) {
      const asked = {
        model: `${PROVIDER_OF[protocol]}/m-${protocol}`,
        stream: true,
        prompt: PROMPT,
        maxTokens: 250_000,
      }
      await askAndLeave(server.url, secret, protocol, asked, upstream)
    }
    await pause(LATE_MS)
    upstream.release()
    await until('the calls to be settled', async () => (await server.admin.records()).length === PROTOCOLS.length, 500)
    for (const { protocol, nanos, estimated } of await server.admin.records())
      check(
        `${protocol}: what the upstream has reported is charged`,
        nanos === billOf(BILLS) && !estimated,
        `${dollarsOf(nanos)} of $2.00`,
      )
    check(
      'the upstream was not left',
      upstream.entries.every(({ hasReported }) => hasReported),
    )
  },
}
