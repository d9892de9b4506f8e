import type { RoutingPreferences } from '@dragoman/core'
import { describe, expect, it } from 'vitest'
import { plan } from '../src/models/plan.ts'
import type { Caller } from '../src/ports/ports.ts'
import type { ModelName, Route } from '../src/models/route.ts'
import { createModels, type Models } from '../src/routing/resolve.ts'
import { card, fakeProtocol } from './fake-protocol.ts'
import { fakeProvider } from './scripted.ts'

const red = fakeProtocol('red', '/red')
const blue = fakeProtocol('blue', '/blue')
const providers = [
  fakeProvider('acme', ['red', 'blue'], [card('m'), card('org/big:4.1'), card('only-blue', { protocols: ['blue'] })]),
  fakeProvider('other', ['red'], [card('m')]),
]
/** The routes that may serve a call, as they are listed. */
const routesTo = (
  models: Models,
  name: ModelName,
  preferences: RoutingPreferences = {},
  inbound = red,
  caller?: Caller,
): readonly Route[] => models.candidates(name, preferences, inbound, caller).routes

const models = createModels(providers, [red, blue], { fast: 'acme/m' })
const ids = (id: string, inbound = red) =>
  routesTo(models, { model: id }, {}, inbound).map((route) => `${route.id} ${route.protocol.name}`)

/** The best route to a model. */
const find = (model: string, withoutPublisher?: string) =>
  routesTo(models, { model, withoutPublisher })[0] ?? expect.fail('no route')

describe('resolve', () => {
  it('finds exact ids, with slashes, dots and colons in the name', () => {
    expect(ids('acme/org/big:4.1')).toEqual(['acme/org/big:4.1 red', 'acme/org/big:4.1 blue'])
  })
  it('finds names without publisher that one provider has, and aliases', () => {
    expect(find('org/big:4.1').id).toBe('acme/org/big:4.1')
    expect(find('fast').id).toBe('acme/m')
  })
  it('lists the candidates of a name that several providers have', () => {
    expect(() => find('m')).toThrow(/acme\/m or other\/m/)
  })
  it('names an unknown model, without its control characters', () => {
    expect(() => find('no\nne')).toThrow('The model "no?ne" does not exist.')
  })
  it('tries the name without publisher only if an SDK has added one', () => {
    expect(find('google/org/big:4.1', 'org/big:4.1').id).toBe('acme/org/big:4.1')
    expect(find('google/fast', 'fast').id).toBe('acme/m')
    expect(find('other/m', 'fast').id).toBe('other/m')
    expect(() => find('google/m', 'm')).toThrow(/"google\/m" .*acme\/m or other\/m/)
    expect(() => find('google/none', 'none')).toThrow('The model "google/none" does not exist.')
  })
  it('uses only the preferred providers, in their order', () => {
    const from = (...wanted: readonly string[]) =>
      routesTo(models, { model: 'acme/m' }, { providers: wanted }).map(({ id, protocol }) => `${id} ${protocol.name}`)
    expect(from('other', 'acme')).toEqual(['other/m red', 'acme/m red', 'acme/m blue'])
    expect(from('nobody', 'other', 'other')).toEqual(['other/m red'])
    expect(() => from('nobody')).toThrow(/acme\/m or other\/m/)
  })
  it("prefers the caller's own protocol, and then the provider's best", () => {
    expect(ids('acme/m', blue)[0]).toBe('acme/m blue')
    expect(ids('only-blue', red)).toEqual(['acme/only-blue blue'])
  })
  it('does not offer models without a known protocol', () => {
    expect(
      createModels(providers, [red])
        .listed()
        .map(({ id }) => id),
    ).not.toContain('acme/only-blue')
  })
  it('refuses an alias for a model that does not exist', () => {
    expect(() => createModels(providers, [red], { x: 'acme/none' })).toThrow(/acme\/none/)
  })
})

