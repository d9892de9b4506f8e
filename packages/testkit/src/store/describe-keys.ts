import type { Store } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { withStore, type StoreSubject } from './subject.ts'
import { auditEntry, HARD_TEXT, storedKey } from './values.ts'

export function describeStoredKeys(subject: StoreSubject): void {
  describe('keys', () => {
    it('finds a key by its digest, with all of its members', () =>
      withStore(subject, async (store) => {
        const key = storedKey({
          name: HARD_TEXT,
          owner: HARD_TEXT,
          labels: { [HARD_TEXT]: HARD_TEXT },
          scopes: ['inference', 'admin'],
          models: ['acme/*', HARD_TEXT],
          providers: ['acme'],
          limits: { requests: 1, tokens: 2, concurrent: 3 },
          budgets: { day: 1, total: 9_007_199_254_740_991 },
          bodies: { days: 3, redact: ['[0-9]+'] },
          expiresAt: 5,
          revokedAt: 6,
          disabled: true,
        })
        const saved = await store.saveKey(key, 0, auditEntry(1))
        expect(saved).toEqual({ ...key, revision: saved?.revision })
        expect(await store.findKey(key.digest)).toEqual(saved)
        expect(await store.findKey('00'.repeat(32))).toBeUndefined()
        expect(await store.key(key.id)).toEqual(saved)
        expect(await store.key(key.digest)).toBeUndefined()
      }))

    it('finds a rotated key by its current and by its previous digest only', () =>
      withStore(subject, async (store) => {
        const [first, second, third] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string]
        const one = await store.saveKey(storedKey({ digest: first }), 0, auditEntry(1))
        const previous = { digest: first, until: 7 }
        const two = await store.saveKey(storedKey({ digest: second, previous }), one?.revision ?? -1, auditEntry(2))
        expect(await store.findKey(first)).toEqual(two)
        expect(await store.findKey(second)).toEqual(two)
        const later = { digest: second, until: 8 }
        const three = await store.saveKey(
          storedKey({ digest: third, previous: later }),
          two?.revision ?? -1,
          auditEntry(3),
        )
        expect(await store.findKey(first)).toBeUndefined()
        expect(await store.findKey(second)).toEqual(three)
        expect(await store.findKey(third)).toEqual(three)
      }))

    it('lists keys in the order of their latest changes', () =>
      withStore(subject, async (store) => {
        const revisions = await saveThree(store)
        const changed = await store.saveKey(keyNumber(1), revisions[1] ?? -1, auditEntry(4))
        expect((await store.keysSince(0, 10)).map(({ id }) => id)).toEqual(['key_0', 'key_2', 'key_1'])
        expect((await store.keysSince(0, 2)).map(({ id }) => id)).toEqual(['key_0', 'key_2'])
        expect((await store.keysSince(revisions[2] ?? -1, 10)).map(({ id }) => id)).toEqual(['key_1'])
        expect(await store.keysSince(changed?.revision ?? -1, 10)).toEqual([])
        expect(changed?.revision).toBeGreaterThan(revisions[2] ?? Number.NaN)
      }))

    it('refuses to replace a revision that is not the latest, and writes no audit entry', () =>
      withStore(subject, async (store) => {
        const key = storedKey()
        expect(await store.saveKey(key, 1, auditEntry(1))).toBeUndefined()
        const first = await store.saveKey(key, 0, auditEntry(2))
        expect(await store.saveKey(key, 0, auditEntry(3))).toBeUndefined()
        const second = await store.saveKey({ ...key, name: 'second' }, first?.revision ?? -1, auditEntry(4))
        expect(await store.saveKey({ ...key, name: 'third' }, first?.revision ?? -1, auditEntry(5))).toBeUndefined()
        expect(await store.findKey(key.digest)).toEqual(second)
        expect(await store.audits(undefined, 10)).toEqual([auditEntry(4), auditEntry(2)])
      }))

    it('lets one of several savers of the same revision win', () =>
      withStore(subject, async (store) => {
        const first = await store.saveKey(storedKey(), 0, auditEntry(0))
        const saves = [1, 2, 3, 4, 5].map(async (number) =>
          store.saveKey(storedKey({ name: String(number) }), first?.revision ?? -1, auditEntry(number)),
        )
        const saved = (await Promise.all(saves)).filter((key) => key !== undefined)
        expect(saved).toHaveLength(1)
        expect(await store.keysSince(first?.revision ?? -1, 10)).toEqual(saved)
        expect(await store.audits(undefined, 10)).toHaveLength(2)
      }))
  })
}

const keyNumber = (number: number): ReturnType<typeof storedKey> =>
  storedKey({ id: `key_${number}`, digest: `0${number}`.repeat(32) })

async function saveThree(store: Store): Promise<readonly number[]> {
  const revisions: number[] = []
  for (const number of [0, 1, 2]) {
    const saved = await store.saveKey(keyNumber(number), 0, auditEntry(number))
    revisions.push(saved?.revision ?? -1)
  }
  return revisions
}

export function describeAudits(subject: StoreSubject): void {
  describe('audits and bodies', () => {
    it('lists audit entries, latest first, page by page', () =>
      withStore(subject, async (store) => {
        const entries = [1, 2, 3, 4, 5].map((number) =>
          auditEntry(number, {
            actor: HARD_TEXT,
            target: HARD_TEXT,
            address: '::1',
            detail: { [HARD_TEXT]: [1, null] },
          }),
        )
        for (const entry of entries) await store.writeAudit(entry)
        expect(await store.audits(undefined, 2)).toEqual([entries[4], entries[3]])
        expect(await store.audits(entries[3]?.id, 10)).toEqual([entries[2], entries[1], entries[0]])
        expect(await store.audits(entries[0]?.id, 10)).toEqual([])
      }))

    it('keeps bodies until their time', () =>
      withStore(subject, async (store, clock) => {
        const one = { id: '01'.repeat(16), key: HARD_TEXT, until: clock.now() + 10, request: HARD_TEXT, answer: '' }
        const other = { ...one, id: '02'.repeat(16), until: clock.now() + 20, answer: HARD_TEXT.repeat(5000) }
        await store.saveBodies(one)
        await store.saveBodies(other)
        expect(await store.bodies(one.id)).toEqual(one)
        expect(await store.bodies(other.id)).toEqual(other)
        expect(await store.bodies(HARD_TEXT)).toBeUndefined()
        clock.advance(11)
        expect(await store.prune({ records: 0, hours: 0, audit: 0 }, 10)).toBe(1)
        expect(await store.bodies(one.id)).toBeUndefined()
        expect(await store.bodies(other.id)).toEqual(other)
      }))

    it('has a title', () =>
      withStore(subject, async (store) => {
        expect(store.title).toMatch(/\S/)
      }))
  })
}
