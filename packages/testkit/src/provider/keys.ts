import { describe, expect, it } from 'vitest'
import { readModelList, type Fields, type Outbound } from '@dragoman/core/provider'
import { clientOf } from './clients.ts'
import { plainAnswer } from './scripts/scripts-of.ts'
import { canaries, createStage, KEYS, optionsFor } from './stage.ts'
import type { ProviderSubject } from './subject.ts'
import type { SeenCall } from './upstream.ts'

const OUTBOUND: Outbound = { headers: {}, body: '{}', deadlines: { connect: 1, head: 1, idle: 1, total: 1 } }

/** Keys are used in rotation, paused when refused, and sent only to the provider's own origin. */
export function describeKeys(subject: ProviderSubject, supported: readonly string[]): void {
  const { auth } = subject
  const [protocol] = supported
  describe('keys', () => {
    it('never sends a call to another origin', () => {
      const provider = subject.create(optionsFor(subject, 'https://upstream.example'))
      for (const path of ['.evil.example/x', '@evil.example/x', ':1@evil.example/', 'x', ''])
        for (const each of provider.protocols)
          expect(() => provider.call(each, { path, headers: {} }, OUTBOUND)).toThrow(/origin/)
      const { url } = provider.call(provider.protocols[0] ?? '', { path: '//evil.example/x', headers: {} }, OUTBOUND)
      expect(new URL(url).origin).toBe('https://upstream.example')
    })

    it('does not send a key to other addresses', () => {
      const provider = subject.create({
        ...optionsFor(subject, 'https://upstream.example'),
        headers: { 'x-tenant': 'tenant-canary-3333' },
      })
      for (const url of [
        'https://elsewhere.example/a?b=c',
        'http://upstream.example/a',
        'https://upstream.example:444/',
      ])
        expect(JSON.stringify(provider.visit?.(url, OUTBOUND).headers ?? {})).not.toContain('canary')
      const own = JSON.stringify(provider.visit?.('https://upstream.example/result', OUTBOUND).headers ?? {})
      expect(own).toContain('tenant-canary')
      expect(own.includes(KEYS[0])).toBe(auth !== undefined)
      expect(() => provider.visit?.('file:///etc/passwd', OUTBOUND)).toThrow(/http/)
    })

    const { listPath } = subject
    if (listPath !== undefined)
      it('requests the model list with its key', async () => {
        const stage = await createStage(subject)
        try {
          expect(new URL(stage.provider.list ?? '').pathname).toBe(listPath)
          const headers: Fields = stage.provider.visit?.(stage.provider.list ?? '', OUTBOUND).headers ?? {}
          expect(canaries(JSON.stringify(headers)).length).toBe(auth === undefined ? 0 : 1)
          stage.upstream.answer({ body: '{"data":[{"id":"one"}]}' })
          const list = await fetch(stage.provider.list ?? '', { headers })
          expect(readModelList(await list.text())).toEqual(['one'])
          expect(stage.upstream.seen.at(-1)).toMatchObject({ method: 'GET', path: listPath })
        } finally {
          await stage.close()
        }
      })

    if (auth === undefined || protocol === undefined) return
    it.each([429, 401])('uses keys in rotation, and another one instead of one that gets a %i', async (status) => {
      let time = 1_000_000
      const stage = await createStage(subject, { now: () => time })
      try {
        const { upstream, ask } = stage
        const keyOf = ({ headers }: SeenCall): number =>
          KEYS.findIndex((key) => headers[auth.header] === `${auth.prefix ?? ''}${key}`)
        /** The keys of one call. */
        const used = async (): Promise<number[]> => {
          const before = upstream.seen.length
          await ask(clientOf(protocol), {})
          return upstream.seen.slice(before).map(keyOf)
        }
        const good = plainAnswer(protocol, false)
        const refused = { status, headers: { 'retry-after': '20' }, body: '{"error":{"message":"no"}}' }
        upstream.answer(good)
        expect([await used(), await used(), await used()]).toEqual([[0], [1], [0]])
        upstream.answer((call) => (keyOf(call) === 1 ? refused : good))
        expect([await used(), await used(), await used()]).toEqual([[1, 0], [0], [0]])
        upstream.answer(good)
        expect([await used(), await used()]).toEqual([[0], [0]])
        time += 3_600_000
        expect(new Set([...(await used()), ...(await used())])).toEqual(new Set([0, 1]))
      } finally {
        await stage.close()
      }
    })
  })
}
