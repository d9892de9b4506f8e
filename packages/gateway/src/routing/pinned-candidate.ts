import { DragomanError, type Protocol } from '@dragoman/core'
import type { PinnedRoute } from '../models/route.ts'
import type { Caller } from '../ports/ports.ts'
import type { Candidate } from './candidates.ts'
import type { Models } from './resolve.ts'
import { NO_PREFERENCES } from './preferences.ts'

/** The route that a call is pinned to. Throws if it does not exist any more, or if the caller may no longer use it. */
export function pinnedCandidate(
  models: Pick<Models, 'candidates'>,
  { id, protocol, key }: PinnedRoute,
  inbound: Protocol,
  caller: Caller | undefined,
): Candidate {
  const { routes } = models.candidates({ model: id }, NO_PREFERENCES, inbound, caller)
  const route = routes.find((each) => each.id === id && each.protocol.name === protocol)
  if (route !== undefined) return { ...route, key }
  throw new DragomanError('not-found', `The gateway no longer has the model "${id}", which has begun this task.`)
}
