import { dollarsOf } from '../money/nanos.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { free } from '../server/providers.ts'
import { recordOf } from '../server/settled.ts'
import type { Server } from '../server/start-server.ts'
import { vendors } from '../server/vendors.ts'

export const unpricedModel: Scenario = {
  name: 'unpriced-model',
  attack:
    'Models without prices are called with a key that has a budget: by a pattern of a known vendor, by one of the configuration, and by a fallback.',
  rule: 'They are refused with a 403 that names the setting, or charged by a ceiling. They never cost nothing.',
  before: 'claude-audit-9 and every other pattern passed, and cost $0.00 under any budget',
  async run({ upstream, start, check }) {
    upstream.plan({ bills: { input: 1000, output: 1000 } })
    upstream.plan({ bills: { input: 1, output: 1 }, status: 500 }, 'free-1')
    const server = await start({
      environment: vendors(upstream.url),
      config: {
        providers: {
          ...free(upstream.url),
          plain: { baseURL: `${upstream.url}/v1`, key: '${AUDIT_KEY}', models: ['x-*', 'bare'] },
        },
        aliases: { pool: { routes: ['gift/free-1', 'plain/bare'], type: 'priority' } },
      },
    })
    const { secret } = await server.admin.createKey({ name: 'attacker', budgets: { total: '10' } })
    const { secret: unlimited } = await server.admin.createKey({ name: 'without a budget' })
    await judge(server, secret, 'messages', 'anthropic/claude-audit-9', check)
    for (const model of ['plain/x-1', 'plain/bare']) await judge(server, secret, 'chat', model, check)
    const fallback = await ask(server.url, secret, 'chat', { model: 'pool' })
    check('a fallback to one is refused', fallback.status !== 200 && upstream.of('bare').length === 0, fallback.status)
    const { status } = await ask(server.url, unlimited, 'chat', { model: 'plain/x-1' })
    check('a key without a budget can call them', status === 200, status)
  },
}

async function judge(
  server: Server,
  secret: string,
  protocol: 'chat' | 'messages',
  model: string,
  check: Stage['check'],
): Promise<void> {
  const { status, text, requestId } = await ask(server.url, secret, protocol, { model })
  const rule = `${model} is refused with the name of the setting, or charged`
  if (status !== 200)
    return check(rule, status === 403 && /ceiling|prices/i.test(text), `${status} ${text.slice(0, 200)}`)
  const { nanos } = await recordOf(server, requestId)
  check(rule, nanos > 0n, dollarsOf(nanos))
}
