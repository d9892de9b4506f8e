import { bookedCalls, faultsOf, PROMPT } from '../books/judge.ts'
import { dollarsOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { PROTOCOLS, PROVIDER_OF } from '../server/providers.ts'
import { until } from '../server/until.ts'

export const breakOffWhole: Scenario = {
  name: 'break-off-whole',
  attack: 'The upstream breaks whole answers off in the middle: 100 calls in all protocols.',
  rule: 'A call whose answer had begun is charged at least its estimated prompt, marked as an estimate.',
  before: 'nothing was charged, and nothing was marked: 102 calls',
  async run({ size, upstream, start, check }) {
    upstream.plan({ bills: { input: 100, output: 50 }, breakAt: 'in-the-middle' })
    const server = await start({ config: { routing: { retries: 0, breaker: { faults: 1000 } } } })
    const { id, secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '100' } })
    const rounds = size === 'full' ? 25 : 2
    const calls = Array.from({ length: rounds }, (_, round) =>
      PROTOCOLS.map((protocol) => ({ protocol, model: `${PROVIDER_OF[protocol]}/m-${protocol}-${round}` })),
    ).flat()
    const statuses = new Set<number>()
    for (const { protocol, model } of calls) {
      const { status } = await ask(server.url, secret, protocol, { model, prompt: PROMPT })
      statuses.add(status)
    }
    await until('the calls to be settled', async () => (await server.admin.records()).length === calls.length, 500)
    const faults = faultsOf(bookedCalls(upstream.entries), await server.admin.records())
    check(
      'each call is charged, as an estimate',
      faults.length === 0,
      `${faults.length} of ${calls.length}: ${faults.slice(0, 4).join('; ')}`,
    )
    const [balance] = await server.admin.balances(id)
    check('the budget has paid for them', (balance?.spent ?? 0n) > 0n, dollarsOf(balance?.spent ?? 0n))
    check(
      'callers get an error',
      [...statuses].every((status) => status >= 500),
      [...statuses],
    )
  },
}
