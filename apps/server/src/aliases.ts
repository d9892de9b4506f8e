import { protocols } from '@dragoman/core/protocols'
import { didYouMean, type Provider } from '@dragoman/core/provider'
import { createModels, type AliasOptions } from '@dragoman/gateway'
import type { Mistake } from './config/mistakes.ts'
import { policyOf } from './config/routing-schema.ts'
import type { Config } from './config/schema.ts'

/**
 * The aliases that resolve to a model. An alias or a key with an unknown model is a mistake, unless it is a model of an awaited
 * provider, such as an Ollama that may still be found.
 */
export function checkAliases(
  { aliases = {}, keys = [] }: Config,
  providers: readonly Provider[],
  awaited: readonly string[],
  mistakes: Mistake[],
): { readonly [alias: string]: string | AliasOptions } {
  const ids = providers.flatMap(({ name, models }) => models.map((card) => `${name}/${card.name}`))
  const names = providers.flatMap(({ models }) => models.map((card) => card.name))
  const models = createModels(providers, protocols)
  /** The routed id of a name; undefined if a call with this name would fail. */
  const idOf = (model: string): string | undefined => {
    try {
      return models.show({ model }).id
    } catch {
      return undefined
    }
  }
  const hasSim = providers.some(({ name }) => name === 'sim')
  const absent = (id: string): string => {
    const hint = id.startsWith('sim/') && !hasSim ? ': set providers.sim to true' : didYouMean(id, ids)
    return `names "${id}", which no provider has${hint}`
  }
  const isAwaited = (id: string) => awaited.some((name) => id.startsWith(`${name}/`))
  const reasonAgainst = (id: string): string | undefined => {
    if (idOf(id) !== undefined) return undefined
    if (names.filter((name) => name === id).length > 1)
      return `names "${id}", which several providers have: put the provider before it`
    return absent(id)
  }
  for (const [index, { models = [] }] of keys.entries())
    for (const [position, id] of models.entries()) {
      const covered = id.endsWith('*') ? ids.some((each) => each.startsWith(id.slice(0, -1))) : idOf(id) === id
      const path = ['keys', index, 'models', position]
      if (!covered && !isAwaited(id)) mistakes.push({ path, reason: absent(id) })
    }
  const isGood = (id: string, path: readonly PropertyKey[]): boolean => {
    const reason = reasonAgainst(id)
    if (reason !== undefined && !isAwaited(id)) mistakes.push({ path, reason })
    return reason === undefined
  }
  const good = Object.entries(aliases).flatMap(([alias, target]): [string, string | AliasOptions][] => {
    if (typeof target === 'string') return isGood(target, ['aliases', alias]) ? [[alias, target]] : []
    const routes = target.routes.filter((route, index) => {
      const path = ['aliases', alias, 'routes', index]
      return typeof route === 'string' ? isGood(route, path) : isGood(route.model, [...path, 'model'])
    })
    return routes.length === 0 ? [] : [[alias, { ...policyOf(target), routes } as AliasOptions]] // checked by the schema
  })
  return Object.fromEntries(good)
}
