import { ownKind } from '@dragoman/core/media'
import { isPattern, type Provider } from '@dragoman/core/provider'

export interface ExampleModel {
  readonly provider: string
  readonly name: string
}

type Card = Provider['models'][number]

/** A model for the example call of a protocol: of the first provider that has conversations, if possible one with this protocol, and cheap. */
export function exampleModel(protocol: string, providers: readonly Provider[]): ExampleModel | undefined {
  for (const { name, models, protocols } of providers) {
    const conversing = models.filter(isConversing)
    const speaking = conversing.filter((card) => (card.protocols ?? protocols).includes(protocol))
    const card = cheapest(speaking.length > 0 ? speaking : conversing)
    if (card !== undefined) return { provider: name, name: card.name }
  }
  return undefined
}

/** It answers text with text, and will not be switched off at a known date. */
function isConversing(card: Card): boolean {
  const { name, input, output, retires } = card
  const isText = input.includes('text') && output.every((modality) => modality === 'text')
  return isText && !isPattern(name) && ownKind(card) === undefined && retires === undefined
}

/** The first of equal prices is chosen. Models without prices come last: they may cost anything. */
function cheapest(cards: readonly Card[]): Card | undefined {
  return cards.reduce<Card | undefined>(
    (best, card) => (best === undefined || priceOf(card) < priceOf(best) ? card : best),
    undefined,
  )
}

function priceOf({ prices = {} }: Card): number {
  const [prompt, completion] = [prices['prompt']?.[0], prices['completion']?.[0]]
  const isPriced = prompt?.unit === 'perMTokens' && completion?.unit === 'perMTokens'
  return isPriced ? prompt.value + completion.value : Number.POSITIVE_INFINITY
}
