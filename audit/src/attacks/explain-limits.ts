import type { Scenario } from '../scenario.ts'
import { read, requestOf } from '../server/ask.ts'

export const explainLimits: Scenario = {
  name: 'explain-limits',
  attack: 'A key with 5 requests per minute and a budget that is too small for any call asks for explanations.',
  rule: 'They count toward request limits, and never toward budgets.',
  before: 'they were not counted at all',
  async run({ start, upstream, check }) {
    const server = await start()
    const { id, secret } = await server.admin.createKey({
      name: 'caller',
      limits: { requestsPerMinute: 5 },
      budgets: { total: '0.000001' },
    })
    const statuses: number[] = []
    for (let call = 0; call < 8; call++) {
      const { status } = await read(requestOf(`${server.url}/explain`, secret, 'chat', { model: 'house/m-1' }))
      statuses.push(status)
    }
    check(
      'five are answered, although the budget has no room',
      statuses.slice(0, 5).every((status) => status === 200),
      statuses,
    )
    check(
      'further ones are 429',
      statuses.slice(6).every((status) => status === 429),
      statuses,
    )
    check(
      'nothing is spent',
      (await server.admin.balances(id)).every(({ spent }) => spent === 0n),
    )
    check('no upstream is called', upstream.entries.length === 0, upstream.entries.length)
  },
}
