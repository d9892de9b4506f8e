import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { holdsAsync, RUNS } from '../laws/runs.ts'
import { checkBooks } from './check-books.ts'
import { CHAT, createWorld, PRICE, settled, type Instance, type Seen } from './world.ts'

/** The steps of a run. The number `at` chooses among the instances or calls that exist. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), at: fc.nat(), key: fc.nat(1) }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('answer' as const),
        at: fc.nat(),
        output: fc.integer({ min: 0, max: 200 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), at: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('cut' as const), at: fc.nat(), ms: fc.constantFrom(500, 41_000) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 12_000 }) }) },
  ),
  { minLength: 10, maxLength: 60 },
)

const BUDGET = 20_000_000
/** The dearest answer: 200 tokens, where 100 are expected. */
const DEAREST = 100 * PRICE.output + 100 * PRICE.input
/** The most calls that are under way at once. */
const MOST = 12

it('books are exact whatever instances do and whenever they die', async () => {
  await holdsAsync(
    steps,
    async (script) => {
      const world = createWorld()
      world.auto = undefined
      const keys = [
        await world.create({ budgets: { total: BUDGET } }),
        await world.create({ budgets: { total: BUDGET } }),
      ]
      const alive: Instance[] = [world.instance(), world.instance(), world.instance()]
      const open = new Map<Seen, Instance>()
      let lost = 0
      for (const step of script) {
        if (step.do === 'call' && open.size < MOST) {
          const [instance] = alive.slice(step.at % alive.length)
          if (instance === undefined) continue
          const before = world.seen.length
          void instance.chat(keys[step.key]?.secret ?? '', CHAT)
          await settled()
          for (const call of world.seen.slice(before)) open.set(call, instance)
        } else if (step.do === 'answer' || step.do === 'fail') {
          const [call] = [...open.keys()].slice(step.at % Math.max(1, open.size))
          if (call === undefined) continue
          open.delete(call)
          if (step.do === 'answer') call.chat(100, step.output)
          else call.fail()
          await settled()
        } else if (step.do === 'kill') {
          const [dead] = alive.splice(step.at % alive.length, 1)
          dead?.kill()
          for (const [call, instance] of open) if (instance === dead) open.delete(call)
          alive.push(world.instance())
          lost++
        } else if (step.do === 'cut') {
          const [instance] = alive.slice(step.at % alive.length)
          instance?.cut(true)
          await world.pass(step.ms)
          // Answers arrive while nothing can be committed.
          const late = [...open].filter(([, owner]) => owner === instance)
          for (const [call] of late) {
            open.delete(call)
            call.chat(100, 150)
          }
          await settled()
          instance?.cut(false)
          await world.pass(2500)
          lost++
        } else if (step.do === 'pass') await world.pass(step.ms)
      }
      for (const call of open.keys()) call.chat(100, 50)
      await settled()
      for (const { accounts } of alive) await accounts.close()
      world.clock.advance(31_000)
      await world.store.buryLost()
      const budgets = Object.fromEntries(keys.map(({ key }) => [key.id, { total: BUDGET }]))
      // Calls under way when the budget ends may cost more than expected. Slices of lost instances are given to others.
      const overspend = BigInt(MOST * DEAREST + (lost * BUDGET) / 16)
      const seen = world.seen.map(({ id }) => id)
      expect(await checkBooks({ store: world.store, seen, budgets, overspend })).toEqual([])
    },
    RUNS / 5,
  )
})