describe('names of models', () => {
  const house = fakeProvider('house', ['red'], [card('claude-5.1', { upstream: 'claude-5-1' }), card('gpt-5')])
  const twin = fakeProvider('twin', ['red'], [card('gpt-5'), card('small', { upstream: 'house/small' })])
  const open = fakeProvider(
    'open',
    ['red'],
    [card('*', { context: 1000 }), card('ft:*', { maxOutput: 9 }), card('own')],
  )
  const lab = fakeProvider('lab', ['red'], [card('gpt-*')])
  const all = createModels([house, twin, open, lab], [red], { quick: 'open/anything' })
  const named = (model: string, withoutPublisher?: string) => {
    const [route = expect.fail('no route')] = routesTo(all, { model, withoutPublisher })
    return [route.id, route.card.upstream ?? route.card.name]
  }

  it("are found by the upstream's own spelling, with and without the provider", () => {
    expect(named('claude-5-1')).toEqual(['house/claude-5.1', 'claude-5-1'])
    expect(named('house/claude-5-1')).toEqual(['house/claude-5.1', 'claude-5-1'])
    expect(named('house/gpt-5')).toEqual(['house/gpt-5', 'gpt-5'])
    expect(() => named('gpt-5')).toThrow(/house\/gpt-5 or twin\/gpt-5/)
  })

  it('are found with a date, which the upstream gets', () => {
    expect(named('claude-5-1-20250929')).toEqual(['house/claude-5.1', 'claude-5-1-20250929'])
    expect(named('house/claude-5.1@20250929')).toEqual(['house/claude-5.1', 'claude-5-1@20250929'])
    expect(named('house/gpt-5-2025-08-07')).toEqual(['house/gpt-5', 'gpt-5-2025-08-07'])
    expect(() => named('gpt-5-2025-08-07')).toThrow(/several providers/)
    const [, second] = routesTo(all, { model: 'house/gpt-5-2025-08-07' }, { providers: ['house', 'twin'] })
    expect([second?.id, second?.card.upstream]).toEqual(['twin/gpt-5', 'gpt-5-2025-08-07'])
  })

  it('of another provider are not the upstream’s own names', () => {
    expect(() => named('house/small')).toThrow('does not exist')
    expect(named('small')).toEqual(['twin/small', 'house/small'])
  })

  it('that a provider does not list are passed on to a provider with a pattern', () => {
    expect(named('open/o9-mini')).toEqual(['open/o9-mini', 'o9-mini'])
    expect(named('open/org/o9:x')).toEqual(['open/org/o9:x', 'org/o9:x'])
    expect(named('open/own')).toEqual(['open/own', 'own'])
    expect(named('quick')).toEqual(['open/anything', 'anything'])
    expect(routesTo(all, { model: 'open/ft:mine' })[0]?.card).toMatchObject({ name: 'ft:mine', maxOutput: 9 })
    expect(routesTo(all, { model: 'open/mine' })[0]?.card).toMatchObject({ name: 'mine', context: 1000 })
  })

  it('without a provider are passed on only by a pattern with a beginning', () => {
    expect(named('gpt-6')).toEqual(['lab/gpt-6', 'gpt-6'])
    expect(named('google/gpt-6', 'gpt-6')).toEqual(['lab/gpt-6', 'gpt-6'])
    expect(() => named('o9-mini')).toThrow('does not exist')
    expect(() => named('lab/o9-mini')).toThrow('does not exist')
  })

  it.each(['open/../keys', 'open/a/./b', 'open/a//b', 'open/', 'open/a b', 'open/\n', `open/${'x'.repeat(300)}`])(
    'that could change the path of an upstream are not passed on: %j',
    (id) => {
      expect(() => named(id)).toThrow('does not exist')
    },
  )

  it('that do not exist are answered with similar ones', () => {
    expect(() => named('claude-5-2')).toThrow('The model "claude-5-2" does not exist; did you mean house/claude-5.1?')
    expect(() => named('hause/gpt5')).toThrow(/does not exist; did you mean house\/gpt-5/)
    expect(() => named('lab/quite-another-thing')).toThrow('The model "lab/quite-another-thing" does not exist.')
  })

  it('that a caller may not use are not suggested', () => {
    const caller = { id: 'a', models: ['twin/*'] }
    expect(() => routesTo(all, { model: 'claude-5-2' }, {}, red, caller)).toThrow(
      'The model "claude-5-2" does not exist.',
    )
    expect(() => routesTo(all, { model: 'gpt5' }, {}, red, caller)).toThrow('did you mean twin/gpt-5?')
  })

  it('in a list are not patterns, and have aliases', () => {
    const ids = (models?: readonly string[]) => all.listed({ id: 'a', models }).map(({ id }) => id)
    expect(ids()).toEqual(['house/claude-5.1', 'house/gpt-5', 'twin/gpt-5', 'twin/small', 'open/own', 'quick'])
    expect(ids(['open/*'])).toEqual(['open/own', 'quick'])
    expect(ids(['house/gpt-5'])).toEqual(['house/gpt-5'])
    expect(all.show({ model: 'quick' }).id).toBe('quick')
    expect(all.show({ model: 'claude-5-1' }).id).toBe('house/claude-5.1')
    expect(() => all.show({ model: 'quick' }, { id: 'a', models: ['house/*'] })).toThrow('may not use')
  })
})

it('an alias with several routes is listed once, for callers that may use one of them', () => {
  const both = createModels(providers, [red, blue], { pool: { routes: ['acme/m', 'other/m'] } })
  const ids = (models?: readonly string[]) => both.listed({ id: 'a', models }).map(({ id }) => id)
  expect(ids().filter((id) => id === 'pool')).toEqual(['pool'])
  expect(ids(['other/*'])).toEqual(['other/m', 'pool'])
  expect(ids(['acme/only-blue'])).toEqual(['acme/only-blue'])
})

describe('plan', () => {
  const route = (id: string, inbound = red) =>
    routesTo(models, { model: id }, {}, inbound)[0] ?? expect.fail('no route')
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
