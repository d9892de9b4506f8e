import { createSecret, type NewSecret } from '@dragoman/accounts'
import { describe, expect, it } from 'vitest'
import { createWorld, settled, TESTER } from './world.ts'

describe('a key', () => {
  it('is found on every instance, and a change takes effect within five seconds', async () => {
    const world = createWorld()
    const { secret, key } = await world.create()
    const instances = [world.instance(), world.instance()]
    for (const { chat } of instances) expect((await chat(secret)).status).toBe(200)
    await world.manager.change(key.id, { disabled: true }, TESTER)
    world.clock.advance(4600)
    for (const { chat } of instances) expect((await chat(secret)).status).toBe(401)
    await world.manager.change(key.id, { disabled: false }, TESTER)
    world.clock.advance(4600)
    for (const { chat } of instances) expect((await chat(secret)).status).toBe(200)
    await world.manager.revoke(key.id, TESTER)
    world.clock.advance(4600)
    for (const { chat } of instances) expect((await chat(secret)).status).toBe(401)
  })

  it('waits for a slow store, rather than use outdated data', async () => {
    const world = createWorld((store) => ({
      ...store,
      keysSince: (revision, limit) => settled().then(() => store.keysSince(revision, limit)),
    }))
    const { secret, key } = await world.create()
    const { chat } = world.instance()
    await chat(secret)
    await world.manager.revoke(key.id, TESTER)
    world.clock.advance(4600)
    expect((await chat(secret)).status).toBe(401)
  })

  it('has changed models within five seconds', async () => {
    const world = createWorld()
    const { secret, key } = await world.create()
    const { chat } = world.instance()
    expect((await chat(secret)).status).toBe(200)
    await world.manager.change(key.id, { models: ['other/*'] }, TESTER)
    world.clock.advance(4600)
    expect((await chat(secret)).status).toBe(403)
    expect((await chat(secret, { model: 'other/m' })).status).toBe(200)
  })

  it('expires at its time, also one that is in use', async () => {
    const world = createWorld()
    const { secret } = await world.create({ expiresAt: world.clock.now() + 1000 })
    const { chat } = world.instance()
    world.clock.advance(999)
    expect((await chat(secret)).status).toBe(200)
    world.clock.advance(1)
    expect((await chat(secret)).status).toBe(401)
  })

  it('that was rotated has two secrets for a while', async () => {
    const world = createWorld()
    const { secret, key } = await world.create()
    const { chat } = world.instance()
    await chat(secret)
    const rotated = await world.manager.rotate(key.id, 60_000, TESTER)
    const { secret: next } = rotated as NewSecret // it is neither unknown nor revoked
    expect((await chat(next)).status).toBe(200)
    expect((await chat(secret)).status).toBe(200)
    world.clock.advance(60_000)
    expect((await chat(secret)).status).toBe(401)
    expect((await chat(next)).status).toBe(200)
  })

  it('without the scope of inference may not call models', async () => {
    const world = createWorld()
    const { secret } = await world.create({ scopes: ['admin'] })
    const response = await world.instance().chat(secret)
    expect(response.status).toBe(403)
    expect(world.seen).toEqual([])
  })

  it('that was mistyped is recognized without a lookup in the store', async () => {
    let looks = 0
    const world = createWorld((store) => ({ ...store, findKey: (digest) => (looks++, store.findKey(digest)) }))
    const { secret } = await world.create()
    const { chat } = world.instance()
    const response = await chat(`${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`)
    expect(response.status).toBe(401)
    const text = await response.text()
    expect(text).toContain('mistyped')
    expect(text).not.toContain(secret.slice(4, 30))
    expect(looks).toBe(0)
  })

  it('does not wait for the store while the cached key is new enough', async () => {
    let asked = 0
    const world = createWorld((store) => ({
      ...store,
      keysSince: (revision, limit) => (asked++, Promise.resolve(store.keysSince(revision, limit))),
    }))
    const { secret } = await world.create()
    const { chat } = world.instance()
    for (let call = 0; call < 10; call++) await chat(secret)
    expect(asked).toBe(0)
    world.clock.advance(2001)
    await chat(secret)
    expect(asked).toBe(1)
  })
})

describe('wrong keys', () => {
  const wrong = (world: ReturnType<typeof createWorld>, instance: ReturnType<typeof world.instance>, from: string) => {
    const headers = { authorization: `Bearer ${createSecret()}`, 'content-type': 'application/json' }
    return instance.fetch('/api/v1/chat/completions', { method: 'POST', headers, body: '{}' }, from)
  }

  it('of one address are answered later and later, and then refused', async () => {
    const world = createWorld()
    const instance = world.instance()
    for (let call = 0; call < 5; call++) expect((await wrong(world, instance, '192.0.2.1')).status).toBe(401)
    let status = 0
    const sixth = wrong(world, instance, '192.0.2.1').then((response) => (status = response.status))
    await settled()
    expect(status).toBe(0)
    world.clock.advance(250)
    expect(await sixth).toBe(401)
    // An IPv6 address is one of many of the same subscriber; another IPv4 address is another subscriber.
    expect((await wrong(world, instance, '192.0.2.2')).status).toBe(401)
    const waiting = Array.from({ length: 8 }, () => wrong(world, instance, '192.0.2.1'))
    await settled()
    const refused = await wrong(world, instance, '192.0.2.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    world.clock.advance(8000)
    for (const each of waiting) expect((await each).status).toBe(401)
    world.clock.advance(60_001)
    expect((await wrong(world, instance, '192.0.2.1')).status).toBe(401)
  })

  it('of the same network of IPv6 count together', async () => {
    const world = createWorld()
    const instance = world.instance()
    for (let call = 0; call < 5; call++) await wrong(world, instance, `2001:db8:0:1::${call + 1}`)
    let isAnswered = false
    const last = wrong(world, instance, '2001:0db8::1:ffff:0:0:1').then(() => (isAnswered = true))
    await settled()
    expect(isAnswered).toBe(false)
    world.clock.advance(250)
    await last
  })

  it('do not delay a valid key of the same address that is in use', async () => {
    const world = createWorld()
    const { secret } = await world.create()
    const instance = world.instance()
    expect((await instance.chat(secret)).status).toBe(200)
    const waiting = Array.from({ length: 20 }, () => wrong(world, instance, '192.0.2.1'))
    await settled()
    const headers = {
      authorization: `Bearer ${createSecret()}`,
      'x-api-key': secret,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ model: 'acme/m', messages: [{ role: 'user', content: 'Hello.' }] })
    const init = { method: 'POST', headers, body }
    expect((await instance.fetch('/api/v1/chat/completions', init, '192.0.2.1')).status).toBe(200)
    world.clock.advance(8000)
    await Promise.all(waiting)
  })
})
