import type { Scenario } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { free } from '../server/providers.ts'

/** About $0.05 by hand: 20,000 tokens of the prompt, and 1,000 of the answer. */
const PROMPT = 'a quay '.repeat(11_429)

export const budgetWords: Scenario = {
  name: '402-words',
  attack: 'A call is estimated at $0.05 with a budget of $0.01 per day of which nothing is spent.',
  rule: 'The 402 has the limit, what was spent, the estimate and the reset, and does not say "used up".',
  before: 'the message said that the budget was used up, and nothing else',
  async run({ start, check }) {
    const server = await start()
    const { secret } = await server.admin.createKey({ name: 'caller', budgets: { day: '0.01' } })
    const { status, text, headers } = await ask(server.url, secret, 'chat', { model: 'house/m-1', prompt: PROMPT })
    check(
      'the status is 402, not to be tried again',
      status === 402 && headers.get('x-should-retry') === 'false',
      status,
    )
    check('it has the limit', /\b0\.01\b/.test(text), text)
    check('it says what was spent', /spent/i.test(text))
    check('it has the estimate', /\b0\.05/.test(text))
    check('it says when the budget begins anew', /\d{4}-\d\d-\d\d/.test(text))
    check('it does not say that the budget is used up', !/used up/i.test(text))
  },
}

export const freeCallsAfter402: Scenario = {
  name: 'free-calls-after-402',
  attack: 'After a 402, the same key calls a model that costs nothing.',
  rule: 'Calls that cost nothing are served, whatever the budget is.',
  before: 'they were refused with 402 too, for a while',
  async run({ start, upstream, check }) {
    const server = await start({ config: { providers: free(upstream.url) } })
    const { secret } = await server.admin.createKey({ name: 'caller', budgets: { total: '0.01' } })
    const statuses: number[] = []
    for (const model of ['house/m-1', 'gift/free-1', 'house/m-2', 'gift/free-2']) {
      const { status } = await ask(server.url, secret, 'chat', { model, prompt: PROMPT })
      statuses.push(status)
    }
    check('they are served, and the others are 402', String(statuses) === '402,200,402,200', statuses)
  },
}
