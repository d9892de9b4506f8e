import type { Card } from '../ir/model.ts'
import type { KnownProtocols } from './check-card.ts'
import type { Drivers } from './media.ts'
import { wrongOption } from './options.ts'
import { OWN } from './own-api.ts'

export const MEDIA = ['image', 'video', 'embedding'] as const
type Medium = (typeof MEDIA)[number]

/** The name of a medium in messages. */
const NAME_OF: { readonly [medium in Medium]: string } = { image: 'images', video: 'videos', embedding: 'embeddings' }

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
  const medium = mediumOf(card)
  if (medium === undefined) return {}
  const serves = (protocol: string): boolean =>
    protocol === OWN ? hasDriver(drivers, medium) : known.get(protocol)?.[medium] !== undefined
  const able = (card.protocols ?? protocols).filter(serves)
  if (able.length === 0) throw wrongOption(`${path}.${medium}`, `is not served here: ${absent(medium, known)}`)
  return { protocols: able.includes(OWN) ? [OWN] : able }
}

/** Drawing in conversations needs nothing of its own. */
function mediumOf({ image, video, embedding }: Card): Medium | undefined {
  if (image !== undefined && image.via !== 'generate') return 'image'
  if (video !== undefined) return 'video'
  return embedding === undefined ? undefined : 'embedding'
}

function hasDriver(drivers: Drivers | undefined, medium: Medium): boolean {
  return medium !== 'embedding' && drivers?.[medium] !== undefined
}

function absent(medium: Medium, known: KnownProtocols): string {
  const able = [...known].flatMap(([name, protocol]) => (protocol[medium] === undefined ? [] : [name]))
  return `the provider has neither its own API for ${NAME_OF[medium]} nor ${able.join(' or ')}`
}
