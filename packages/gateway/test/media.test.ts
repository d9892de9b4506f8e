import { joinBody, type Card } from '@dragoman/core/provider'
import { describe, expect, it, vi } from 'vitest'
import { card } from './fake-protocol.ts'
import { codecs, serveSketches } from './fake-media.ts'
import { fakeProvider, type ScriptedTransport } from './scripted.ts'

const DRAWS: Partial<Card> = {
  image: { most: 4 },
  output: ['image'],
  prices: { image: [{ value: 0.04, unit: 'perCount', currency: 'USD' }] },
}

/** Waits for an upstream call. */
async function called(transport: ScriptedTransport, count = 1) {
  await expect.poll(() => transport.calls.length).toBeGreaterThanOrEqual(count)
  return transport.calls
}

function bodyOf({ calls }: ScriptedTransport, index = 0): string {
  const body = joinBody(calls[index]?.call.body ?? '')
  return typeof body === 'string' ? body : new TextDecoder().decode(body)
}

function answer({ calls }: ScriptedTransport, index: number, body: string, status = 200): void {
  calls[index]?.head(status)
  calls[index]?.chunk(body)
  calls[index]?.end()
}

describe('a media call', () => {
  it('is relayed to an upstream of its protocol, and decodes nothing of a long image', async () => {
    const { ask, transport, ledger } = serveSketches({
      providers: [fakeProvider('acme', ['red'], [card('m', { upstream: 'm-1', ...DRAWS })])],
    })
    const image = `${'iVBORw0KGgo'.repeat(10_000)}AA==`
    const decode = vi.spyOn(codecs.red, 'decode')
    const reply = ask('/red/sketch', { model: 'acme/m', 'spaced ': [1.0], red_image: image })
    await called(transport)
    expect(bodyOf(transport)).toBe(`{"model":"m-1","spaced ":[1],"red_image":"${image}"}`)
    // The request that is fitted has a stand-in that begins and ends like the image.
    expect(decode.mock.results[0]?.value.image.length).toBeLessThan(2000)
    expect(decode.mock.results[0]?.value.image).toMatch(/^iVBORw0KGgo.*[0-9a-f]{36}.*AA==$/)
    answer(transport, 0, `{ "red_images": ["${image}", "b"] }`)
    const got = await reply
    expect([got.headers.get('x-dragoman-path'), got.headers.get('x-dragoman-cost')]).toEqual(['relay', '0.080000000'])
    expect(await got.text()).toBe(`{ "red_images": ["${image}", "b"] }`)
    expect(ledger.records).toMatchObject([{ operation: 'sketch', usage: { images: 2 }, cost: { total: 80_000_000 } }])
  })
  it('is translated to an upstream of another protocol, and its answer back', async () => {
    const { ask, transport } = serveSketches({ providers: [fakeProvider('acme', ['blue'], [card('m', DRAWS)])] })
    const image = 'QUJD'.repeat(40_000)
    const reply = ask('/red/sketch', { model: 'acme/m', red_image: image, red_count: 9 })
    await called(transport)
    expect(JSON.parse(bodyOf(transport))).toEqual({ model: 'm', blue_image: image, blue_count: 4 })
    answer(transport, 0, JSON.stringify({ blue_images: [image] }))
    const got = await reply
    expect(got.headers.get('x-dragoman-losses')).toContain('changed count')
    expect(await got.json()).toEqual({ red_images: [image] })
  })
  it('is translated if the model cannot do all of it', async () => {
    const { ask, transport } = serveSketches({ providers: [fakeProvider('acme', ['red'], [card('m', DRAWS)])] })
    const reply = ask('/red/sketch', { model: 'acme/m', red_count: 5 })
    await called(transport)
    expect(JSON.parse(bodyOf(transport))).toEqual({ model: 'm', red_count: 4 })
    answer(transport, 0, '{"red_images":["a"]}')
    expect((await reply).headers.get('x-dragoman-path')).toBe('translate')
  })
  it('is refused before any upstream call if no model would take it', async () => {
    const { ask, transport } = serveSketches({ providers: [fakeProvider('acme', ['red'], [card('m', DRAWS)])] })
    const got = await ask('/red/sketch', { model: 'acme/m', red_count: 11 })
    expect([got.status, await got.json()]).toMatchObject([400, { red: { param: 'count' } }])
    expect(transport.calls).toEqual([])
  })
  it('is answered by several calls side by side, whose images are joined', async () => {
    const facts = { ...DRAWS, image: { most: 10, perCall: 4 } }
    const { ask, transport, ledger } = serveSketches({
      providers: [fakeProvider('acme', ['red'], [card('m', facts)])],
    })
    const reply = ask('/red/sketch', { model: 'acme/m', red_count: 9 })
    await called(transport, 3)
    const counts = [0, 1, 2].map((index) => JSON.parse(bodyOf(transport, index)).red_count)
    expect(counts).toEqual([4, 4, 1])
    for (const index of [2, 0, 1]) answer(transport, index, `{"red_images":["${index}"]}`)
    expect(await (await reply).json()).toEqual({ red_images: ['0', '1', '2'] })
    expect(ledger.records).toMatchObject([{ usage: { images: 3 } }])
  })
  it('fails with the error of the one call of several that fails', async () => {
    const facts = { ...DRAWS, image: { most: 10, perCall: 1 } }
    const { ask, transport } = serveSketches({
      providers: [fakeProvider('acme', ['red'], [card('m', facts)])],
      retries: 0,
    })
    const reply = ask('/red/sketch', { model: 'acme/m', red_count: 2 })
    await called(transport, 2)
    answer(transport, 0, '{"red_images":["a"]}')
    answer(transport, 1, 'slow down', 429)
    const got = await reply
    expect([got.status, await got.text()]).toEqual([429, expect.stringContaining('slow down')])
  })
  it('is tried at another provider if the first fails', async () => {
    const providers = ['acme', 'other'].map((name) => fakeProvider(name, ['red'], [card('m', DRAWS)]))
    const { ask, transport } = serveSketches({
      providers,
      aliases: { sketcher: { routes: [{ model: 'acme/m' }, { model: 'other/m' }] } },
    })
    const reply = ask('/red/sketch', { model: 'sketcher' })
    await called(transport)
    answer(transport, 0, 'broken', 500)
    await called(transport, 2)
    answer(transport, 1, '{"red_images":["a"]}')
    const got = await reply
    expect([got.status, got.headers.get('x-dragoman-provider')]).toEqual([200, 'other'])
  })
})

