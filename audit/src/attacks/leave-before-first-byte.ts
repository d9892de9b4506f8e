import { askAndLeave } from '../books/leave.ts'
import { bookedCalls, faultsOf, PROMPT } from '../books/judge.ts'
import { dollarsOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { PROTOCOLS, PROVIDER_OF } from '../server/providers.ts'
import { until } from '../server/until.ts'

const BILLS = { input: 100, output: 50 }

export const leaveBeforeFirstByte: Scenario = {
  name: 'leave-before-first-byte',
  waits: true,
  attack:
    'Callers leave after the upstream has the request and before it answers: 160 calls in all protocols, whole and streamed.',
  rule: 'A call that the upstream has is charged: at least the estimated prompt, marked as an estimate.',
  before: 'nothing was charged: 162 calls that the upstream had counted',
  async run({ size, upstream, start, check }) {
    upstream.plan({ bills: BILLS, holdAt: 'before-head' })
    const server = await start()
    const { id, secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '100' } })
    const rounds = size === 'full' ? 20 : 1
    const calls = Array.from({ length: rounds }, (_, round) =>
      PROTOCOLS.flatMap((protocol) =>
        [true, false].map((stream) => ({
          protocol,
          stream,
          model: `${PROVIDER_OF[protocol]}/m-${protocol}-${stream}-${round}`,
        })),
      ),
    ).flat()
    for (const { protocol, ...asked } of calls)
      await askAndLeave(server.url, secret, protocol, { ...asked, prompt: PROMPT }, upstream)
    // Answers that come after this time are not waited for.
    await until('the calls to be settled', async () => (await server.admin.records()).length === calls.length, 500)
    const records = await server.admin.records()
    const faults = faultsOf(bookedCalls(upstream.entries), records)
    check(
      'each call is charged, as an estimate',
      faults.length === 0,
      `${faults.length} of ${calls.length}: ${faults.slice(0, 4).join('; ')}`,
    )
    const [balance] = await server.admin.balances(id)
    check('the budget has paid for them', (balance?.spent ?? 0n) > 0n, dollarsOf(balance?.spent ?? 0n))
  },
}
