import { periodAt, type Batch, type OpenCall, type Opening, type Settlement } from '@dragoman/accounts/store'

/** Keys, each with one owner, and the models that they use. */
const KEYS = namesOf('key_', 20)
const OWNERS = namesOf('owner ', 20)
const MODELS = namesOf('acme/model-', 8)
const VERSIONS = namesOf('prices-', 8)
const LOSSES = [[], [], [], ['settings.top-k'], ['tools.strict', 'cache.mark']]
const LIMITS = { requests: 1_000_000, tokens: 1_000_000_000, concurrent: 100_000 }

/** Groups of calls as an instance commits them: each opens calls and settles those of the group before. */
export interface Groups {
  next(size: number): Batch
}

/** Calls begin less than `spreadMs` after one another. */
export function createGroups(start = Date.UTC(2026, 10, 1), spreadMs = 2): Groups {
  const random = createRandom()
  let at = start
  let number = 0
  let open: readonly Opening[] = []
  return {
    next(size) {
      const settlements = open.map((each) => settlementOf(each, random))
      open = Array.from({ length: size }, () => {
        at += random(spreadMs)
        return openingOf(at, random)
      })
      return { instance: 'bench', number: ++number, ttlMs: 30_000, settlements, slices: [], openings: open }
    },
  }
}

type Random = (below: number) => number

/** The same numbers in every run. */
function createRandom(): Random {
  let state = 1
  return (below) => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return (state >>> 8) % below
  }
}

function openingOf(at: number, random: Random): Opening {
  const key = random(KEYS.length)
  const model = random(MODELS.length)
  const digits = [random(2 ** 20), random(2 ** 20), random(2 ** 20), random(2 ** 20)]
  const call: OpenCall = {
    id: at.toString(16).padStart(12, '0') + digits.map((each) => each.toString(16).padStart(5, '0')).join(''),
    at,
    key: KEYS[key] ?? '',
    owner: OWNERS[key] ?? '',
    conversation: random(2 ** 20)
      .toString(16)
      .padStart(16, '0'),
    operation: 'generate',
    asked: MODELS[model] ?? '',
    model: MODELS[model] ?? '',
    provider: 'acme',
    protocol: 'chat',
    mode: 'translate',
    stream: true,
    estimate: random(10_000_000),
  }
  const budgets = [periodAt('day', at), periodAt('month', at)]
  return { call, budgets, limits: LIMITS, tokens: 1000, sliceRequests: [] }
}

function settlementOf({ call: { estimate: _, ...call }, budgets, limits }: Opening, random: Random): Settlement {
  const [input, output, cacheRead, reasoning] = [random(20_000), random(3000), random(2) * random(10_000), random(1000)]
  const items = [
    { name: 'prompt', quantity: input, nanos: input * 3000 },
    { name: 'cache-read', quantity: cacheRead, nanos: cacheRead * 300 },
    { name: 'completion', quantity: output, nanos: output * 15_000 },
  ] as const
  const record = {
    ...call,
    outcome: 'complete',
    status: 200,
    attempts: 1,
    tokens: { input, output, cacheRead, cacheWrite5m: 0, cacheWrite1h: 0, reasoning },
    cost: items.reduce((sum, { nanos }) => sum + nanos, 0),
    items: items.filter(({ quantity }) => quantity > 0),
    prices: VERSIONS[MODELS.indexOf(call.model)] ?? '',
    estimated: false,
    losses: LOSSES[random(LOSSES.length)] ?? [],
    firstByteMs: random(2000),
    ms: random(20_000),
  } as const
  return { id: call.id, key: call.key, record, budgets, limits, tokens: 10 }
}

function namesOf(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`)
}
