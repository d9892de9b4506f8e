import { dollarsOf, nanosOf } from '../money/nanos.ts'
import { billOf } from '../money/prices.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { free } from '../server/providers.ts'
import { until } from '../server/until.ts'

const BUDGET = '0.20'
/** $0.07 by hand: 1,000 and 6,800 tokens. Its estimate is about $0.01. */
const DEAR = { input: 1000, output: 6800 }

/** 30 calls of $0.07 are $2.10. */
export const fallbackPastBudget: Scenario = {
  name: 'fallback-past-budget',
  attack:
    'A route that costs nothing fails on command, and the dear route after it is called: 30 calls of $0.07 on a budget of $0.20.',
  rule: 'A later attempt that needs more than is reserved asks the budget, and the answer is 402.',
  before: 'budget $0.20, spent $2.10: all 30 calls were served',
  async run({ size, upstream, start, check }) {
    upstream.plan({ bills: DEAR, status: 500 }, 'free-1')
    upstream.plan({ bills: DEAR }, 'm-dear')
    const server = await start({
      config: {
        providers: free(upstream.url),
        aliases: { pool: { routes: ['gift/free-1', 'house/m-dear'], type: 'priority' } },
        // The free route is tried each time, although it fails.
        routing: { breaker: { faults: 1000 } },
      },
    })
    const { id, secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: BUDGET } })
    const statuses: number[] = []
    for (let call = 0; call < (size === 'full' ? 30 : 8); call++) {
      const { status } = await ask(server.url, secret, 'chat', { model: 'pool' })
      statuses.push(status)
    }
    const served = statuses.filter((status) => status === 200).length
    await until('the calls to be settled', async () => (await server.admin.usage()).calls >= served)
    const [balance] = await server.admin.balances(id)
    const spent = balance?.spent ?? 0n
    // The last call that has room for its estimate may cost more than that.
    check(
      'the budget is exceeded by one call at most',
      spent <= nanosOf(BUDGET) + billOf(DEAR),
      `${dollarsOf(spent)} of $${BUDGET}, ${served} of ${statuses.length} calls served`,
    )
    check('later calls are 402', statuses.at(-1) === 402, statuses)
    check(
      'the upstream has billed what was spent',
      billOf(DEAR) * BigInt(upstream.of('m-dear').length) === spent,
      upstream.of('m-dear').length,
    )
  },
}
