import type { MediaKind } from '../ir/media-kind.ts'
import { ownKind } from '../ir/media-kinds.ts'
import type { Card } from '../ir/model.ts'
import { findCodec } from '../protocols/media.ts'
import type { KnownProtocols } from './check-card.ts'
import type { Drivers } from './media.ts'
import { wrongOption } from './options.ts'
import { OWN } from './own-api.ts'

/**
 * The protocols that serve a model which an operator has configured with facts about media, if its card names none: the provider's own API
 * if that is how it serves such models, otherwise the protocols that have them. Throws if the provider cannot serve the model.
 */
export function servedBy(
  card: Card,
  protocols: readonly string[],
  drivers: Drivers | undefined,
  known: KnownProtocols,
  path = `models.${card.name}`,
): Pick<Card, 'protocols'> {
  const kind = ownKind(card)
  if (kind === undefined) return {}
  const { name } = kind
  const serves = (protocol: string): boolean =>
    protocol === OWN ? hasDriver(drivers, name) : findCodec(name, known.get(protocol) ?? {}) !== undefined
  const able = (card.protocols ?? protocols).filter(serves)
  if (able.length === 0) throw wrongOption(`${path}.${name}`, `is not served here: ${absent(kind, known)}`)
  return { protocols: able.includes(OWN) ? [OWN] : able }
}

function hasDriver(drivers: Drivers = {}, kind: string): boolean {
  return Object.hasOwn(drivers, kind)
}

function absent({ name, plural }: MediaKind, known: KnownProtocols): string {
  const able = [...known].flatMap(([protocol, codecs]) => (findCodec(name, codecs) === undefined ? [] : [protocol]))
  return `the provider has neither its own API for ${plural} nor ${able.join(' or ')}`
}
