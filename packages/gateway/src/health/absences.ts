import type { Clock } from '@dragoman/core/provider'
import type { Absence } from './absence.ts'
import type { Route } from '../models/route.ts'

type Target = Pick<Route, 'id' | 'provider' | 'protocol'>

/** Remembers for a while which endpoints an upstream has turned out not to have. */
export interface Absences {
  /** False as long as nothing is absent anywhere. */
  isAny(): boolean
  /** Whether the upstream of a route has no endpoint for an operation. */
  has(route: Target, operation: string): boolean
  add(route: Target, operation: string, absence: Absence): void
}

/** After this time an endpoint is tried again: the upstream may have been updated. */
const REMEMBERED_MS = 600_000
/** The most absences of one provider. Names of models can come from callers. */
const MOST = 1000

export function createAbsences(clock: Pick<Clock, 'now'>): Absences {
  /** When each absence is forgotten. By provider object: one of another configuration may have another URL. */
  const known = new WeakMap<Route['provider'], Map<string, number>>()
  let latest = 0
  return {
    isAny: () => latest > 0 && latest > clock.now(),
    has(route, operation) {
      const absent = known.get(route.provider)
      if (absent === undefined) return false
      const isKnown = (absence: Absence): boolean => (absent.get(keyOf(route, operation, absence)) ?? 0) > clock.now()
      return isKnown('endpoint') || isKnown('model')
    },
    add(route, operation, absence) {
      const absent = known.get(route.provider) ?? new Map<string, number>()
      known.set(route.provider, absent)
      if (absent.size >= MOST) absent.clear()
      latest = clock.now() + REMEMBERED_MS
      absent.set(keyOf(route, operation, absence), latest)
    },
  }
}

function keyOf({ id, protocol }: Target, operation: string, absence: Absence): string {
  const endpoint = `${protocol.name} ${operation}`
  return absence === 'endpoint' ? endpoint : `${endpoint} ${id}`
}
