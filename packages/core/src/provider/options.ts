import { DragomanError } from '../ir/error.ts'
import type { Card } from '../ir/model.ts'
import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/near.ts'
import type { Fields } from './transport.ts'

/** The options of a provider. All of them except the clock are JSON, so that they can be in a configuration file. */
export interface ProviderOptions {
  /** The part of its model ids before the slash. */
  readonly name?: string | undefined
  /** One key, or several, used in rotation. */
  readonly keys?: string | readonly string[] | undefined
  readonly baseURL?: string | undefined
  /** Sent with every call to the provider's own origin. */
  readonly headers?: Fields | undefined
  /** Additional models: a name, or a card with at least a name. */
  readonly models?: readonly (string | ExtraModel)[] | undefined
  /** Changed facts about known models, by name. */
  readonly overrides?: { readonly [model: string]: Partial<Card> } | undefined
  /** What a signed catalogue states. Models and overrides of these options win over it. */
  readonly catalogue?: CatalogueModels | undefined
  /** Unix milliseconds; by default the system clock. */
  readonly now?: (() => number) | undefined
}

/** A card with at least a name: text input and output are assumed, and no price. */
export type ExtraModel = Partial<Card> & Pick<Card, 'name'>

/** What a signed catalogue states about models of one provider, by name. */
export interface CatalogueModels {
  /** The version of the catalogue, for the versions of its prices. */
  readonly version: number
  readonly models: { readonly [model: string]: CatalogueFacts }
}

/** The facts of a card that a signed catalogue may state: none of them changes where or how an upstream is called. */
export interface CatalogueFacts extends Omit<Partial<Card>, 'name' | (typeof UNSTATED)[number]> {
  /** For a new model: a known one of the same provider that is called in the same way. */
  readonly like?: string
}

/** The facts of a card that only a package or a configuration states: they change what is sent to an upstream and who sees what. */
export const UNSTATED = [
  'issuer',
  'dialects',
  'extensions',
  'urls',
  'quirks',
  'choosers',
] as const satisfies (keyof Card)[]

const KNOWN = [
  'name',
  'keys',
  'baseURL',
  'headers',
  'models',
  'overrides',
  'catalogue',
  'now',
] as const satisfies (keyof ProviderOptions)[]

/** An error that names the option and never its value. */
export function wrongOption(option: string, why: string): DragomanError {
  return wrongMember('option', option, why)
}

/** An error that names the member of a definition. */
export function wrongDefinition(member: string, why: string): DragomanError {
  return wrongMember('definition', member, why)
}

function wrongMember(of: 'option' | 'definition', path: string, why: string): DragomanError {
  const end = why.endsWith('?') ? '' : '.'
  return new DragomanError('invalid-request', `Provider ${of} "${path}" ${why}${end}`, { param: path })
}

export function checkOptions(options: ProviderOptions): void {
  for (const option of Object.keys(options))
    if (!KNOWN.some((known) => known === option))
      throw wrongOption(option, `is unknown: there are ${KNOWN.join(', ')}${didYouMean(option, KNOWN)}`)
}

export function checkName(name: string): string {
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]*$/.test(name))
    throw wrongOption('name', 'must be lower-case letters, digits and dashes')
  return name
}

/** The keys as a list; `needed` says whether one is required, `hint` where else it could come from. */
export function checkKeys(
  keys: string | readonly string[] | undefined,
  needed: boolean,
  provider: string,
  hint: string | undefined,
): readonly string[] {
  const list = keys === undefined ? [] : [keys].flat()
  if (list.length === 0 && needed)
    throw wrongOption('keys', `is required by ${provider}${hint === undefined ? '' : ` (or set ${hint})`}`)
  for (const key of list)
    if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
      throw wrongOption('keys', 'must be text without spaces and control characters')
  return list
}

/** Header names are compared and sent in lower case. */
export function checkHeaders(option: string, headers: Fields): Fields {
  if (!isObject(headers)) throw wrongOption(option, 'must be an object of header names and values')
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw wrongOption(`${option}.${name}`, 'is not a header name')
      if (typeof value !== 'string' || !/^[\x20-\x7e\t]*$/.test(value))
        throw wrongOption(`${option}.${name}`, 'must be text of one line')
      return [name.toLowerCase(), value]
    }),
  )
}

/** An http or https URL without a slash at its end. */
export function checkBase(option: string, url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    throw wrongOption(option, 'must be an http or https URL')
  if (parsed.username !== '' || parsed.password !== '')
    throw wrongOption(option, 'must not contain a user name or a password')
  if (parsed.search !== '' || parsed.hash !== '') throw wrongOption(option, 'must have no query and no fragment')
  return parsed.href.replace(/\/+$/, '')
}
