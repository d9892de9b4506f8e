import { expect, it } from 'vitest'
import { explaining, CHAT, HEADERS } from './explaining.ts'
import { fakeProvider } from './scripted.ts'
import { setUp } from './set-up.ts'

const BODY = JSON.stringify({ model: 'acme/m' })
const JSON_TYPE = 'application/json'

function open() {
  const done = setUp({
    providers: [fakeProvider('acme', ['red']), fakeProvider('other', ['red'])],
    keys: { find: (id) => ({ id, owner: id.startsWith('eve') ? 'mallory' : undefined }) },
  })
  const { transport } = done
  const headersOf = (caller: string) => ({
    authorization: `Bearer ${caller}`,
    'content-type': JSON_TYPE,
    'x-dragoman-routing': '{"providers":["acme","other"]}',
  })
  return {
    ...done,
    /** A call that fails at the first provider and is answered by the other one. */
    async fail(caller: string) {
      await done.send(BODY, '/red/gen', headersOf(caller))
      if (transport.last.call.url.includes('acme')) {
        transport.last.head(500)
        transport.last.end()
      }
      transport.last.head(200)
      transport.last.chunk('{"text":"fine"}')
      transport.last.end()
    },
    /** The upstream that a call is sent to first. */
    async firstOf(caller: string): Promise<string> {
      await done.send(BODY, '/red/gen', headersOf(caller))
      const { url } = transport.last.call
      transport.last.head(200)
      transport.last.chunk('{"text":"fine"}')
      transport.last.end()
      return new URL(url).host
    },
  }
}

it('faults of one owner, with any number of keys, bench a route for that owner alone', async () => {
  const calls = open()
  for (let count = 0; count < 6; count++) {
    await calls.fail('eve')
    await calls.fail('eve2')
  }
  expect(await calls.firstOf('ann')).toBe('acme.test')
  expect(await calls.firstOf('eve')).toBe('other.test')
})

it('faults of two callers bench it for a third', async () => {
  const calls = open()
  for (let count = 0; count < 3; count++) {
    await calls.fail('ann')
    await calls.fail('bob')
  }
  expect(await calls.firstOf('eve')).toBe('other.test')
})

it('an explanation has the order for its caller', async () => {
  const { explain, call, transport } = explaining({
    providers: [fakeProvider('acme', ['chat']), fakeProvider('other', ['chat'])],
    keys: { find: (id) => ({ id }) },
    breaker: { leastFaults: 1 },
  })
  const body = { model: 'acme/m', messages: [{ role: 'user', content: 'Hi' }], provider: { fallback: 'other' } }
  const as = (caller: string) => ({ ...HEADERS, authorization: `Bearer ${caller}` })
  const firstOf = async (caller: string) => (await explain(body, CHAT, as(caller))).routes[0]?.provider
  await call(body, CHAT, as('eve'))
  transport.last.head(500)
  transport.last.end()
  expect(await firstOf('eve')).toBe('other')
  expect(await firstOf('ann')).toBe('acme')
})