describe('a driver', () => {
  const drawing = { drivers: { image: { draw: () => expect.fail('another kind') } } }

  it('makes its own calls, and its losses are in the headers', async () => {
    const provider = { ...fakeProvider('acme', ['own'], [card('m', DRAWS)]), ...drawing }
    const { ask, transport, log } = serveSketches({ providers: [provider] })
    const image = 'QUJD'.repeat(40_000)
    const reply = ask('/red/sketch', { model: 'acme/m', red_image: image })
    await called(transport)
    expect(transport.calls[0]?.call.url).toBe('https://acme.test/own/draw')
    expect(JSON.parse(bodyOf(transport))).toEqual({ model: 'm', image })
    answer(transport, 0, 'drawn')
    const got = await reply
    expect(got.headers.get('x-dragoman-losses')).toBe('1: dropped style')
    expect(await got.json()).toEqual({ red_images: ['drawn'] })
    expect(log.entries[0]).toMatchObject({ mode: 'translate', because: 'acme/m has an API of its own' })
  })
  it('fails with its own error, after which another route is tried', async () => {
    const first = { ...fakeProvider('acme', ['own'], [card('m', DRAWS)]), ...drawing }
    const { ask, transport } = serveSketches({
      providers: [first, fakeProvider('other', ['red'], [card('m', DRAWS)])],
      aliases: { sketcher: { routes: [{ model: 'acme/m' }, { model: 'other/m' }] } },
    })
    const reply = ask('/red/sketch', { model: 'sketcher' })
    await called(transport)
    answer(transport, 0, '', 503)
    await called(transport, 2)
    answer(transport, 1, '{"red_images":["a"]}')
    expect((await reply).headers.get('x-dragoman-attempts')).toBe('2: acme/m rate-limit, other/m')
  })
  it('is called off at the deadline', async () => {
    const provider = { ...fakeProvider('acme', ['own'], [card('m', DRAWS)]), ...drawing }
    const { ask, transport, log } = serveSketches({ providers: [provider], deadlines: { head: 5 } })
    const got = await ask('/red/sketch', { model: 'acme/m' })
    expect(got.status).toBe(504)
    expect(transport.calls[0]?.flow.cancelled).toBe(true)
    expect(log.entries[0]?.attempts[0]).toMatchObject({ failure: 'timeout' })
  })
})

describe('cards', () => {
  const providers = [fakeProvider('acme', ['red'], [card('m', DRAWS), card('talker')])]

  it('with only media facts do not serve conversations', async () => {
    const { ask, transport } = serveSketches({ providers })
    const got = await ask('/red/gen', { model: 'acme/m' })
    expect([got.status, await got.text()]).toEqual([400, expect.stringContaining('generate')])
    expect(transport.calls).toEqual([])
  })
  it('without media facts do not serve media', async () => {
    const { ask, transport } = serveSketches({ providers })
    const got = await ask('/red/sketch', { model: 'acme/talker' })
    expect([got.status, await got.text()]).toEqual([400, expect.stringContaining('sketch')])
    expect(transport.calls).toEqual([])
  })
})
