import { dollarsOf, nanosOf } from '../money/nanos.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { priced } from '../server/providers.ts'
import { until } from '../server/until.ts'

const BUDGET = '1.20'
/** $1.00 by hand: 50,000 tokens at 20 dollars per million. */
const TOKENS = 50_000
const COST = 1_000_000_000n
/** Four characters a token, the first 256 of which could be those of an image. */
const PROMPT = `${'iVBORw0K'.repeat(32)} ${'the quay '.repeat(22_222)}`
const CALLS = 40

export const estimateBase64: Scenario = {
  name: 'estimate-base64',
  attack: 'The text of a prompt begins with 256 characters of base64: 40 calls at once of $1.00 on a budget of $1.20.',
  rule: 'Media is estimated where the protocol says that there is media; a text is estimated by its length.',
  before: 'all 40 calls were served: $40.00 of $1.20',
  async run({ upstream, start, check }) {
    upstream.plan({ bills: { input: TOKENS, output: 0 }, holdAt: 'before-head' })
    const server = await start({ config: { providers: priced('dear', upstream.url, 'gold-*', 20, 0) } })
    const { id, secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: BUDGET } })
    let refused = 0
    const calls = Array.from({ length: CALLS }, async (_, index) => {
      const { status } = await ask(server.url, secret, 'chat', { model: `dear/gold-${index}`, prompt: PROMPT })
      if (status !== 200) refused++
      return status
    })
    await until('all calls to be admitted or refused', () => upstream.entries.length + refused === CALLS)
    upstream.release()
    const statuses = await Promise.all(calls)
    const served = statuses.filter((status) => status === 200).length
    await until('the calls to be settled', async () => (await server.admin.usage()).calls === served)
    const [balance] = await server.admin.balances(id)
    const spent = balance?.spent ?? 0n
    check('one call is served', served === 1, `${served} of ${CALLS}`)
    check(
      'the others are 402',
      statuses.every((status) => status === 200 || status === 402),
      [...new Set(statuses)],
    )
    check('what was spent is within the budget', spent <= nanosOf(BUDGET), `${dollarsOf(spent)} of $${BUDGET}`)
    check('each served call is charged', spent === COST * BigInt(served), dollarsOf(spent))
  },
}
