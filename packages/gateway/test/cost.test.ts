import { usd } from '@dragoman/core/provider'
import { describe, expect, it } from 'vitest'
import { entryText } from '../src/index.ts'
import { card } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'
import { setUp, SSE } from './set-up.ts'

const prices = usd({ prompt: [3, 6], completion: 15 }, [0.019])
const priced = { providers: [fakeProvider('acme', ['red'], [card('m', { prices, priceVersion: 'v7' })])] }

describe('the cost of an answer', () => {
  it('is in a header, the log line and the usage record [cost.items]', async () => {
    const { send, transport, ledger, log } = setUp(priced)
    const reply = await send('{"model":"acme/m"}')
    transport.last.head(200)
    transport.last.chunk('{"a": 1.0}')
    transport.last.end()
    // The fake protocol counts a token for each of the ten characters: 3 dollars per million.
    const cost = { total: 30_000, items: [{ name: 'prompt', quantity: 10, nanos: 30_000 }], version: 'v7' }
    expect(reply.headers['x-dragoman-cost']).toBe('0.000030000')
    expect(ledger.records).toMatchObject([{ usage: { input: 10 }, cost }])
    const [entry] = log.entries
    expect(entry && JSON.parse(`{${entryText(entry)}}`)).toMatchObject({
      tokens: { input: 10 },
      cost: { total: 30_000, prompt: 30_000, version: 'v7' },
    })
    expect(entry && entryText(entry)).not.toContain('unpriced')
  })

  it('of a stream is recorded at its end, with the tier of the whole prompt [cost.items]', async () => {
    const { send, transport, ledger } = setUp(priced)
    const reply = await send('{"model":"acme/m","stream":true}')
    transport.last.head(200, SSE)
    transport.last.chunk('data: 1\n\ndata: end\n\n')
    transport.last.end()
    expect(reply.headers).not.toHaveProperty('x-dragoman-cost')
    expect(ledger.records).toMatchObject([{ cost: { total: 120_000, items: [{ quantity: 20 }] } }])
  })

  it('is absent for an unlisted model, and the log line says so instead of 0', async () => {
    const providers = [fakeProvider('acme', ['red'], [card('m', { prices }), card('m-*')])]
    const { send, transport, ledger, log } = setUp({ providers })
    const reply = await send('{"model":"acme/m-new"}')
    transport.last.head(200)
    transport.last.chunk('{"a": 1.0}')
    transport.last.end()
    expect(reply.headers).not.toHaveProperty('x-dragoman-cost')
    expect(ledger.records[0]).toMatchObject({ model: 'acme/m-new', usage: { input: 10 }, cost: undefined })
    expect(log.entries[0] && entryText(log.entries[0])).toContain('"unpriced":["all"]')
  })

  it('is absent for a model without prices, and the log line says so instead of 0', async () => {
    const { send, transport, ledger, log } = setUp()
    const reply = await send('{"model":"acme/m"}')
    transport.last.head(200)
    transport.last.chunk('{"a": 1.0}')
    transport.last.end()
    expect(reply.headers).not.toHaveProperty('x-dragoman-cost')
    expect(ledger.records[0]?.cost).toBeUndefined()
    const line = log.entries[0] && entryText(log.entries[0])
    expect(line).not.toContain('cost')
    expect(line).toContain('"tokens":{"input":10},"unpriced":["all"]')
  })
})
