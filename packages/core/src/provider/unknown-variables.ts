import { nearNames } from '../lib/near.ts'
import { variableName, type Environment } from './environment.ts'

/** The variables with our prefix that an app reads. */
export interface KnownVariables {
  readonly settings: readonly string[]
  /** Providers that it knows: each has `DRAGOMAN_<PROVIDER>_MODELS`. */
  readonly providers: readonly string[]
  /** Providers that only variables describe. */
  readonly compatible: readonly string[]
  /** Providers that come in packages, which may read variables of their own. */
  readonly packaged?: readonly string[]
  /** Others that have a meaning. They are not suggested. */
  readonly mentioned?: readonly string[]
}

const PREFIX = 'DRAGOMAN_'
/** Kubernetes sets these for every service of the namespace, one named dragoman included. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/
const SERVICE_URL = /^(?:tcp|udp|sctp):\/\//

/** A line for each unknown variable that begins like ours, because a misspelled setting would have no effect. */
export function unknownVariables(
  environment: Environment,
  { settings, providers, compatible, packaged = [], mentioned = [] }: KnownVariables,
): readonly string[] {
  const variableOf = (provider: string, suffix: string): string => `${PREFIX}${variableName(provider)}_${suffix}`
  const names = [
    ...settings,
    ...providers.map((name) => variableOf(name, 'MODELS')),
    ...compatible.flatMap((name) => ['BASE_URL', 'API_KEY', 'MODELS', 'LIKE'].map((each) => variableOf(name, each))),
  ]
  const known = new Set([...names, ...mentioned])
  const own = packaged.map((name) => variableOf(name, ''))
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (!name.startsWith(PREFIX) || value === '' || known.has(name)) return []
    if (own.some((beginning) => name.startsWith(beginning))) return []
    if (SERVICE_LINK.test(name) || SERVICE_URL.test(value)) return []
    return [`${name} is unknown${suggestion(name, names)}`]
  })
}

/** The beginning, which all have, does not count. */
function suggestion(name: string, names: readonly string[]): string {
  const bare = (each: string): string => each.replace(PREFIX, '')
  const [near] = nearNames(bare(name), names.map(bare), 1)
  return near === undefined ? '' : `; did you mean "${names.find((each) => bare(each) === near)}"?`
}
