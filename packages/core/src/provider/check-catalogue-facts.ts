import { isObject } from '../lib/json.ts'
import { CARD_CHECKS, checkCardPrices } from './check-card.ts'
import { objectOf, text, type Check } from './check-value.ts'
import { UNSTATED, type Wrong } from './options.ts'

/**
 * Members of configurations that say where calls go, with which credential, or which model a name stands for. They are refused with this
 * reason instead of as unknown ones, wherever they are.
 */
const NEVER: readonly string[] = [
  'baseurl base_url url uri host origin endpoint endpoints proxy package options',
  'headers header auth authorization key keys apikey api_key secret credentials token',
  'route routes routing alias aliases fallback fallbacks transport drivers name',
  UNSTATED.join(' '),
].flatMap((names) => names.split(' '))

const { name: _name, ...checks } = CARD_CHECKS
const stated = Object.entries<Check>(checks).filter(([member]) => !UNSTATED.some((each) => each === member))
const checkMembers = objectOf({ ...Object.fromEntries(stated), like: text })

/** Throws if a catalogue states something else than facts and prices of a model, or something wrong. */
export function checkCatalogueFacts(facts: unknown, path: string, wrong: Wrong): void {
  if (!isObject(facts)) throw wrong(path, 'must be an object')
  refuseForbidden(facts, path, wrong)
  checkMembers(facts, path, wrong)
  checkCardPrices(facts, path, wrong)
}

/** Throws if an object has a member that no catalogue may have. */
export function refuseForbidden(given: object, path: string, wrong: Wrong): void {
  for (const member of Object.keys(given))
    if (NEVER.includes(member.toLowerCase()))
      throw wrong(
        path === '' ? member : `${path}.${member}`,
        'is not accepted: a catalogue states facts and prices, never a host, header, credential or route',
      )
}
