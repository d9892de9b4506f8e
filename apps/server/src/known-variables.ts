import { listOf, nearNames, variableName, type Environment } from '@dragoman/core/provider'
import { COMPATIBLE } from '@dragoman/provider-openai-compatible/environment'
import { knownProviders } from './known-providers.ts'
import { VARIABLES } from './variables.ts'

const PREFIX = 'DRAGOMAN_'
/** Of callers and of the commands, in the documents: whoever runs the server may have set them too. */
const OTHERS = ['DRAGOMAN_KEY', 'DRAGOMAN_ADMIN_KEY', COMPATIBLE]
/** Kubernetes sets these for every service of the namespace, one named dragoman included. */
const SERVICE_LINK = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/
const SERVICE_URL = /^(?:tcp|udp|sctp):\/\//

/** What a configuration file says about variables. */
export interface Mentioned {
  /** The variables that it refers to. */
  readonly mentioned: readonly string[]
  /** The providers that come in packages, which may read variables of their own. */
  readonly packaged: readonly string[]
}

/** A line for each variable that begins like ours and is none, because a misspelled setting would have no effect. */
export function unknownVariables(environment: Environment, { mentioned, packaged }: Mentioned): readonly string[] {
  const names = [...Object.values(VARIABLES), ...OTHERS, ...providerVariables(environment)]
  const known = new Set([...names, ...mentioned])
  const own = packaged.map((name) => `${PREFIX}${variableName(name)}_`)
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

function providerVariables(environment: Environment): readonly string[] {
  const compatible = listOf(environment[COMPATIBLE]).flatMap((name) =>
    ['BASE_URL', 'API_KEY', 'MODELS', 'LIKE'].map((suffix) => `${PREFIX}${variableName(name)}_${suffix}`),
  )
  return [...knownProviders.map((name) => `${PREFIX}${variableName(name)}_MODELS`), ...compatible]
}
