import type { Scenario, Stage } from '../scenario.ts'
import { ask } from '../server/ask.ts'
import { POINTS } from '../upstream/plan.ts'
import { callsOf, makeCall, makeCalls, WORK_MS, type Kind } from './calls.ts'
import { compareBooks } from './compare.ts'
import { MOST_TOKENS, PROMPT } from './judge.ts'

const BREAKERS = { routing: { retries: 0, breaker: { faults: 1000, share: 1 } } }
const AT_ONCE = 8

async function runCalls(stage: Stage, kinds: readonly Kind[], many: number): Promise<void> {
  const { upstream, start } = stage
  const server = await start({ config: BREAKERS })
  const keys = [
    await server.admin.createKey({ name: 'one', budgets: { total: '1000' } }),
    await server.admin.createKey({ name: 'two', budgets: { total: '1000', day: '1000' } }),
  ]
  await makeCalls(callsOf(kinds, many), AT_ONCE, (call) =>
    makeCall(server.url, keys[call.plan.bills.input % 2]?.secret ?? '', call, upstream),
  )
  await compareBooks(
    stage,
    server,
    keys.map(({ id }) => id),
  )
}

export const load: Scenario = {
  name: 'load',
  attack:
    'Callers send calls in all protocols, whole and streamed, and for reranking; some are refused by the upstream.',
  rule: 'The books are those of the upstream, call by call, in whole nano-dollars.',
  before: 'held',
  run: (stage) => runCalls(stage, ['answer', 'answer', 'answer', 'refuse'], stage.size === 'full' ? 2000 : 100),
}

export const aborts: Scenario = {
  name: 'aborts',
  attack:
    'Callers leave at every point of an answer: before its head, before its first byte, in the middle, and before its usage.',
  rule: 'Each call is charged: what the upstream reports within a bounded time, or at least the estimated prompt, marked.',
  before: 'those that left before the first byte paid nothing, and those that left before usage a fraction',
  run: (stage) => runCalls(stage, ['leave'], stage.size === 'full' ? 640 : 64),
}

export const breaks: Scenario = {
  name: 'breaks',
  attack: 'The upstream breaks off at every point of an answer.',
  rule: 'Each call that the upstream has received is charged at least its estimated prompt, marked.',
  before: 'whole answers that broke off, and all before the first byte, cost nothing',
  run: (stage) => runCalls(stage, ['break'], stage.size === 'full' ? 640 : 64),
}

/** How the first route fails. */
const FAILURES = [
  { status: 500 },
  ...POINTS.map((breakAt) => ({ breakAt, ...(breakAt === 'before-head' ? { delayMs: WORK_MS } : {}) })),
]

export const fallbacks: Scenario = {
  name: 'fallbacks',
  attack: 'The first route fails in every way, and the second one answers.',
  rule: 'Each attempt that the upstream has received and not refused is charged, as an item of its own.',
  before: 'only the last attempt was charged',
  async run(stage) {
    const { upstream, start, size } = stage
    const many = size === 'full' ? 240 : 24
    const names = Array.from({ length: many }, (_, index) => `m-f${index}`)
    const aliases = Object.fromEntries(
      names.map((name) => [name, { routes: [`house/${name}.a`, `lodge/${name}.b`], type: 'priority' }]),
    )
    const server = await start({ config: { ...BREAKERS, aliases } })
    const { id, secret } = await server.admin.createKey({ name: 'one', budgets: { total: '1000' } })
    for (const [index, name] of names.entries()) {
      const bills = { input: 50 + index, output: 10 + index }
      upstream.plan({ bills, ...FAILURES[index % FAILURES.length] }, `${name}.a`)
      upstream.plan({ bills }, `${name}.b`)
      await ask(server.url, secret, 'chat', {
        model: name,
        // Other words: a conversation stays on the route that has answered it.
        prompt: `${PROMPT} ${name}`,
        maxTokens: MOST_TOKENS,
        stream: index % 4 === 0,
      })
    }
    await compareBooks(stage, server, [id])
  },
}
