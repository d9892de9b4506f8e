import { storableText, type CallRecord } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { withStore, type StoreSubject } from './subject.ts'
import { allUsage, batch, callRecord, DAY, openCall, opening, settlement } from './values.ts'

/** Distinct characters that no compression makes shorter. */
const LONG = Array.from({ length: 20_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join('')
const HARD = { 'U+0000': 'a\0b', 'half of a character': 'a\ud83d', 'a long text': LONG }
const WRONG: { readonly [title: string]: Partial<CallRecord> } = {
  ...Object.fromEntries(Object.entries(HARD).map(([title, asked]) => [title, { asked }])),
  'a fraction of a nano-dollar': { cost: 0.5 },
  'no number': { cost: Number.NaN },
  'a number above all limits': { cost: 1e300 },
}

/** Checks what becomes of values that a database may not be able to hold: a driver holds them, or refuses them with the error for that. */
export function describeUnstorable(title: string, open: StoreSubject['open']): void {
  const subject = { open }
  describe(`values that the store ${title} may refuse`, () => {
    it.each(Object.entries(WRONG))('%s: the batch is held or refused as a whole, with its own error', (_, changes) =>
      withStore(subject, async (store) => {
        const [good, poison] = [openCall(1), openCall(2)]
        const wrong = settlement(poison, { budgets: [DAY], record: callRecord(poison, changes) })
        const settlements = [settlement(good, { budgets: [DAY] }), wrong]
        const thrown = await refusalOf(async () => store.commit(batch({ settlements })))
        if (thrown === undefined) return
        expect(thrown).toMatchObject({ name: 'UnstorableError' })
        expect(await store.record(good.id)).toBeUndefined()
        expect(await store.balances('key_1')).toEqual([])
        await store.commit(batch({ settlements: settlements.slice(0, 1) }))
        expect(await store.record(good.id)).toBeDefined()
      }),
    )

    it.each(Object.entries(HARD))('%s is held in every text once it is made storable', (_, hard) =>
      withStore(subject, async (store) => {
        const text = storableText(hard)
        const call = openCall(3, { key: text, owner: text, asked: text, model: text, provider: text })
        const record = callRecord(call, { prices: text, losses: ['dropped-setting'] })
        await store.commit(batch({ openings: [opening(call, { budgets: [DAY] })] }))
        await store.commit(batch({ settlements: [settlement(call, { budgets: [DAY], record })] }))
        expect(await store.record(call.id)).toEqual(record)
        expect(await allUsage(store, { from: 0, to: call.at * 2, by: ['model'], where: { key: text } })).toMatchObject([
          { dimensions: { model: text }, calls: 1 },
        ])
      }),
    )
  })
}

async function refusalOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    await run()
    return undefined
  } catch (thrown) {
    return thrown
  }
}
