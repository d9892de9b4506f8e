import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import { protocols } from '../protocols/index.ts'
import { checkCard, checkPerProtocol, findProtocol, type KnownProtocols } from './check-card.ts'
import type { Auth, EnvironmentNames, ProviderDefinition } from './definition.ts'
import { wrongDefinition } from './options.ts'
import { OWN } from './own-api.ts'

const MEMBERS: Record<keyof ProviderDefinition, true> = {
  name: true,
  models: true,
  baseURL: true,
  endpoints: true,
  auth: true,
  key: true,
  headers: true,
  environment: true,
  quirks: true,
  dialects: true,
  extensions: true,
  urls: true,
  choosers: true,
  issuer: true,
  counts: true,
  list: true,
  health: true,
  transport: true,
  drivers: true,
  protocols: true,
}
const AUTH: Record<keyof Auth, true> = { header: true, prefix: true, optional: true, sign: true }
const ENVIRONMENT: Record<keyof EnvironmentNames, true> = { keys: true, baseURL: true }

/** Throws an error that names the first wrong member of a definition; returns the protocols that it may name. */
export function checkDefinition(definition: ProviderDefinition): KnownProtocols {
  checkMembers(definition, '', MEMBERS)
  const { auth, environment, endpoints, counts = [], models, protocols: others = [] } = definition
  if (auth !== undefined) checkAuth(auth)
  if (environment !== undefined) checkMembers(environment, 'environment.', ENVIRONMENT)
  const known = new Map([...protocols, ...others].map((protocol) => [protocol.name, protocol] as const))
  if (!isObject(endpoints)) throw wrongDefinition('endpoints', 'must be an object of protocols and references')
  for (const name of Object.keys(endpoints))
    if (name !== OWN) findProtocol(name, `endpoints.${name}`, wrongDefinition, known)
  for (const name of counts) findProtocol(name, 'counts', wrongDefinition, known)
  checkPerProtocol({ ...definition }, '', wrongDefinition, known)
  if (!Array.isArray(models)) throw wrongDefinition('models', 'must be a list of cards')
  for (const [index, card] of (models as ProviderDefinition['models']).entries())
    checkCard(card, `models.${index}`, wrongDefinition, known)
  return known
}

function checkAuth(auth: Auth): void {
  checkMembers(auth, 'auth.', AUTH)
  if (auth.sign !== undefined && auth.sign !== 'jwt') throw wrongDefinition('auth.sign', 'must be "jwt"')
}

function checkMembers(given: object, prefix: string, members: { readonly [member: string]: true }): void {
  if (!isObject(given)) throw wrongDefinition(prefix.replace('.', ''), 'must be an object')
  for (const member of Object.keys(given))
    if (!Object.hasOwn(members, member))
      throw wrongDefinition(`${prefix}${member}`, `is unknown${didYouMean(member, Object.keys(members))}`)
}
