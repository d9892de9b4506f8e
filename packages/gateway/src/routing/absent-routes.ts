import type { Absence } from '../health/absence.ts'
import type { Absences } from '../health/absences.ts'
import type { Candidate } from './candidates.ts'

/** The routes of one call whose upstream has no endpoint for it. */
export interface AbsentRoutes {
  /** Returns which other routes do not need the same endpoint. */
  add(route: Candidate, absence: Absence): (other: Candidate) => boolean
  /** The route, with the protocols that it is called instead of. */
  instead(route: Candidate): Candidate
  /** Remembers them, because another route of the provider has answered. Otherwise a proxy may have lost the upstream for a moment. */
  remember(provider: Candidate['provider']): void
}

export function createAbsentRoutes(absences: Absences, operation: string): AbsentRoutes {
  const absent: { readonly route: Candidate; readonly absence: Absence }[] = []
  return {
    add(route, absence) {
      absent.push({ route, absence })
      return ({ id, provider, protocol }) =>
        provider !== route.provider || protocol !== route.protocol || (absence === 'model' && id !== route.id)
    },
    instead(route) {
      const names = absent.filter((each) => each.route.id === route.id).map((each) => each.route.protocol.name)
      return names.length === 0 ? route : { ...route, instead: [...(route.instead ?? []), ...names] }
    },
    remember(provider) {
      for (const { route, absence } of absent) if (route.provider === provider) absences.add(route, operation, absence)
    },
  }
}
