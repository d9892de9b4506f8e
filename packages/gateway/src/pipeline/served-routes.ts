import { DragomanError, type Protocol } from '@dragoman/core'
import type { BodyFacts } from '../bodies/request-work.ts'
import type { Route } from '../models/route.ts'
import type { Wanted } from './choose-routes.ts'
import type { RoutedOperation } from './operation.ts'

/** The routes that have the operation. */
export function servedRoutes(operation: RoutedOperation, wanted: Wanted, inbound: Protocol, body: BodyFacts): Wanted {
  const { candidates } = wanted
  const isServed = (route: Route): boolean => operation.serves?.(route, inbound, body) ?? true
  // Most calls keep their candidates, which are known for their model.
  if (candidates.routes.every(isServed)) return wanted
  return { ...wanted, candidates: { ...candidates, routes: candidates.routes.filter(isServed) } }
}

export function unserved(operation: string, model: string): DragomanError {
  return new DragomanError('unsupported', `No provider of the model "${model}" has the operation "${operation}".`, {
    param: 'model',
  })
}
