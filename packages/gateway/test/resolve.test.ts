import { describe, expect, it } from 'vitest'
import { plan } from '../src/plan.ts'
import { createModels } from '../src/resolve.ts'
import { card, fakeProtocol } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'

const red = fakeProtocol('red', '/red')
const blue = fakeProtocol('blue', '/blue')
const providers = [
  fakeProvider('acme', ['red', 'blue'], [card('m'), card('org/big:4.1'), card('only-blue', { protocols: ['blue'] })]),
  fakeProvider('other', ['red'], [card('m')]),
]
const models = createModels(providers, [red, blue], { fast: 'acme/m' })
const ids = (id: string, inbound = red) =>
  models.routes({ model: id }, inbound).map((route) => `${route.id} ${route.protocol.name}`)

describe('resolve', () => {
  it('finds exact ids, with slashes, dots and colons in the name', () => {
    expect(ids('acme/org/big:4.1')).toEqual(['acme/org/big:4.1 red', 'acme/org/big:4.1 blue'])
  })
  it('finds names without publisher that one provider has, and aliases', () => {
    expect(models.find('org/big:4.1').id).toBe('acme/org/big:4.1')
    expect(models.find('fast').id).toBe('acme/m')
  })
  it('lists the candidates of a name that several providers have', () => {
    expect(() => models.find('m')).toThrow(/acme\/m or other\/m/)
  })
  it('names an unknown model, without its control characters', () => {
    expect(() => models.find('no\nne')).toThrow('The model "no?ne" does not exist.')
  })
  it('tries the name without publisher only if an SDK has added one', () => {
    expect(models.find('google/org/big:4.1', 'org/big:4.1').id).toBe('acme/org/big:4.1')
    expect(models.find('google/fast', 'fast').id).toBe('acme/m')
    expect(models.find('other/m', 'fast').id).toBe('other/m')
    expect(() => models.find('google/m', 'm')).toThrow(/"google\/m" .*acme\/m or other\/m/)
    expect(() => models.find('google/none', 'none')).toThrow('The model "google/none" does not exist.')
  })
  it('uses only the preferred providers, in their order', () => {
    const from = (...wanted: readonly string[]) =>
      models.routes({ model: 'acme/m', providers: wanted }, red).map(({ id, protocol }) => `${id} ${protocol.name}`)
    expect(from('other', 'acme')).toEqual(['other/m red', 'acme/m red', 'acme/m blue'])
    expect(from('nobody', 'other', 'other')).toEqual(['other/m red'])
    expect(() => from('nobody')).toThrow(/acme\/m or other\/m/)
  })
  it("prefers the caller's own protocol, and then the provider's best", () => {
    expect(ids('acme/m', blue)[0]).toBe('acme/m blue')
    expect(ids('only-blue', red)).toEqual(['acme/only-blue blue'])
  })
  it('does not offer models without a known protocol', () => {
    expect(createModels(providers, [red]).listed.map(({ id }) => id)).not.toContain('acme/only-blue')
  })
  it('refuses an alias for a model that does not exist', () => {
    expect(() => createModels(providers, [red], { x: 'acme/none' })).toThrow(/acme\/none/)
  })
})

describe('plan', () => {
  const route = (id: string, inbound = red) => models.routes({ model: id }, inbound)[0] ?? expect.fail('no route')
  it('relays if nothing prevents it', () => {
    expect(plan(red, { operation: 'generate' }, {}, route('acme/m'))).toEqual({ mode: 'relay' })
  })
  it.each([
    ['another protocol', {}, undefined, route('only-blue')],
    ['an obstacle in the body', { obstacle: true }, undefined, route('acme/m')],
    ['another framing', {}, 'array', route('acme/m')],
    ['a dialect', {}, undefined, { ...route('acme/m'), card: card('m', { dialects: { red: {} } }) }],
  ])('translates because of %s', (_name, body, framing, to) => {
    expect(plan(red, { operation: 'generate', framing }, body, to)).toMatchObject({ mode: 'translate' })
  })
})
