import { createSecret } from '@dragoman/accounts'
import { createMemoryKeys, type Keys } from '@dragoman/gateway'
import { describe, expect, it } from 'vitest'
import { CHAT, createWorld, settled, type Instance } from './world.ts'

const CONFIGURED = 'sk-configured-0123456789'
const FROM = '192.0.2.1'
const WRONG: Record<string, () => string> = {
  'of an unknown form': () => `sk-guess-${createSecret()}`,
  'of the form of stored keys': createSecret,
  'that are mistyped': () => `dgm_${createSecret()}`,
}

function post(instance: Instance, headers: Record<string, string>, from: string): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(CHAT),
  }
  return instance.fetch('/api/v1/chat/completions', init, from)
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

function configured(): { readonly keys: Keys; readonly asked: string[] } {
  const memory = createMemoryKeys([{ id: 'ci', secret: CONFIGURED }])
  const asked: string[] = []
  return { asked, keys: { ...memory, find: (secret, address) => (asked.push(secret), memory.find(secret, address)) } }
}

/** Whether an answer comes before time passes. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let is = false
  void answer.then(() => (is = true))
  await settled()
  return is
}

describe.each(Object.entries(WRONG))('wrong keys %s', (_form, guess) => {
  it('are slowed down, and the right key is not looked up while they wait', async () => {
    const world = createWorld()
    const { keys, asked } = configured()
    const instance = world.instance({ keys })
    for (let call = 0; call < 5; call++) expect((await post(instance, bearer(guess()), FROM)).status).toBe(401)
    const waiting = Array.from({ length: 8 }, () => post(instance, bearer(guess()), FROM))
    expect(await isAnswered(Promise.any(waiting))).toBe(false)
    // Keys are hashed in other threads: all eight wait when one more is refused at once.
    await expect.poll(() => isAnswered(post(instance, bearer(guess()), FROM))).toBe(true)
    const before = asked.length
    expect((await post(instance, bearer(CONFIGURED), FROM)).status).toBe(429)
    expect(asked).toHaveLength(before)
    // Another address is not affected. Its call puts the key into use, so the first address may send it too.
    expect((await post(instance, bearer(CONFIGURED), '192.0.2.2')).status).toBe(200)
    expect((await post(instance, bearer(CONFIGURED), FROM)).status).toBe(200)
    world.clock.advance(8000)
    await Promise.all(waiting)
  })

  it('are counted one by one, also if one call has several', async () => {
    const instance = createWorld().instance({ keys: configured().keys })
    const three = () => ({ ...bearer(guess()), 'x-api-key': guess(), 'x-goog-api-key': guess() })
    expect((await post(instance, three(), FROM)).status).toBe(401)
    expect(await isAnswered(post(instance, three(), FROM))).toBe(false)
  })

  it('are counted where no key is needed too', async () => {
    const instance = createWorld().instance({ keys: configured().keys })
    const list = () => instance.fetch('/api/v1/models', { headers: bearer(guess()) }, FROM)
    for (let call = 0; call < 5; call++) await list()
    expect(await isAnswered(list())).toBe(false)
    expect(await isAnswered(instance.fetch('/api/v1/models', {}, FROM))).toBe(true)
  })
})

it('no secret can be tried beside a valid one that is in use', async () => {
  const { keys, asked } = configured()
  const instance = createWorld().instance({ keys })
  const guess = 'sk-guess-0123456789abcdef'
  await post(instance, bearer(CONFIGURED), FROM)
  expect((await post(instance, { ...bearer(guess), 'x-api-key': CONFIGURED }, FROM)).status).toBe(200)
  expect(asked).not.toContain(guess)
})

it('guesses of configured keys are slowed down while the store is away', async () => {
  const world = createWorld((store) => ({ ...store, keysSince: () => Promise.reject(new Error('The store is away.')) }))
  const instance = world.instance({ keys: configured().keys })
  world.clock.advance(6000)
  for (let call = 0; call < 5; call++) expect((await post(instance, bearer(`sk-guess-${call}`), FROM)).status).toBe(401)
  expect(await isAnswered(post(instance, bearer('sk-guess-0123456789'), FROM))).toBe(false)
})

describe('wrong keys of many networks', () => {
  it('are refused at once above the limit for all networks, and valid keys are still looked up, also after a restart', async () => {
    const world = createWorld()
    const [before, after] = [await world.create(), await world.create()]
    for (const { secret } of [before, after]) {
      const instance = world.instance()
      const statuses: number[] = []
      const calls: Promise<number>[] = []
      for (let call = 0; call < 11 * 200; call++) {
        const sent = post(instance, bearer(createSecret()), `198.51.${call % 200}.1`)
        calls.push(sent.then(({ status }) => statuses.push(status)))
      }
      // Each network sends five that are answered at once and six that have to wait. Only 1,000 of all may wait.
      const refusals = () => statuses.filter((status) => status === 429).length
      await expect.poll(refusals).toBe(200)
      const fresh = '203.0.113.7'
      for (let call = 0; call < 5; call++)
        expect((await post(instance, bearer(createSecret()), fresh)).status).toBe(401)
      const refused = await post(instance, bearer(createSecret()), fresh)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
      expect((await post(instance, bearer(secret), '203.0.113.8')).status).toBe(200)
      // A caller who is refused at once cannot guess faster than one who waits.
      expect((await post(instance, bearer(CONFIGURED), fresh)).status).toBe(429)
      world.clock.advance(250)
      expect((await post(instance, bearer(secret), fresh)).status).toBe(200)
      world.clock.advance(8000)
      await Promise.all(calls)
      expect(statuses.filter((status) => status === 401)).toHaveLength(2000)
    }
  })
})

describe('lookups of keys in the store', () => {
  it('are bounded, in all and for each network, and networks take turns', async () => {
    let running = 0
    let most = 0
    const ends: (() => void)[] = []
    const world = createWorld((store) => ({
      ...store,
      async findKey(digest) {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => ends.push(resolve))
        running--
        return store.findKey(digest)
      },
    }))
    const { secret } = await world.create()
    const instance = world.instance()
    const flood = Array.from({ length: 300 }, (_, call) => post(instance, bearer(createSecret()), `10.0.0.${call % 3}`))
    await expect.poll(() => running).toBe(24)
    for (let network = 0; network < 100; network++)
      flood.push(post(instance, bearer(createSecret()), `10.1.${network}.1`))
    await expect.poll(() => running).toBe(64)
    const valid = post(instance, bearer(secret), '10.2.0.1')
    const done = { valid: false, all: false }
    void valid.then(() => (done.valid = true))
    // The valid key waits for at most one lookup of each other network, and for those that were running.
    for (let ended = 0; !done.valid && ended < 64 + 103 + 1; ended++) {
      await expect.poll(() => ends.length).toBeGreaterThan(0)
      ends.shift()?.()
      await settled()
    }
    expect((await valid).status).toBe(200)
    expect(most).toBe(64)
    void Promise.all(flood).then(() => (done.all = true))
    while (!done.all) {
      for (const end of ends.splice(0)) end()
      world.clock.advance(8000)
      await settled()
    }
  })

  it('are one for many calls with the same key at once', async () => {
    let lookups = 0
    const world = createWorld((store) => ({ ...store, findKey: (digest) => (lookups++, store.findKey(digest)) }))
    const { secret } = await world.create()
    const { chat } = world.instance()
    const answers = await Promise.all(Array.from({ length: 20 }, () => chat(secret)))
    expect([new Set(answers.map(({ status }) => status)), lookups]).toEqual([new Set([200]), 1])
  })
})
